/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model interface: a predictor of return targets. A model is asked for a prediction before the
 * target is known, then told what happened. What it returns for "no prediction" is valid = false,
 * never the address 0, which is an address like any other. Entries are compared by address: which
 * call pushed them is kept only to explain.
 *
 * A model type is one row of function pointers (struct rsb_model_type). To add one: one C file in
 * models/ and one row in models/registry.c. Programs use the rsb_model_* functions below, not the
 * row.
 *
 *	struct rsb_model *model = rsb_model_new(rsb_model_type_find("ring"), values, &error);
 *
 *	misses = rsb_model_replay(model, sites, trace->events, count, missed);
 *	rsb_model_free(model);
 */
#ifndef RSB_MODELS_MODEL_H
#define RSB_MODELS_MODEL_H

#include "models/parameter.h"
#include "traces/site.h"

/*
 * Version of struct rsb_model_type. A plug-in built against an older one is taken as long as what
 * is new stands at the end; it is not looked for there. Version 2 added slots.
 */
#define RSB_MODEL_VERSION       2
#define RSB_MODEL_VERSION_LEAST 1

/* One event as a model sees it: a copy of the site's row and its id. */
struct rsb_step {
	uint32_t site;  /* id; models may keep it to say who pushed an entry */
	uint32_t count; /* entries of a fill */
	uint64_t pc;
	uint64_t fall_through; /* what a call pushes */
	uint8_t kind, detail, mitigation, flags;
};

struct rsb_prediction {
	bool valid;         /* false: no prediction, and the rest means nothing */
	bool stale;         /* the entry had been popped before, or its call was overtaken */
	uint32_t pushed_by; /* site of the call whose entry this is; RSB_SITE_NONE: no call */
	uint64_t target;
};

/* One return (or other transfer that the model predicts) that missed. */
enum rsb_miss_kind {
	RSB_MISS_EMPTY, /* no prediction */
	RSB_MISS_STALE, /* a stale entry */
	RSB_MISS_OTHER,
};

struct rsb_miss {
	uint32_t event;     /* index in the events of this replay */
	uint32_t pushed_by; /* as in the prediction; RSB_SITE_NONE if there was none */
	uint64_t predicted; /* 0 when kind is RSB_MISS_EMPTY */
	enum rsb_miss_kind kind;
};

/* What one place of a return stack holds. */
struct rsb_slot {
	uint64_t address;
	uint32_t pushed_by; /* as in a prediction */
	uint32_t pushes;    /* calls that it stands for; 0: it holds nothing */
	bool stale;         /* it was popped, and is still there */
};

/* Events to be replayed, in order, and the tables that their ids index. */
struct rsb_batch {
	const struct rsb_site *sites;
	const uint64_t *addresses;
	const struct rsb_event *events;
	size_t site_count, count;
	uint32_t first; /* index of the first event, for struct rsb_miss */
};

/* One of the states that a batch is replayed by, and the misses it has made so far. */
struct rsb_lane {
	void *state;
	struct rsb_miss *missed;
	size_t misses;
};

struct rsb_model_type {
	uint32_t version;    /* RSB_MODEL_VERSION */
	uint32_t kinds;      /* RSB_KIND_BIT() of each kind that update must see */
	uint32_t predicts;   /* of each kind that predict is asked about; RSB_CALL: indirect calls
				only */
	const char *name;    /* "ring" */
	const char *summary; /* one sentence */
	const struct rsb_parameter *parameters; /* at most RSB_PARAMETERS_MAX rows */

	/* A new state, empty as after a reset of the processor; values has one for each parameter,
	 * in range. NULL: error says why. */
	void *(*create)(const int64_t *values, struct rsb_error *error);
	void (*destroy)(void *state);

	/*
	 * The kinds in predicts that a model with these values is asked about. NULL: all of them.
	 */
	uint32_t (*predicts_with)(const int64_t *values);

	/* The prediction for this return (or other kind in predicts), before anything of it is
	 * known but the site. Changes nothing. */
	struct rsb_prediction (*predict)(const void *state, const struct rsb_step *step);

