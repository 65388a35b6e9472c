/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim list layouts. */
#include "sim/cli/topic.h"

#include "sim/image/layout.h"
#include "sim/report/number.h"
#include "sim/report/table.h"
#include "sim/report/wrap.h"
#include "sim/score/score.h"

static const char *name_at(size_t index)
{
	return rsb_layout_names()[index];
}

static bool list(FILE *out, unsigned columns, const char *pattern, struct rsb_error *error)
{
	struct rsb_table *table = rsb_table_new();
	bool good = table || rsb_error_set(error, "out of memory");

	if (!good)
		return false;
	rsb_table_column(table, "layout", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "what it is", RSB_TABLE_WORDS, 2);
	for (const char *const *name = rsb_layout_names(); good && *name; name++) {
		struct rsb_layout *layout;

		if (!cli_topic_wants(pattern, *name))
			continue;
		layout = rsb_layout_load(*name, error);
		good = layout != NULL;
		if (!good)
			break;
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", *name);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rsb_layout_summary(layout));
		rsb_layout_free(layout);
	}
	if (good)
		good = rsb_table_write(table, out, columns, false) ||
		       rsb_error_set(error, "out of memory");
	rsb_table_free(table);
	return good;
}

static void print_scenario(FILE *out, const struct rsb_layout *layout)
{
	struct rsb_scenario scenario;

	if (rsb_layout_scenario(layout, &scenario))
		fprintf(out, "scenario: its own, depth %u, batch %u, spacing %u\n", scenario.depth,
			scenario.batch, scenario.spacing);
	else
		fprintf(out, "scenario: bench and unwind\n");
}

static bool detail(FILE *out, unsigned columns, const char *name, struct rsb_error *error)
{
	struct rsb_layout *layout = rsb_layout_load(name, error);

	if (!layout)
		return false;
	rsb_wrap_named(out, rsb_layout_name(layout), rsb_layout_summary(layout), columns);
	if (*rsb_layout_source(layout)) {
		fputs("source: ", out);
		rsb_wrap_write(out, rsb_layout_source(layout), 8, 8, columns);
	}
	print_scenario(out, layout);
	for (const struct rsb_figure *figure = rsb_figures(); figure->key; figure++) {
		char text[RSB_NUMBER_SIZE];
		double value;

		if (!rsb_layout_expect(layout, figure->key, &value))
			continue;
		rsb_number_data(text, sizeof(text), value);
		fprintf(out, "expects: %s %s\n", figure->key, text);
	}
	rsb_layout_free(layout);
	return true;
}

static bool add_expected(cJSON *to, const struct rsb_layout *layout)
{
	cJSON *expect = rsb_add_object(to, "expect");
	bool good = expect != NULL;
	double value;

	for (const struct rsb_figure *figure = rsb_figures(); good && figure->key; figure++)
		if (rsb_layout_expect(layout, figure->key, &value))
			good = rsb_add_number(expect, figure->key, value);
	return good;
}

static bool add_layout(cJSON *to, const char *name, struct rsb_error *error)
{
	struct rsb_layout *layout = rsb_layout_load(name, error);
	cJSON *object;
	bool good;

	if (!layout)
		return false;
	object = rsb_add_object(to, NULL);
	good = rsb_add_text(object, "name", rsb_layout_name(layout)) &&
	       rsb_add_text(object, "summary", rsb_layout_summary(layout)) &&
	       rsb_add_text(object, "source", rsb_layout_source(layout)) &&
	       add_expected(object, layout);
	rsb_layout_free(layout);
	return good;
}

const struct cli_topic cli_topic_layouts = { "layouts", name_at, list, detail, add_layout };
