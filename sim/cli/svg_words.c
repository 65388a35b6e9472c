/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The title and the description of a plot in SVG. */
#include "sim/cli/svg_words.h"

#include "sim/report/markup.h"

#include <errno.h>
#include <string.h>

#define LINE 4096

static void write_element(FILE *to, const char *name, const char *text)
{
	fprintf(to, "<%s>", name);
	rsb_markup_text(to, text);
	fprintf(to, "</%s>\n", name);
}

/* Of what is drawn, "gnuplot_plot_1" tells nobody anything. */
static void write_drawn(FILE *to, const char *line)
{
	const char *title = strstr(line, "<title>gnuplot_");

	if (title)
		fprintf(to, "%.*s\n", (int)(title - line), line);
	else
		fputs(line, to);
}

/* gnuplot writes each of the two as a line of its own, before all that is drawn. */
bool cli_svg_words(FILE *from, FILE *to, const char *title, const char *words,
		   struct rsb_error *error)
{
	char line[LINE];

	rewind(from);
	while (fgets(line, sizeof(line), from)) {
		if (!strncmp(line, "<title>", 7) && title)
			write_element(to, "title", title);
		else if (!strncmp(line, "<desc>", 6) && title)
			write_element(to, "desc", words);
		else
			write_drawn(to, line);
		if (!strncmp(line, "<desc>", 6))
			title = NULL;
	}
	return (!ferror(from) && !ferror(to)) ||
	       rsb_error_set(error, "--plot: %s", strerror(errno));
}
