/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim list models. */
#include "sim/cli/topic.h"

#include "sim/cli/profiles.h"
#include "sim/report/table.h"
#include "sim/report/wrap.h"

#include <inttypes.h>

static const char *name_at(size_t index)
{
	const struct rsb_model_type *type = rsb_model_types()[index];

	return type ? type->name : NULL;
}

static bool list(FILE *out, unsigned columns, const char *pattern, struct rsb_error *error)
{
	struct rsb_table *table = rsb_table_new();
	bool good;

	if (!table)
		return rsb_error_set(error, "out of memory");
	rsb_table_column(table, "model", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "what it is", RSB_TABLE_WORDS, 2);
	for (const struct rsb_model_type *const *type = rsb_model_types(); *type; type++) {
		if (!cli_topic_wants(pattern, (*type)->name))
			continue;
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", (*type)->name);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", (*type)->summary);
	}
	good = rsb_table_write(table, out, columns, false) || rsb_error_set(error, "out of memory");
	rsb_table_free(table);
	return good;
}

static void add_row(struct rsb_table *table, const struct rsb_parameter *row)
{
	char value[64];

	rsb_parameter_print(row, row->value, value, sizeof(value));
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", row->name);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", value);
	if (row->choices)
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", row->choices);
	else
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%" PRId64 " to %" PRId64, row->minimum,
			       row->maximum);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", row->sentence);
}

static bool write_type(FILE *out, unsigned columns, const struct rsb_model_type *type,
		       struct rsb_error *error)
{
	struct rsb_table *table;
	bool good;

	table = rsb_table_new();
	if (!table)
		return rsb_error_set(error, "out of memory");
	rsb_table_column(table, "parameter", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "default", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "values", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "what it decides", RSB_TABLE_WORDS, 2);
	for (const struct rsb_parameter *row = type->parameters; row->name; row++)
		add_row(table, row);
	rsb_wrap_named(out, type->name, type->summary, columns);
	fputc('\n', out);
	good = rsb_table_write(table, out, columns, false) || rsb_error_set(error, "out of memory");
	rsb_table_free(table);
	return good;
}

static bool detail(FILE *out, unsigned columns, const char *name, struct rsb_error *error)
{
	struct rsb_plugin *plugin;
	const struct rsb_model_type *type = cli_model_type(name, &plugin, error);
	bool good = type && write_type(out, columns, type, error);

	rsb_model_plugin_close(plugin);
	return good;
}

static bool add_parameter(cJSON *to, const struct rsb_parameter *row)
{
	cJSON *object = rsb_add_object(to, NULL);
	char value[64];
	bool good;

	rsb_parameter_print(row, row->value, value, sizeof(value));
	good = rsb_add_text(object, "name", row->name) && rsb_add_text(object, "default", value) &&
	       rsb_add_text(object, "choices", row->choices) &&
	       rsb_add_text(object, "sentence", row->sentence);
	if (row->choices)
		return good;
	return good && rsb_add_number(object, "minimum", (double)row->minimum) &&
	       rsb_add_number(object, "maximum", (double)row->maximum);
}

static bool add_type(cJSON *to, const struct rsb_model_type *type)
{
	cJSON *object = rsb_add_object(to, NULL), *parameters;
	bool good = rsb_add_text(object, "name", type->name) &&
		    rsb_add_text(object, "summary", type->summary);

	parameters = rsb_add_array(object, "parameters");
	for (const struct rsb_parameter *row = type->parameters; good && row->name; row++)
		good = add_parameter(parameters, row);
	return good && parameters;
}

static bool add_named(cJSON *to, const char *name, struct rsb_error *error)
{
	struct rsb_plugin *plugin;
	const struct rsb_model_type *type = cli_model_type(name, &plugin, error);
	bool good = type && add_type(to, type);

	rsb_model_plugin_close(plugin);
	return good;
}

const struct cli_topic cli_topic_models = { "models", name_at, list, detail, add_named };
