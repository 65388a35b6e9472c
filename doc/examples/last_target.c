/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An example of a model outside the tree: no return stack at all. Each return is predicted to go
 * where the last return at the same place went, as processors did before they had one.
 *
 *	cc -shared -fPIC $(pkg-config --cflags rsbsim) -o last_target.so last_target.c
 *	rsbsim score 'bpf-*' --model ./last_target.so
 */
#include "models/model.h"

#include <stdlib.h>
#include <string.h>

struct slot {
	uint64_t pc, target;
	bool known;
};

struct table {
	size_t entries;
	struct slot slots[];
};

enum { ENTRIES };

static const struct rsb_parameter parameters[] = {
	[ENTRIES] = RSB_PARAMETER_NUMBER("entries", "places that are remembered", 256, 1, 65536),
	{ 0 },
};

static size_t size_of(size_t entries)
{
	return sizeof(struct table) + entries * sizeof(struct slot);
}

static size_t index_of(const struct table *table, uint64_t pc)
{
	return (size_t)((pc ^ pc >> 12) % table->entries);
}

static void *create(const int64_t *values, struct rsb_error *error)
{
	struct table *table;

	if (values[ENTRIES] & (values[ENTRIES] - 1)) {
		strcpy(error->text, "entries must be a power of two");
		return NULL;
	}
	table = calloc(1, size_of((size_t)values[ENTRIES]));
	if (table)
		table->entries = (size_t)values[ENTRIES];
	else
		strcpy(error->text, "out of memory");
	return table;
}

static struct rsb_prediction predict(const void *state, const struct rsb_step *step)
{
	const struct table *table = state;
	const struct slot *slot = &table->slots[index_of(table, step->pc)];

	return (struct rsb_prediction){
		.valid = slot->known && slot->pc == step->pc,
		.pushed_by = RSB_SITE_NONE,
		.target = slot->target,
	};
}

static void update(void *state, const struct rsb_step *step, uint64_t target)
{
	struct table *table = state;

	table->slots[index_of(table, step->pc)] = (struct slot){ step->pc, target, true };
}

static bool restore(void *state, const void *checkpoint)
{
	memcpy(state, checkpoint, size_of(((const struct table *)checkpoint)->entries));
	return true;
}

static void *checkpoint(const void *state)
{
	void *copy = malloc(size_of(((const struct table *)state)->entries));

	if (copy)
		restore(copy, state);
	return copy;
}

/* Nothing is pushed or popped, so that all of the table counts, whatever the depth. */
static bool same(const void *a, const void *b, size_t depth)
{
	const struct table *left = a, *right = b;

	(void)depth;
	for (size_t i = 0; i < left->entries; i++) {
		const struct slot *mine = &left->slots[i], *other = &right->slots[i];

		if (mine->known != other->known || mine->pc != other->pc ||
		    mine->target != other->target)
			return false;
	}
	return true;
}

const struct rsb_model_type rsb_model_plugin = {
	.version = RSB_MODEL_VERSION,
	.kinds = RSB_KIND_BIT(RSB_RETURN),
	.predicts = RSB_KIND_BIT(RSB_RETURN),
	.name = "last-target",
	.summary = "no return stack: each return is predicted to go where it last went",
	.parameters = parameters,
	.create = create,
	.destroy = free,
	.predict = predict,
	.update = update,
	.checkpoint = checkpoint,
	.restore = restore,
	.same = same,
};