	/* What happened: called for every event whose kind is in kinds, after predict if it is a
	 * return. */
	void (*update)(void *state, const struct rsb_step *step, uint64_t target);

	/* A copy of the state (NULL: no memory), and going back to it; the copy is freed with
	 * destroy. */
	void *(*checkpoint)(const void *state);
	bool (*restore)(void *state, const void *checkpoint);

	/*
	 * Would two states of one model behave alike, as seen from their tops, as long as no more
	 * than depth entries are popped below the top? SIZE_MAX: whatever follows.
	 */
	bool (*same)(const void *a, const void *b, size_t depth);

	/*
	 * The rows of parameters whose policy was needed at least once, a bit each (overflow: a
	 * push met a full stack). NULL: not known.
	 */
	uint64_t (*exercised)(const void *state);

	/*
	 * The same as predict and update for each of the events, only faster, for several states at
	 * once, each of a type with this function: each miss is appended to its lane. NULL: done by
	 * predict and update.
	 */
	void (*replay)(struct rsb_lane *lanes, size_t count, const struct rsb_batch *batch);

	/*
	 * What stands in the stack, for those who look at it: writes at most room slots and returns
	 * how many there are, always as many in one model; top is the one that a return pops; slots
	 * may be NULL if room is 0. NULL: there is nothing like it to show; since version 2.
	 */
	size_t (*slots)(const void *state, struct rsb_slot *slots, size_t room, size_t *top);
};

/* All built-in types, ended by NULL, sorted by name. */
const struct rsb_model_type *const *rsb_model_types(void);

/* By name. NULL: error lists the nearest. */
const struct rsb_model_type *rsb_model_type_find(const char *name, struct rsb_error *error);

struct rsb_model;

/* A model of that type; values are copied. NULL: error says which parameter is wrong. */
struct rsb_model *rsb_model_new(const struct rsb_model_type *type, const int64_t *values,
				struct rsb_error *error);
void rsb_model_free(struct rsb_model *model);

const struct rsb_model_type *rsb_model_type(const struct rsb_model *model);

/*
 * The kinds that this model predicts, as RSB_KIND_BIT(); RSB_CALL stands for indirect calls only.
 */
uint32_t rsb_model_predicts(const struct rsb_model *model);

/*
 * Runs events through the model, in order. Each return that missed is written to missed, which has
 * room for count of them; returns how many. Events of kinds that the model does not need are passed
 * over.
 */
size_t rsb_model_replay(struct rsb_model *model, const struct rsb_sites *sites,
			const struct rsb_event *events, size_t count, struct rsb_miss *missed);

/*
 * The same for several models in one pass, which costs less than a pass for each. missed[i] and
 * misses[i] belong to models[i]; all are replayed over the same events.
 */
void rsb_models_replay(struct rsb_model *const *models, size_t model_count,
		       const struct rsb_sites *sites, const struct rsb_event *events, size_t count,
		       struct rsb_miss *const *missed, size_t *misses);

/* A model in the same state. NULL: no memory. */
struct rsb_model *rsb_model_copy(const struct rsb_model *model);

/* The same of two models of one type and values: see same above. */
bool rsb_model_same(const struct rsb_model *a, const struct rsb_model *b, size_t depth);

/*
 * One event at a time, as a replay does it: is the model asked for a prediction of this step? Then
 * the prediction, and, of any step, what happened.
 */
bool rsb_model_asks(const struct rsb_model *model, const struct rsb_step *step);
struct rsb_prediction rsb_model_predict(const struct rsb_model *model, const struct rsb_step *step);
void rsb_model_update(struct rsb_model *model, const struct rsb_step *step, uint64_t target);

/* See slots above; SIZE_MAX when the type cannot say. */
size_t rsb_model_slots(const struct rsb_model *model, struct rsb_slot *slots, size_t room,
		       size_t *top);

/* See exercised above; UINT64_MAX when the type cannot say. */
uint64_t rsb_model_exercised(const struct rsb_model *model);

#endif
