/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The explanation: why returns missed, down to the instruction at fault. One finding is one cause
 * at one culprit; the misses that follow from it are under it.
 *
 *	frames = rsb_frames_new(image, run, &error);
 *	explanation = rsb_explanation_new(frames, name, profile, &scenario, &error);
 *	for (i = 0; i < explanation->count; i++)
 *		... explanation->findings[i].culprit.symbol ...
 *
 * The frames are what the code did, found once in a second, slower run (sim/explain/frames.h); they
 * serve every CPU.
 */
#ifndef RSB_SIM_EXPLAIN_EXPLAIN_H
#define RSB_SIM_EXPLAIN_EXPLAIN_H

#include "models/profile.h"
#include "sim/explain/frames.h"
#include "sim/scenario.h"
#include "sim/score/run.h"

enum rsb_cause {
	RSB_CAUSE_SKIPPED_FRAME,    /* a pushed return address was left without a return */
	RSB_CAUSE_REWRITTEN_RETURN, /* it was overwritten in memory */
	RSB_CAUSE_PUSHED_RETURN,    /* a return to an address that no call pushed */
	RSB_CAUSE_OVERFLOW,         /* the entry had been overwritten by a deeper call's */
	RSB_CAUSE_EMPTY,            /* nothing was left to predict with */
	RSB_CAUSE_STALE,            /* an entry was used a second time */
	RSB_CAUSE_CLOBBERED,        /* something other than calls and returns changed the stack */
	RSB_CAUSE_SHIFTED,          /* an earlier imbalance; of a miss, never of a finding */
	RSB_CAUSE_INTENDED,         /* a mitigation wants this miss */
	RSB_CAUSE_PREDICTOR,        /* the model's own policy */
	RSB_CAUSES
};

/* "skipped-frame", and one sentence on what it means. Never NULL. */
const char *rsb_cause_name(enum rsb_cause cause);
const char *rsb_cause_sentence(enum rsb_cause cause);

/* One instruction of the image. */
struct rsb_instruction {
	uint64_t pc;
	char *symbol; /* "trampoline+0x5e"; NULL: there is no such instruction */
	char *text;   /* "add rsp, 8", "call target+0x5"; "" if it cannot be decoded */
	uint8_t bytes[15];
	uint8_t length;
};

/* An address that was predicted, or gone to. */
struct rsb_named_address {
	uint64_t address;
	char *symbol; /* NULL: there was none */
};

/* Misses that are alike in all of this. */
struct rsb_explained_miss {
	enum rsb_cause cause; /* the finding's, or RSB_CAUSE_SHIFTED */
	enum rsb_miss_kind kind;
	bool inside;                        /* in the span of a traced call */
	struct rsb_instruction returned_by; /* the return */
	struct rsb_named_address predicted, actual;
	struct rsb_instruction
		pushed_by; /* the call whose entry was predicted; symbol NULL: none */
	uint64_t cold;     /* in the first round */
	uint64_t steady;   /* in the steady rounds, explanation->rounds of them */
};

struct rsb_finding {
	enum rsb_cause cause;
	struct rsb_instruction culprit; /* symbol NULL: no instruction is at fault */
	struct rsb_instruction call;    /* pushed what the culprit dropped, overwrote, ...; symbol
					   NULL: there is none */
	struct rsb_named_address entry; /* what that call pushed */
	char *mitigation;               /* of an intended one: "srso_alias_safe_ret"; else NULL */
	char event[24];                 /* of a clobbered one: "fill 32"; else "" */
	struct rsb_explained_miss *misses; /* in the order in which they were first seen; knock-ons
					      have the cause shifted. There may be none: an
					      imbalance that this CPU, or this code's mitigations,
					      do not charge for */
	size_t miss_count;
	/* Per traced call, averaged over the steady rounds, as in a score. */
	double misses_inside, misses_callers;
	double balance;                   /* entries that it leaves on the stack (below 0: takes) */
	double cold_inside, cold_callers; /* the same of the first round */
	struct rsb_instruction *around;   /* the code around the culprit, in order; may be none */
	size_t around_count;
	uint32_t origin; /* its number in the order in which they were met */
	char *story;     /* the cause in one sentence with its instructions */
	char *advice;    /* a way out; "" where there is none to give */
};

#define RSB_FINDING_NONE UINT32_MAX

/* One miss of one round. A place is a number among the calls and returns of a round, from 0. */
struct rsb_told_miss {
	uint64_t round;
	uint32_t place;
	uint32_t finding; /* index in the findings; RSB_FINDING_NONE: it is of none */
	enum rsb_cause cause;
};

/* Software call-depth accounting (the kernel's sarq and shlq), per traced call. */
struct rsb_accounting {
	bool known;                     /* the code accounts */
	double calls, returns;          /* accounted: sarq, shlq */
	double software_balance;        /* calls - returns, of those */
	double hardware_balance;        /* of the layout's real calls and returns */
	struct rsb_instruction culprit; /* accounts for what is not there, or is not accounted for;
					   symbol NULL: all agree */
	const char *what;               /* what the culprit is: "accounts for a call that is not
					   made"; NULL */
};

struct rsb_shadow_verdict;
struct rsb_ibt_verdict;

struct rsb_explanation {
	char *layout, *cpu, *model;
	char return_thunk[32]; /* how the code returns: "none", "srso" */
	struct rsb_scenario scenario;
	enum rsb_steady steady;
	uint64_t period;              /* in rounds; 0 if steady is RSB_STEADY_NO */
	uint64_t rounds;              /* steady rounds that the figures are over */
	uint64_t traced_calls;        /* in those rounds */
	struct rsb_finding *findings; /* by misses, most first; intended ones last */
	size_t count;
	struct rsb_accounting accounting;
	char **notes;
	size_t note_count;
	struct rsb_told_miss *told; /* each miss of the rounds, in their order, if asked for */
	size_t told_count;

	/*
	 * What control-flow enforcement says of the same code (sim/explain/shadow.h, ibt.h). Set
	 * and owned by whoever judged it; NULL: nobody did.
	 */
	const struct rsb_shadow_verdict *shadow;
	const struct rsb_ibt_verdict *ibt;
};

/* Explains. layout is its name. The explanation owns all it holds. NULL: error. */
struct rsb_explanation *rsb_explanation_new(const struct rsb_frames *frames, const char *layout,
					    const struct rsb_profile *profile,
					    const struct rsb_scenario *scenario,
					    struct rsb_error *error);

/* The same, and each miss is told of. */
struct rsb_explanation *rsb_explanation_each(const struct rsb_frames *frames, const char *layout,
					     const struct rsb_profile *profile,
					     const struct rsb_scenario *scenario,
					     struct rsb_error *error);
void rsb_explanation_free(struct rsb_explanation *explanation);

#endif
