/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim list cpus. */
#include "sim/cli/topic.h"

#include "models/profile.h"
#include "sim/report/table.h"
#include "sim/report/wrap.h"

#include <string.h>

static const char *name_strength(enum rsb_strength strength)
{
	static const char *const names[] = { "vendor", "rtl", "measured", "inferred", "assumed" };

	return names[strength];
}

/* "measured", or "assumed (underflow)": with the field that makes it so. */
static void describe_known(char *out, size_t size, const struct rsb_profile *profile)
{
	const char *weakest = NULL, *known = rsb_profile_known(profile, &weakest);

	if (weakest && strcmp(known, "measured") != 0 && strcmp(known, "documented") != 0)
		snprintf(out, size, "%s (%s)", known, weakest);
	else
		snprintf(out, size, "%s", known);
}

/*
 * The parameters that decide the predictions of plain calls and returns, beside the depth. What a
 * call to the next instruction does is told of one CPU: for it too, 80 columns are too few.
 */
static const char *const policies[] = { "overflow", "underflow" };

#define POLICIES (sizeof(policies) / sizeof(*policies))

/* "-" if its model has no such parameter. */
static void add_policy(struct rsb_table *table, const struct rsb_profile *profile, const char *name)
{
	const struct rsb_parameter *rows = rsb_profile_type(profile)->parameters;
	int row = rsb_parameter_find(rows, name);
	char text[64] = "-";

	if (row >= 0)
		rsb_parameter_print(&rows[row], rsb_profile_values(profile)[row], text,
				    sizeof(text));
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", text);
}

/* How well it is known is a word here; which field makes it so is told of one CPU. */
static void add_row(struct rsb_table *table, const struct rsb_profile *profile)
{
	size_t depth = rsb_profile_depth(profile);
	const char *weakest;

	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rsb_profile_name(profile));
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rsb_profile_type(profile)->name);
	if (depth == SIZE_MAX)
		rsb_table_cell(table, RSB_STYLE_PLAIN, "any");
	else
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%zu", depth);
	for (size_t i = 0; i < POLICIES; i++)
		add_policy(table, profile, policies[i]);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rsb_profile_mitigation(profile));
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rsb_profile_known(profile, &weakest));
}

static const char *name_at(size_t index)
{
	return rsb_profile_names()[index];
}

static bool list(FILE *out, unsigned columns, const char *pattern, struct rsb_error *error)
{
	struct rsb_table *table = rsb_table_new();
	bool good = table || rsb_error_set(error, "out of memory");

	if (!good)
		return false;
	rsb_table_column(table, "cpu", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "model", RSB_TABLE_WORDS, 1);
	rsb_table_column(table, "depth", RSB_TABLE_NUMBER, 1);
	for (size_t i = 0; i < POLICIES; i++)
		rsb_table_column(table, policies[i], RSB_TABLE_WORDS, 1);
	rsb_table_column(table, "thunk", RSB_TABLE_WORDS, 1);
	rsb_table_column(table, "profile", RSB_TABLE_WORDS, 1);
	for (const char *const *name = rsb_profile_names(); good && *name; name++) {
		struct rsb_profile *profile;

		if (!cli_topic_wants(pattern, *name))
			continue;
		profile = rsb_profile_load(*name, error);
		good = profile != NULL;
		if (good)
			add_row(table, profile);
		rsb_profile_free(profile);
	}
	if (good)
		good = rsb_table_write(table, out, columns, false) ||
		       rsb_error_set(error, "out of memory");
	rsb_table_free(table);
	return good;
}

/* Where a value is from, and, where it is only assumed, what else may be true. */
static void add_source(struct rsb_table *table, const struct rsb_fact *fact)
{
	char others[256] = "";
	size_t used = 0;

	for (const char *const *other = fact->others; *other && used < sizeof(others); other++)
		used += (size_t)snprintf(others + used, sizeof(others) - used, "%s%s",
					 used ? " or " : "; it may be ", *other);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s%s%s", fact->assumed ? "unknown: " : "",
		       fact->source, others);
}

