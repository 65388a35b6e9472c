/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plot of misses against depth in words: for those who do not see it, and for its legend. */
#include "sim/report/sweep.h"

#include "sim/report/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME 512

static const char *misses(double number, char text[RSB_NUMBER_SIZE + 8])
{
	rsb_number_brief(text, RSB_NUMBER_SIZE, number, 2);
	return strcat(text, strcmp(text, "1") ? " misses" : " miss");
}

static void write_curve(char *out, size_t size, const struct rsb_sweep_curve *curve)
{
	char least[RSB_NUMBER_SIZE + 8], first[RSB_NUMBER_SIZE + 8], most[RSB_NUMBER_SIZE + 8];
	int used;

	misses(curve->knee.misses, least);
	if (!curve->most.depth) {
		snprintf(out, size, "%s at every depth from %s on", least, curve->knee.depth);
		return;
	}
	misses(curve->begins.misses, first);
	rsb_number_brief(most, sizeof(most), curve->most.misses, 2);
	used = snprintf(out, size,
			curve->reached ? "%s from depth %s on"
				       : "%s at depth %s, and perhaps fewer in deeper ones",
			least, curve->knee.depth);
	if (used > 0 && (size_t)used < size)
		used += snprintf(out + used, size - (size_t)used, "; %s at depth %s", first,
				 curve->begins.depth);
	if (used > 0 && (size_t)used < size && curve->most.depth != curve->begins.depth)
		snprintf(out + used, size - (size_t)used, ", up to %s at depth %s%s", most,
			 curve->most.depth, curve->saturates ? " and below" : "");
}

void rsb_sweep_sentence(char *out, size_t size, const struct rsb_sweep *sweep, size_t row)
{
	struct rsb_sweep_curve curve;
	size_t used;

	rsb_sweep_line_name(out, size, sweep, row);
	used = strlen(out);
	if (!rsb_sweep_curve(sweep, row, &curve) || used + 3 > size)
		return;
	memcpy(out + used, ": ", 3);
	write_curve(out + used + 2, size - used - 2, &curve);
}

char *rsb_sweep_plot_title(const struct rsb_sweep *sweep)
{
	size_t size = strlen(sweep->subject) + 80;
	char *title = malloc(size);

	if (title)
		snprintf(title, size,
			 "%s: mispredicted returns against the depth of the return stack",
			 sweep->subject);
	return title;
}

char *rsb_sweep_plot_words(const struct rsb_sweep *sweep)
{
	char *words = NULL, sentence[NAME + 256];
	size_t size;
	FILE *out = open_memstream(&words, &size);

	if (!out)
		return NULL;
	if (!sweep->trace)
		fputs("Per call of the traced function. ", out);
	for (size_t row = 0; row < sweep->count; row += rsb_sweep_line(sweep)) {
		rsb_sweep_sentence(sentence, sizeof(sentence), sweep, row);
		fprintf(out, "%s%s.", row ? " " : "", sentence);
	}
	if (!fclose(out))
		return words;
	free(words);
	return NULL;
}
