/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was measured on this machine, for people. */
#include "sim/report/native.h"

#include "sim/report/number.h"
#include "sim/report/wrap.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *number(double value, int decimals, char out[RSB_NUMBER_SIZE])
{
	if (isnan(value))
		return "-";
	snprintf(out, RSB_NUMBER_SIZE, "%.*f", decimals, value);
	return out;
}

static void write_range(FILE *out, double low, double high, int width)
{
	char text[2 * RSB_NUMBER_SIZE + 8], a[RSB_NUMBER_SIZE], b[RSB_NUMBER_SIZE];

	snprintf(text, sizeof(text), "%s to %s", number(low, 2, a), number(high, 2, b));
	fprintf(out, " %*s", width, isnan(low) ? "-" : text);
}

static void write_host(FILE *out, const struct rsb_native *native, size_t columns)
{
	const struct rsb_host *host = &native->host;
	char line[512];

	snprintf(line, sizeof(line), "%s (%s family %u model %u%s), simulated as %s%s",
		 *host->name ? host->name : "this processor", host->vendor, host->family,
		 host->model, host->hypervisor ? ", under a hypervisor" : "", native->cpu,
		 native->own ? ", its own profile by cpuid" : "");
	rsb_wrap_write(out, line, 0, 2, columns);
}

/* A method's figures end here. */
#define HOW 37

static void write_penalty(FILE *out, const struct rsb_penalty *penalty, size_t columns)
{
	char a[RSB_NUMBER_SIZE];

	fprintf(out, "\na mispredicted return, in cycles, by method\n");
	for (int i = 0; i < RSB_PENALTY_METHODS; i++) {
		const struct rsb_penalty_method *method = &penalty->methods[i];

		fprintf(out, "%-10s %6s", method->name, number(method->cycles.median, 1, a));
		write_range(out, method->cycles.low, method->cycles.high, 17);
		fputs("  ", out);
		rsb_wrap_write(out, method->how, HOW, HOW, columns);
	}
	fprintf(out, "%-10s %6s", "unit", number(penalty->unit, 1, a));
	write_range(out, penalty->low, penalty->high, 17);
	fputs("  ", out);
	rsb_wrap_write(out, "what misses are counted in: the middle of them", HOW, HOW, columns);
}

static void write_row(FILE *out, const struct rsb_comparison *comparison,
		      const struct rsb_compared *compared, size_t index, bool counted)
{
	const struct rsb_comparison_row *row = &comparison->rows[index];
	char a[4][RSB_NUMBER_SIZE];
	bool more = counted || comparison->scenario.batch > 1, tied;
	const char *mark = row->twin ? more ? " " : "" : "*";
	size_t rank = rsb_agreement_rank(compared, comparison->count, index, &tied);

	fprintf(out, "%-28s %9s %8s", row->layout, number(row->simulated, 2, a[0]),
		number(row->misses.median, 2, a[1]));
	write_range(out, row->misses.low, row->misses.high, 16);
	fprintf(out, " %4zu%s", rank, tied ? "=" : " ");
	fprintf(out, " %8s %8s%s", number(row->cycles.median, 1, a[2]),
		number(row->baseline.median, 1, a[3]), mark);
	if (comparison->scenario.batch > 1)
		write_range(out, row->across_low, row->across_high, 16);
	if (counted)
		fprintf(out, " %8s", row->counted ? number(row->mispredicted, 2, a[0]) : "-");
	fputc('\n', out);
}

static void write_table(FILE *out, const struct rsb_comparison *comparison,
			const struct rsb_compared *compared)
{
	bool counted = false, other = false;

	for (size_t i = 0; i < comparison->count; i++) {
		counted |= comparison->rows[i].counted;
		other |= !comparison->rows[i].twin && !comparison->rows[i].refused;
	}
	fprintf(out, "%-28s %9s %8s %16s %5s %8s %8s%s", "misses and cycles a call", "simulated",
		"measured", "range", "rank", "cycles", "baseline",
		counted || comparison->scenario.batch > 1 ? " " : "");
	if (comparison->scenario.batch > 1)
		fprintf(out, " %16s", "by alignment");
	fprintf(out, "%s\n", counted ? "  counted" : "");
	for (size_t i = 0; i < comparison->count; i++)
		if (!comparison->rows[i].refused)
			write_row(out, comparison, compared, i, counted);
	if (other)
		fprintf(out, "* against plain-call, so that the code's own work is counted too\n");
}

static void write_agreement(FILE *out, const struct rsb_comparison *comparison, size_t columns)
{
	const struct rsb_agreement *agreement = &comparison->agreement;
	char line[256], a[3][RSB_NUMBER_SIZE];

	if (!agreement->count)
		return;
	fprintf(out, "agreement of %zu: correlation %s, mean error %s, worst %s (%s)\n",
		agreement->count, number(agreement->correlation, 3, a[0]),
		number(agreement->mean_error, 2, a[1]), number(agreement->worst_error, 2, a[2]),
		comparison->rows[agreement->worst].layout);
	snprintf(line, sizeof(line),
		 "further off than half a miss and a tenth: %zu; order kept in %zu of %zu pairs "
		 "a miss or more apart",
		 agreement->beyond, agreement->kept, agreement->pairs);
	rsb_wrap_write(out, line, 0, 2, columns);
}

static bool write_comparison(FILE *out, const struct rsb_native *native,
			     const struct rsb_comparison *comparison, size_t columns)
{
	struct rsb_compared *compared = calloc(comparison->count + 1, sizeof(*compared));
	const char *doubt = rsb_native_doubt(native, comparison);
	char line[1300], a[RSB_NUMBER_SIZE];

	if (!compared)
		return false;
	for (size_t i = 0; i < comparison->count; i++)
		compared[i] = (struct rsb_compared){ comparison->rows[i].simulated,
						     comparison->rows[i].misses };
	fprintf(out, "\ndepth %u, batch %u\n", comparison->scenario.depth,
		comparison->scenario.batch);
	if (comparison->samples) {
		write_table(out, comparison, compared);
		if (*doubt)
			rsb_wrap_write(out, doubt, 0, 2, columns);
		else
			write_agreement(out, comparison, columns);
		fprintf(out,
			"dropped: %zu of %zu samples; a twin's jump costs %s cycles more than a "
			"return\n",
			comparison->dropped, comparison->samples, number(comparison->jump, 2, a));
	}
	for (size_t i = 0; i < comparison->count; i++)
		if (comparison->rows[i].refused) {
			snprintf(line, sizeof(line), "not run: %s: %s", comparison->rows[i].layout,
				 comparison->rows[i].why.text);
			rsb_wrap_write(out, line, 0, 2, columns);
		}
	free(compared);
	return true;
}

bool rsb_native_text(FILE *out, const struct rsb_native *native, size_t columns,
		     struct rsb_error *error)
{
	char line[256];

	write_host(out, native, columns);
	write_penalty(out, &native->penalty, columns);
	for (size_t i = 0; i < native->count; i++)
		if (!write_comparison(out, native, native->comparisons[i], columns))
			return rsb_error_set(error, "out of memory");
	snprintf(line, sizeof(line),
		 "%u visit%s of %u samples each; %s of the processors' time was stolen",
		 native->visits, native->visits == 1 ? "" : "s", native->samples,
		 isnan(native->stolen)  ? "an unknown part"
		 : native->stolen < .01 ? "less than a hundredth"
		 : native->stolen < .2  ? "less than a fifth"
					: "more than a fifth");
	fputc('\n', out);
	rsb_wrap_write(out, line, 0, 2, columns);
	return !ferror(out) || rsb_error_set(error, "%s", strerror(errno));
}