static bool print_facts(FILE *out, unsigned columns, const struct rsb_profile *profile)
{
	struct rsb_table *table = rsb_table_new();
	size_t count;
	const struct rsb_fact *facts = rsb_profile_facts(profile, &count);
	bool good;

	if (!table)
		return false;
	rsb_table_column(table, "field", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "value", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "strength", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "source", RSB_TABLE_WORDS, 2);
	for (size_t i = 0; i < count; i++) {
		const struct rsb_fact *fact = &facts[i];

		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", fact->name);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s",
			       fact->assumed ? fact->assumed : fact->value);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", name_strength(fact->strength));
		add_source(table, fact);
	}
	good = rsb_table_write(table, out, columns, false);
	rsb_table_free(table);
	return good;
}

static bool detail(FILE *out, unsigned columns, const char *name, struct rsb_error *error)
{
	struct rsb_profile *profile = rsb_profile_load(name, error);
	char known[128];
	bool good;

	if (!profile)
		return false;
	describe_known(known, sizeof(known), profile);
	rsb_wrap_named(out, rsb_profile_name(profile), rsb_profile_summary(profile), columns);
	fprintf(out, "model: %s; profile: %s\n\n", rsb_profile_type(profile)->name, known);
	good = print_facts(out, columns, profile) || rsb_error_set(error, "out of memory");
	for (const char *const *note = rsb_profile_notes(profile); *note; note++) {
		fputs(note == rsb_profile_notes(profile) ? "\nnote: " : "note: ", out);
		rsb_wrap_write(out, *note, 6, 6, columns);
	}
	rsb_profile_free(profile);
	return good;
}

static bool add_fact(cJSON *to, const struct rsb_fact *fact)
{
	cJSON *object = rsb_add_object(to, NULL), *others;
	bool good = rsb_add_text(object, "name", fact->name) &&
		    rsb_add_text(object, "value", fact->value) &&
		    rsb_add_text(object, "assumed", fact->assumed) &&
		    rsb_add_text(object, "strength", name_strength(fact->strength)) &&
		    rsb_add_text(object, "source", fact->source);

	others = rsb_add_array(object, "others");
	for (const char *const *other = fact->others; good && *other; other++)
		good = rsb_add_text(others, NULL, *other);
	return good && others;
}

static bool add_facts(cJSON *to, const struct rsb_profile *profile)
{
	size_t count;
	const struct rsb_fact *facts = rsb_profile_facts(profile, &count);
	cJSON *array = rsb_add_array(to, "facts");
	bool good = array != NULL;

	for (size_t i = 0; good && i < count; i++)
		good = add_fact(array, &facts[i]);
	array = rsb_add_array(to, "notes");
	for (const char *const *note = rsb_profile_notes(profile); good && *note; note++)
		good = rsb_add_text(array, NULL, *note);
	return good && array;
}

static bool add_depth(cJSON *to, size_t depth)
{
	if (depth == SIZE_MAX)
		return rsb_add_item(to, "depth", cJSON_CreateNull());
	return rsb_add_integer(to, "depth", depth);
}

static bool add_profile(cJSON *to, const char *name, struct rsb_error *error)
{
	struct rsb_profile *profile = rsb_profile_load(name, error);
	const char *weakest = NULL;
	cJSON *object;
	bool good;

	if (!profile)
		return false;
	object = rsb_add_object(to, NULL);
	good = rsb_add_text(object, "name", rsb_profile_name(profile)) &&
	       rsb_add_text(object, "summary", rsb_profile_summary(profile)) &&
	       rsb_add_text(object, "vendor", rsb_profile_vendor(profile)) &&
	       rsb_add_text(object, "arch", rsb_profile_arch(profile)) &&
	       rsb_add_text(object, "version", rsb_profile_version(profile)) &&
	       rsb_add_text(object, "model", rsb_profile_type(profile)->name) &&
	       add_depth(object, rsb_profile_depth(profile)) &&
	       rsb_add_text(object, "return_thunk", rsb_profile_mitigation(profile)) &&
	       rsb_add_text(object, "known", rsb_profile_known(profile, &weakest)) &&
	       rsb_add_text(object, "weakest", weakest) && add_facts(object, profile);
	rsb_profile_free(profile);
	return good;
}

const struct cli_topic cli_topic_cpus = { "cpus", name_at, list, detail, add_profile };
