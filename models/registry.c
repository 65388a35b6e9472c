/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The built-in model types: one row each. */
#include "models/registry.h"

#include "traces/util/suggest.h"

#include <string.h>

static const struct rsb_model_type *const types[] = {
	&rsb_model_checked,
	&rsb_model_ideal,
	&rsb_model_ring,
	NULL,
};

const struct rsb_model_type *const *rsb_model_types(void)
{
	return types;
}

const struct rsb_model_type *rsb_model_type_find(const char *name, struct rsb_error *error)
{
	const char *known[sizeof(types) / sizeof(*types)] = { NULL };

	for (size_t i = 0; types[i]; i++) {
		if (!strcmp(types[i]->name, name))
			return types[i];
		known[i] = types[i]->name;
	}
	return rsb_unknown(error, "model", name, known);
}
