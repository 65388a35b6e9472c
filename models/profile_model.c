/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles that are no file's: of a bare model, and of a CPU with one field varied. */
#include "models/profile_read.h"

#include <stdlib.h>
#include <string.h>

/* What decides how Linux returns is the CPU, and here is none. */
static void leave_out_thunk(struct rsb_profile *profile)
{
	struct rsb_fact_slot *slot = rsb_fact_take(profile);

	*slot->fact = (struct rsb_fact){
		.name = "return_thunk",
		.value = "none",
		.source = "a model, not a CPU",
		.others = slot->list,
		.strength = RSB_STRENGTH_ASSUMED,
	};
	profile->return_thunk = slot->fact;
}

struct rsb_profile *rsb_profile_of_model(const struct rsb_model_type *type, const char *name,
					 struct rsb_error *error)
{
	struct rsb_profile *profile = calloc(1, sizeof(*profile));

	if (!profile || !(profile->notes = calloc(1, sizeof(*profile->notes))) ||
	    !(profile->own_name = strdup(name))) {
		rsb_profile_free(profile);
		return rsb_error_null(error, "out of memory");
	}
	profile->name = profile->own_name;
	profile->summary = type->summary;
	profile->vendor = profile->arch = "";
	strcpy(profile->version, "1");
	profile->type = type;
	profile->is_model = true;
	rsb_parameter_defaults(type->parameters, profile->values);
	rsb_fact_leave_out_penalty(profile);
	leave_out_thunk(profile);
	return profile;
}

struct rsb_profile *rsb_profile_vary(const struct rsb_profile *profile, const char *name,
				     const char *text, struct rsb_error *error)
{
	struct rsb_profile *varied = malloc(sizeof(*varied));

	if (!varied)
		return rsb_error_null(error, "out of memory");
	*varied = *profile;
	/* These stay the original's, which the facts point into as well. */
	varied->json = NULL;
	varied->notes = NULL;
	varied->own_name = NULL;
	if (rsb_parameter_set(varied->type->parameters, varied->values, name, text, error))
		return varied;
	rsb_profile_free(varied);
	return NULL;
}
