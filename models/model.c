/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Models: a state of a type, and what can be done with any of them. */
#include "models/model.h"

#include "models/step.h"

#include <inttypes.h>
#include <stdlib.h>

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
				"parameter \"%s\": %" PRId64 " is not from %" PRId64 " to %" PRId64,
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
static size_t replay_plainly(struct rsb_model *model, const struct rsb_site *sites,
			     const uint64_t *addresses, const struct rsb_event *events,
			     size_t count, struct rsb_miss *missed)
{
	const struct rsb_model_type *type = model->type;
	size_t misses = 0;

	for (size_t i = 0; i < count; i++) {
		struct rsb_step step = rsb_step_of(sites, events[i].site);
		uint64_t target = addresses[events[i].target];

		if (rsb_step_asks(&step, model->predicts)) {
			struct rsb_prediction prediction = type->predict(model->state, &step);

			if (!rsb_prediction_hits(&prediction, target))
				missed[misses++] = rsb_miss_of(&prediction, (uint32_t)i);
		}
		if (type->kinds & RSB_KIND_BIT(step.kind))
			type->update(model->state, &step, target);
	}
	return misses;
}

size_t rsb_model_replay(struct rsb_model *model, const struct rsb_sites *sites,
			const struct rsb_event *events, size_t count, struct rsb_miss *missed)
{
	size_t unused;
	const struct rsb_site *rows = rsb_sites_array(sites, &unused);
	const uint64_t *addresses = rsb_sites_addresses(sites, &unused);

	if (model->type->replay)
		return model->type->replay(model->state, rows, addresses, events, count, missed);
	return replay_plainly(model, rows, addresses, events, count, missed);
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
