/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Misses against depth in words: for those who do not see the plot, for its legend, for reports. */
#include "sim/report/sweep.h"

#include "sim/report/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME       512
#define NAMED_MOST 3 /* layouts: of more, a title says how many */

static const char *misses(double number, char text[RSB_NUMBER_SIZE + 8])
{
	rsb_number_brief(text, RSB_NUMBER_SIZE, number, 2);
	return strcat(text, strcmp(text, "1") ? " misses" : " miss");
}

/* The same behind what was said of misses before: without the word. */
static const char *number(double misses, char text[RSB_NUMBER_SIZE])
{
	rsb_number_brief(text, RSB_NUMBER_SIZE, misses, 2);
	return text;
}

/* Where a deeper stack never helps: the words that sentence and knee share. */
static void write_helpless(char *out, size_t size, const struct rsb_sweep_curve *curve)
{
	char least[RSB_NUMBER_SIZE + 8], last[RSB_NUMBER_SIZE];

	misses(curve->knee.misses, least);
	if (curve->trend == RSB_SWEEP_FLAT)
		snprintf(out, size, "%s at every depth", least);
	else
		snprintf(out, size, "%s at depth %s, %s at depth %s: a deeper stack does not help",
			 least, curve->knee.depth, number(curve->deepest.misses, last),
			 curve->deepest.depth);
}

void rsb_sweep_knee_words(char *out, size_t size, const struct rsb_sweep *sweep, size_t row)
{
	char words[NAME], last[RSB_NUMBER_SIZE + 8];
	struct rsb_sweep_curve curve;

	*out = '\0';
	if (!rsb_sweep_curve(sweep, row, &curve))
		return;
	if (curve.trend == RSB_SWEEP_FALLING) {
		snprintf(out, size, "not reached, misses fall up to the deepest");
	} else if (curve.trend != RSB_SWEEP_KNEE) {
		write_helpless(words, sizeof(words), &curve);
		snprintf(out, size, "none, %s", words);
	} else if (curve.deepest.misses > curve.knee.misses) {
		snprintf(out, size, "%s, and deeper ones miss more: %s at depth %s",
			 curve.knee.depth, misses(curve.deepest.misses, last), curve.deepest.depth);
	} else {
		snprintf(out, size, "%s", curve.knee.depth);
	}
}

/* What is right of the knee, and it. */
static int write_deep(char *out, size_t size, const struct rsb_sweep_curve *curve)
{
	char least[RSB_NUMBER_SIZE + 8], last[RSB_NUMBER_SIZE];

	misses(curve->knee.misses, least);
	if (curve->trend == RSB_SWEEP_FALLING)
		return snprintf(out, size, "%s at depth %s, and perhaps fewer in deeper ones",
				least, curve->knee.depth);
	if (curve->deepest.misses > curve->knee.misses)
		return snprintf(out, size, "%s at depth %s, rising to %s at depth %s", least,
				curve->knee.depth, number(curve->deepest.misses, last),
				curve->deepest.depth);
	return snprintf(out, size, "%s from depth %s on", least, curve->knee.depth);
}

static void write_curve(char *out, size_t size, const struct rsb_sweep_curve *curve)
{
	char first[RSB_NUMBER_SIZE + 8], most[RSB_NUMBER_SIZE];
	int used;

	if (!curve->most.depth) {
		write_helpless(out, size, curve);
		return;
	}
	used = write_deep(out, size, curve);
	misses(curve->begins.misses, first);
	if (used > 0 && (size_t)used < size)
		used += snprintf(out + used, size - (size_t)used, "; %s at depth %s", first,
				 curve->begins.depth);
	if (used > 0 && (size_t)used < size && curve->most.depth != curve->begins.depth)
		snprintf(out + used, size - (size_t)used, ", up to %s at depth %s%s",
			 number(curve->most.misses, most), curve->most.depth,
			 curve->saturates ? " and below" : "");
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

char *rsb_sweep_title(const struct rsb_sweep *sweep)
{
	char *title = NULL;
	size_t size;
	FILE *out = open_memstream(&title, &size);

	if (!out)
		return NULL;
	if (sweep->subject_count > NAMED_MOST)
		fprintf(out, "%zu layouts", sweep->subject_count);
	for (size_t i = 0; sweep->subject_count <= NAMED_MOST && i < sweep->subject_count; i++)
		fprintf(out, "%s%s", i ? ", " : "", sweep->subjects[i]);
	if (!fclose(out))
		return title;
	free(title);
	return NULL;
}

char *rsb_sweep_plot_title(const struct rsb_sweep *sweep)
{
	static const char rest[] = ": mispredicted returns against the depth of the return stack";
	char *title = rsb_sweep_title(sweep);
	char *longer = title ? realloc(title, strlen(title) + sizeof(rest)) : NULL;

	if (!longer)
		free(title);
	return longer ? strcat(longer, rest) : NULL;
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
