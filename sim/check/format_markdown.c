/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check for a comment on a change: the comparison, then the findings. */
#include "sim/check/compared.h"
#include "sim/check/format.h"
#include "sim/check/group.h"
#include "sim/check/remarks.h"
#include "sim/report/markup.h"

#include <stdlib.h>

static bool write_row(FILE *out, const struct rsb_check *check, size_t index, size_t number)
{
	const struct rsb_check_case *one = &check->cases[index];
	const struct rsb_check_result *result = &one->results[number];
	char *cpus = rsb_group_cpus(check, index, number);
	char line[4096];

	if (!cpus)
		return false;
	rsb_check_line(line, sizeof(line), result);
	fputs("| ", out);
	rsb_markdown_text(out, one->layout);
	fprintf(out, " | %s %s %s | ",
		rsb_check_result_fails(result) ? rsb_level_name(result->level) : "(accepted)",
		result->rule->id, result->rule->name);
	rsb_markdown_cell(out, line);
	fputs(" | ", out);
	rsb_markdown_text(out, cpus);
	fputs(" |\n", out);
	free(cpus);
	return true;
}

static bool write_results(FILE *out, const struct rsb_check *check)
{
	bool headed = false, good = true;

	for (size_t i = 0; i < check->count; i++) {
		for (size_t k = 0; good && k < check->cases[i].count; k++) {
			if (check->cases[i].results[k].level == RSB_LEVEL_NOTE ||
			    !rsb_group_is_first(check, i, k))
				continue;
			if (!headed)
				fputs("| layout | rule | finding | on |\n|:--|:--|:--|:--|\n", out);
			headed = true;
			good = write_row(out, check, i, k);
		}
	}
	if (headed)
		fputc('\n', out);
	return good;
}

static void write_trouble(FILE *out, const struct rsb_check *check)
{
	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		if (!one->trouble)
			continue;
		fputs("- trouble: ", out);
		rsb_markdown_text(out, one->layout);
		fputs(": ", out);
		rsb_markdown_prose(out, one->trouble);
		fputc('\n', out);
	}
}

static void write_remark(void *out, const char *line)
{
	fputs("- ", out);
	rsb_markdown_prose(out, line);
	fputc('\n', out);
}

static void write_summary(FILE *out, const struct rsb_check *check)
{
	struct rsb_check_counts counts = rsb_check_count(check);

	fprintf(out, "**rsbsim check**: errors: %zu, warnings: %zu, notes: %zu, accepted: %zu",
		counts.errors, counts.warnings, counts.notes, counts.accepted);
	if (check->compared)
		fprintf(out, "; worse: %zu, better: %zu, same: %zu, added: %zu, gone: %zu",
			counts.changes[RSB_CHANGE_WORSE], counts.changes[RSB_CHANGE_BETTER],
			counts.changes[RSB_CHANGE_SAME], counts.changes[RSB_CHANGE_ADDED],
			counts.changes[RSB_CHANGE_GONE]);
	fputs("\n\n", out);
}

bool rsb_check_markdown(FILE *out, const struct rsb_check *check,
			const struct rsb_check_style *style, struct rsb_error *error)
{
	(void)style;
	write_summary(out, check);
	if (check->compared)
		rsb_compared_markdown(check, out);
	if (!write_results(out, check))
		return rsb_error_set(error, "out of memory");
	write_trouble(out, check);
	if (!rsb_check_each_remark(check, write_remark, out))
		return rsb_error_set(error, "out of memory");
	return rsb_check_end(out, error);
}
