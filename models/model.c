/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Models: a state of a type, and what can be done with any of them. */
#include "models/model.h"

#include "models/step.h"

#include <inttypes.h>
#include <stdlib.h>

#define BATCH     4096 /* events that all models replay while the host's caches hold them */
#define LANES_MAX 16

struct rsb_model {
	const struct rsb_model_type *type;
	void *state;
	uint32_t predicts; /* the type's, as these values narrow it */
};

static bool check_values(const struct rsb_parameter *rows, const int64_t *values,
			 struct rsb_error *error)
{
	for (int i = 0; rows[i].name; i++)
		if (values[i] < rows[i].minimum || values[i] > rows[i].maximum)
			return rsb_error_set(
				error,
				"parameter '%s': %" PRId64 " is not from %" PRId64 " to %" PRId64,
				rows[i].name, values[i], rows[i].minimum, rows[i].maximum);
	return true;
}

struct rsb_model *rsb_model_new(const struct rsb_model_type *type, const int64_t *values,
				struct rsb_error *error)
{
	struct rsb_model *model = malloc(sizeof(*model));

	if (!model)
		return rsb_error_null(error, "out of memory");
	model->type = type;
	model->predicts = type->predicts_with ? type->predicts_with(values) : type->predicts;
	model->state = NULL;
	if (check_values(type->parameters, values, error))
		model->state = type->create(values, error);
	if (!model->state) {
		rsb_error_prefix(error, "model %s", type->name);
		free(model);
		return NULL;
	}
	return model;
}

void rsb_model_free(struct rsb_model *model)
{
	if (!model)
		return;
	model->type->destroy(model->state);
	free(model);
}

const struct rsb_model_type *rsb_model_type(const struct rsb_model *model)
{
	return model->type;
}

uint32_t rsb_model_predicts(const struct rsb_model *model)
{
	return model->predicts;
}

/* Replay for types that have none of their own. */
static void replay_plainly(const struct rsb_model *model, struct rsb_lane *lane,
			   const struct rsb_batch *batch)
{
	const struct rsb_model_type *type = model->type;

	for (size_t i = 0; i < batch->count; i++) {
		struct rsb_step step = rsb_step_of(batch->sites, batch->events[i].site);
		uint64_t target = batch->addresses[batch->events[i].target];

		if (rsb_step_asks(&step, model->predicts))
			rsb_lane_resolve(lane, type->predict(lane->state, &step), target,
					 batch->first + (uint32_t)i);
		if (type->kinds & RSB_KIND_BIT(step.kind))
			type->update(lane->state, &step, target);
	}
}

/* One batch by as many of the models as have the first one's replay. Returns how many. */
static size_t replay_alike(struct rsb_model *const *models, size_t model_count,
			   const struct rsb_batch *batch, struct rsb_miss *const *missed,
			   size_t *misses)
{
	struct rsb_lane lanes[LANES_MAX];
	size_t count = 0;

	do {
		lanes[count] =
			(struct rsb_lane){ models[count]->state, missed[count], misses[count] };
		count++;
	} while (count < model_count && count < LANES_MAX &&
		 models[count]->type->replay == models[0]->type->replay);
	if (models[0]->type->replay)
		models[0]->type->replay(lanes, count, batch);
	for (size_t i = 0; i < count; i++) {
		if (!models[0]->type->replay)
			replay_plainly(models[i], &lanes[i], batch);
		misses[i] = lanes[i].misses;
	}
	return count;
}

static struct rsb_batch batch_of(const struct rsb_sites *sites, const struct rsb_event *events,
				 size_t count)
{
	struct rsb_batch batch = { .events = events, .count = count };
	size_t unused;

	batch.sites = rsb_sites_array(sites, &batch.site_count);
	batch.addresses = rsb_sites_addresses(sites, &unused);
	return batch;
}

void rsb_models_replay(struct rsb_model *const *models, size_t model_count,
		       const struct rsb_sites *sites, const struct rsb_event *events, size_t count,
		       struct rsb_miss *const *missed, size_t *misses)
{
	struct rsb_batch batch = batch_of(sites, events, 0);

	for (size_t i = 0; i < model_count; i++)
		misses[i] = 0;
	for (size_t at = 0; at < count; at += batch.count) {
		batch.events = events + at;
		batch.first = (uint32_t)at;
		batch.count = count - at < BATCH ? count - at : BATCH;
		for (size_t i = 0; i < model_count;)
			i += replay_alike(models + i, model_count - i, &batch, missed + i,
					  misses + i);
	}
}

size_t rsb_model_replay(struct rsb_model *model, const struct rsb_sites *sites,
			const struct rsb_event *events, size_t count, struct rsb_miss *missed)
{
	struct rsb_batch batch = batch_of(sites, events, count);
	size_t misses = 0;

	replay_alike(&model, 1, &batch, &missed, &misses);
	return misses;
}

struct rsb_model *rsb_model_copy(const struct rsb_model *model)
{
	struct rsb_model *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *model;
	copy->state = model->type->checkpoint(model->state);
	if (!copy->state) {
		free(copy);
		return NULL;
	}
	return copy;
}

bool rsb_model_same(const struct rsb_model *a, const struct rsb_model *b, size_t depth)
{
	return a->type == b->type && a->type->same(a->state, b->state, depth);
}

uint64_t rsb_model_exercised(const struct rsb_model *model)
{
	return model->type->exercised ? model->type->exercised(model->state) : UINT64_MAX;
}

bool rsb_model_asks(const struct rsb_model *model, const struct rsb_step *step)
{
	return rsb_step_asks(step, model->predicts);
}

struct rsb_prediction rsb_model_predict(const struct rsb_model *model, const struct rsb_step *step)
{
	return model->type->predict(model->state, step);
}

void rsb_model_update(struct rsb_model *model, const struct rsb_step *step, uint64_t target)
{
	if (model->type->kinds & RSB_KIND_BIT(step->kind))
		model->type->update(model->state, step, target);
}

size_t rsb_model_slots(const struct rsb_model *model, struct rsb_slot *slots, size_t room,
		       size_t *top)
{
	const struct rsb_model_type *type = model->type;

	/* The row of an older plug-in ends before it. */
	if (type->version < 2 || !type->slots)
		return SIZE_MAX;
	return type->slots(model->state, slots, room, top);
}
