/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU profiles: finding them, and what they answer. The file format is read in profile_read.c. */
#include "models/profile.h"

#include "models/profile_read.h"
#include "traces/util/builtin.h"
#include "traces/util/suggest.h"

#include <stdlib.h>
#include <string.h>

static bool is_path(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') || (length > 5 && !strcmp(name + length - 5, ".json"));
}

static struct rsb_json *open_builtin(const char *name, struct rsb_error *error)
{
	char nearest[256];

	for (const struct rsb_builtin *file = rsb_builtin_cpus; file->name; file++)
		if (!strcmp(file->name, name))
			return rsb_json_parse(name, file->text, file->size, error);
	rsb_suggest(name, rsb_builtin_cpu_names, nearest, sizeof(nearest));
	return rsb_error_null(error, "unknown CPU '%s': expected %s, or the path of a profile",
			      name, *nearest ? nearest : "a name of rsbsim list cpus");
}

struct rsb_profile *rsb_profile_load(const char *name_or_path, struct rsb_error *error)
{
	struct rsb_profile *profile = calloc(1, sizeof(*profile));

	if (!profile)
		return rsb_error_null(error, "out of memory");
	profile->json = is_path(name_or_path) ? rsb_json_load(name_or_path, error)
					      : open_builtin(name_or_path, error);
	if (!profile->json || !rsb_profile_read(profile, error)) {
		rsb_profile_free(profile);
		return NULL;
	}
	return profile;
}

void rsb_profile_free(struct rsb_profile *profile)
{
	if (!profile)
		return;
	rsb_json_free(profile->json);
	free(profile->notes);
	free(profile->own_name);
	free(profile);
}

const char *const *rsb_profile_names(void)
{
	return rsb_builtin_cpu_names;
}

const char *rsb_profile_name(const struct rsb_profile *profile)
{
	return profile->name;
}

const char *rsb_profile_summary(const struct rsb_profile *profile)
{
	return profile->summary;
}

const char *rsb_profile_vendor(const struct rsb_profile *profile)
{
	return profile->vendor;
}

const char *rsb_profile_arch(const struct rsb_profile *profile)
{
	return profile->arch;
}

bool rsb_profile_runs(const struct rsb_profile *profile, const char *arch)
{
	return !*arch || !*profile->arch || !strcmp(profile->arch, "any") ||
	       !strcmp(profile->arch, arch);
}

const char *rsb_profile_version(const struct rsb_profile *profile)
{
	return profile->version;
}

const struct rsb_model_type *rsb_profile_type(const struct rsb_profile *profile)
{
	return profile->type;
}

const int64_t *rsb_profile_values(const struct rsb_profile *profile)
{
	return profile->values;
}

/* A parameter's value; absent where the model has no such parameter. */
static int64_t parameter(const struct rsb_profile *profile, const char *name, int64_t absent)
{
	int row = rsb_parameter_find(profile->type->parameters, name);

	return row < 0 ? absent : profile->values[row];
}

size_t rsb_profile_depth(const struct rsb_profile *profile)
{
	int64_t depth = parameter(profile, "depth", -1);
	int64_t depth_smt = parameter(profile, "depth_smt", 0);

	if (parameter(profile, "smt", 0) && depth_smt)
		depth = depth_smt;
	return depth < 0 ? SIZE_MAX : (size_t)depth;
}

size_t rsb_profile_in_flight(const struct rsb_profile *profile)
{
	return (size_t)parameter(profile, "in_flight", 0);
}

bool rsb_profile_zero_call_pushes(const struct rsb_profile *profile)
{
	return parameter(profile, "zero_call_pushes", 0);
}

bool rsb_profile_ibpb_clears(const struct rsb_profile *profile)
{
	return parameter(profile, "ibpb_clears", 0);
}

bool rsb_profile_quantity(const struct rsb_profile *profile, enum rsb_quantity quantity,
			  double *low, double *high)
{
	if (!profile->quantity_known[quantity])
		return false;
	*low = profile->quantities[quantity][0];
	*high = profile->quantities[quantity][1];
	return true;
}

bool rsb_profile_penalty(const struct rsb_profile *profile, double *low, double *high)
{
	return rsb_profile_quantity(profile, RSB_QUANTITY_PENALTY, low, high);
}

const char *rsb_profile_mitigation(const struct rsb_profile *profile)
{
	const struct rsb_fact *fact = profile->return_thunk;

	return fact->assumed ? fact->assumed : fact->value;
}

bool rsb_profile_may_return_by(const struct rsb_profile *profile, const char *thunk)
{
	if (profile->return_thunk->assumed || !strcmp(rsb_profile_mitigation(profile), thunk))
		return true;
	for (size_t i = 0; i < profile->fact_count; i++)
		if (!strcmp(profile->facts[i].name, "also") &&
		    !strcmp(profile->facts[i].value, thunk))
			return true;
	return false;
}

/* The slot of that fact, a new one if there is none. */
static struct rsb_fact_slot *find_slot(struct rsb_profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->fact_count; i++)
		if (!strcmp(profile->facts[i].name, name))
			return &profile->slots[i];
	return rsb_fact_take(profile);
}

bool rsb_profile_set(struct rsb_profile *profile, const char *name, const char *text,
		     struct rsb_error *error)
{
	const struct rsb_parameter *rows = profile->type->parameters;
	struct rsb_fact_slot *slot;
	int row;

	if (!rsb_parameter_set(rows, profile->values, name, text, error))
		return false;
	row = rsb_parameter_find(rows, name);
	slot = find_slot(profile, name);
	rsb_parameter_print(&rows[row], profile->values[row], slot->value, sizeof(slot->value));
	slot->list[0] = NULL;
	*slot->fact = (struct rsb_fact){
		.name = rows[row].name,
		.value = slot->value,
		.source = "--set",
		.others = slot->list,
		.strength = RSB_STRENGTH_ASSUMED,
	};
	return true;
}

const struct rsb_fact *rsb_profile_facts(const struct rsb_profile *profile, size_t *count)
{
	*count = profile->fact_count;
	return profile->facts;
}

const char *rsb_profile_known(const struct rsb_profile *profile, const char **weakest)
{
	static const char *const words[] = {
		[RSB_STRENGTH_VENDOR] = "documented", [RSB_STRENGTH_RTL] = "documented",
		[RSB_STRENGTH_MEASURED] = "measured", [RSB_STRENGTH_INFERRED] = "inferred",
		[RSB_STRENGTH_ASSUMED] = "assumed",
	};
	const struct rsb_fact *found = NULL;

	if (profile->is_model) {
		if (weakest)
			*weakest = "";
		return "none";
	}
	for (size_t i = 0; i < profile->fact_count; i++) {
		const struct rsb_fact *fact = &profile->facts[i];

		if (rsb_fact_decides(fact->name) && (!found || fact->strength > found->strength))
			found = fact;
	}
	if (weakest)
		*weakest = found ? found->name : "";
	return words[found ? found->strength : RSB_STRENGTH_RTL];
}

const char *const *rsb_profile_notes(const struct rsb_profile *profile)
{
	return (const char *const *)profile->notes;
}

struct rsb_model *rsb_profile_model(const struct rsb_profile *profile, struct rsb_error *error)
{
	return rsb_model_new(profile->type, profile->values, error);
}
