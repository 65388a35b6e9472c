/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check as text to read: under each layout what was found, once for all CPUs alike. */
#include "sim/check/compared.h"
#include "sim/check/format.h"
#include "sim/check/group.h"
#include "sim/check/remarks.h"
#include "sim/report/style.h"
#include "sim/report/wrap.h"

#include <stdlib.h>
#include <string.h>

#define WHAT_MIN 30 /* columns, for what happens at an instruction */

struct text {
	FILE *out;
	const struct rsb_check *check;
	const struct rsb_check_style *style;
	const char *layout; /* whose heading was written last */
	bool remarked;      /* a remark was written */
};

static void write_heading(struct text *text, const struct rsb_check_case *one)
{
	const struct rsb_scenario *scenario = &one->scenario;
	bool colour = text->style->colour;

	if (text->layout && !strcmp(text->layout, one->layout))
		return;
	fprintf(text->out, "%s%s%s%s", text->layout || text->check->compared ? "\n" : "",
		rsb_style_start(RSB_STYLE_BOLD, colour), one->layout,
		rsb_style_end(RSB_STYLE_BOLD, colour));
	if (scenario->name)
		fprintf(text->out, " (%s: depth %u, batch %u)", scenario->name, scenario->depth,
			scenario->batch);
	fputc('\n', text->out);
	text->layout = one->layout;
}

/* What happens stands behind the instruction, or, with code 0, below it. */
static void write_step(const struct text *text, const struct rsb_check_step *step, size_t symbol,
		       size_t code, size_t column)
{
	const struct rsb_check_place *place = &step->place;

	fprintf(text->out, "    %-*s  %-*s", (int)symbol, place->symbol ? place->symbol : "",
		(int)code, place->symbol ? place->text : "");
	if (code)
		fputs("  ", text->out);
	else
		fprintf(text->out, "\n%*s", (int)column, "");
	rsb_wrap_write(text->out, step->what, column, column, text->style->columns);
}

static void write_steps(const struct text *text, const struct rsb_check_result *result)
{
	size_t symbol = 0, code = 0, column;
	bool below;

	for (size_t i = 0; i < result->step_count; i++) {
		const struct rsb_check_place *place = &result->steps[i].place;

		if (place->symbol && strlen(place->symbol) > symbol)
			symbol = strlen(place->symbol);
		if (place->symbol && strlen(place->text) > code)
			code = strlen(place->text);
	}
	column = 4 + symbol + 2 + code + 2;
	below = column + WHAT_MIN > text->style->columns;
	for (size_t i = 0; i < result->step_count; i++)
		write_step(text, &result->steps[i], symbol, below ? 0 : code, below ? 8 : column);
}

/* "error", or "accepted" and why. */
static size_t write_label(const struct text *text, const struct rsb_check_result *result)
{
	bool fails = rsb_check_result_fails(result), note = result->level == RSB_LEVEL_NOTE;
	enum rsb_style style = fails ? RSB_STYLE_BAD : RSB_STYLE_DIM;
	char label[128];

	if (fails || note)
		snprintf(label, sizeof(label), "%s", rsb_level_name(result->level));
	else
		snprintf(label, sizeof(label), "accepted (%s)",
			 rsb_check_standing_words(result->standing));
	fprintf(text->out, "  %s%s%s %s %s", rsb_style_start(style, text->style->colour), label,
		rsb_style_end(style, text->style->colour), result->rule->id, result->rule->name);
	return 2 + strlen(label) + 1 + strlen(result->rule->id) + 1 + strlen(result->rule->name);
}

static void write_paragraph(const struct text *text, const char *label, const char *words)
{
	if (!words || !*words)
		return;
	fprintf(text->out, "    %s", label);
	rsb_wrap_write(text->out, words, 4 + strlen(label), 4, text->style->columns);
}

static void write_result(const struct text *text, const struct rsb_check_result *result,
			 const char *cpus)
{
	size_t column = write_label(text, result);

	fputs(" on ", text->out);
	rsb_wrap_write(text->out, cpus, column + 4, 4, text->style->columns);
	write_paragraph(text, "", result->message);
	write_paragraph(text, "", result->reason);
	if (!rsb_check_result_fails(result))
		return;
	write_steps(text, result);
	write_paragraph(text, "way out: ", result->advice);
}

static bool write_case(struct text *text, size_t index)
{
	const struct rsb_check_case *one = &text->check->cases[index];

	if (one->trouble) {
		write_heading(text, one);
		write_paragraph(text, "trouble: ", one->trouble);
	}
	for (size_t i = 0; i < one->count; i++) {
		char *cpus;

		if (!rsb_group_is_first(text->check, index, i))
			continue;
		cpus = rsb_group_cpus(text->check, index, i);
		if (!cpus)
			return false;
		write_heading(text, one);
		write_result(text, &one->results[i], cpus);
		free(cpus);
	}
	return true;
}

static void write_absent(const struct text *text)
{
	for (size_t i = 0; i < text->check->absent_count; i++) {
		const struct rsb_check_absent *absent = &text->check->absents[i];

		fprintf(text->out, "%sabsent: %s%s%s of %s on %s; --update-baseline takes it out\n",
			i || !text->layout ? "" : "\n", absent->rule,
			*absent->subject ? " in " : "", absent->subject, absent->layout,
			absent->cpu);
	}
}

static void write_remark(void *context, const char *line)
{
	static const char label[] = "remark: ";
	struct text *text = context;

	if (!text->remarked && (text->layout || text->check->absent_count || text->check->compared))
		fputc('\n', text->out);
	text->remarked = true;
	fputs(label, text->out);
	rsb_wrap_write(text->out, line, strlen(label), strlen(label), text->style->columns);
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static void write_changes(FILE *out, const struct rsb_check_counts *counts)
{
	for (enum rsb_change change = RSB_CHANGE_SAME; change < RSB_CHANGES; change++)
		fprintf(out, "%s%zu %s", change > RSB_CHANGE_SAME ? ", " : "",
			counts->changes[change], rsb_change_name(change));
	fputc('\n', out);
}

static void write_summary(const struct text *text, const struct rsb_check_counts *counts)
{
	FILE *out = text->out;

	if (text->layout || text->check->absent_count || text->check->compared || text->remarked)
		fputc('\n', out);
	if (text->check->compared)
		write_changes(out, counts);
	fprintf(out, "%zu error%s, %zu warning%s, %zu note%s", counts->errors,
		plural(counts->errors), counts->warnings, plural(counts->warnings), counts->notes,
		plural(counts->notes));
	if (counts->accepted)
		fprintf(out, ", %zu accepted", counts->accepted);
	if (counts->absent)
		fprintf(out, ", %zu absent", counts->absent);
	if (counts->troubles)
		fprintf(out, ", %zu in trouble", counts->troubles);
	fprintf(out, ": %zu layout%s on %zu CPU%s\n", counts->layouts, plural(counts->layouts),
		counts->cpus, plural(counts->cpus));
	if (counts->errors + counts->warnings)
		rsb_wrap_write(out,
			       "rsbsim explain RULE tells what a rule is about; rsbsim explain "
			       "LAYOUT, all of a miss.",
			       0, 0, text->style->columns);
}

static bool has_new(const struct rsb_check *check)
{
	for (size_t i = 0; i < check->count; i++)
		for (size_t k = 0; k < check->cases[i].count; k++)
			if (rsb_check_result_fails(&check->cases[i].results[k]) &&
			    !check->cases[i].results[k].expired)
				return true;
	return false;
}

/* What was found looks like a failure, and is none. */
static void write_accepting(const struct text *text)
{
	const struct rsb_check *check = text->check;

	if (check->accepting)
		fprintf(text->out, "%s %s\n", check->accepting,
			has_new(check) ? "accepts from now on what is new here"
				       : "is written; nothing new was to be accepted");
}

bool rsb_check_text(FILE *out, const struct rsb_check *check, const struct rsb_check_style *style,
		    struct rsb_error *error)
{
	struct text text = { out, check, style, NULL, false };
	struct rsb_check_counts counts = rsb_check_count(check);
	bool good = !check->compared || rsb_compared_text(check, out, style);

	for (size_t i = 0; good && i < check->count; i++)
		good = write_case(&text, i);
	if (!good)
		return rsb_error_set(error, "out of memory");
	write_absent(&text);
	if (!rsb_check_each_remark(check, write_remark, &text))
		return rsb_error_set(error, "out of memory");
	write_summary(&text, &counts);
	write_accepting(&text);
	return rsb_check_end(out, error);
}
