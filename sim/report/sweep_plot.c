/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep as a script for gnuplot: misses against depth. Lines differ in colour, dashes and
 * points, so that they can be told apart by those who see colours otherwise, and in print. The
 * colours are the set of Okabe and Ito, Color Universal Design (jfly.uni-koeln.de/color, 2008),
 * without yellow, which is faint on white.
 */
#include "sim/report/sweep.h"

#include "sim/report/formats.h"
#include "sim/report/number.h"

#include <ctype.h>
#include <stdlib.h>

#define LINES_MAX   40
#define NAME        512
#define HEIGHT      640 /* pixels */
#define NAMES_FIT   8   /* lines whose names leave room enough for the chart */
#define NAME_HEIGHT 20

static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
				       "#e69f00", "#56b4e9", "#000000" };

#define COLOURS      (sizeof(colours) / sizeof(*colours))
#define DASHES       5  /* that gnuplot has */
#define POINTS       13 /* kinds of points */
#define POINTS_SHOWN 16 /* of a line: more would hide its dashes */

/* In single quotes gnuplot reads all but these as it is. */
static void write_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', out);
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
	}
	fputc('\'', out);
}

static void write_data(FILE *out, const struct rsb_sweep *sweep, size_t row, size_t number)
{
	const struct rsb_axis *depths = rsb_grid_depths(&sweep->grid);

	fprintf(out, "$line%zu << END\n", number);
	for (size_t i = 0; i < depths->count; i++) {
		char misses[RSB_NUMBER_SIZE];

		rsb_number_data(misses, sizeof(misses), sweep->rows[row + i].misses);
		fprintf(out, "%s %s\n", depths->values[i], misses);
	}
	fputs("END\n", out);
}

static void write_line(FILE *out, const struct rsb_sweep *sweep, size_t row, size_t number)
{
	size_t line = rsb_sweep_line(sweep);
	const char *knee = rsb_sweep_knee(sweep, row);
	char name[NAME], title[NAME + 64];

	rsb_sweep_line_name(name, sizeof(name), sweep, row);
	snprintf(title, sizeof(title), "%s: %s%s", name, knee ? "knee " : "no knee",
		 knee ? knee : "");
	fprintf(out,
		"%s$line%zu using 1:2 smooth unique with linespoints lw 2 dt %zu pt %zu pi %zu "
		"lc rgb '%s' title ",
		number ? ", \\\n\t" : "plot ", number, number % DASHES + 1, number % POINTS + 1,
		line / POINTS_SHOWN + 1, colours[number % COLOURS]);
	write_quoted(out, title);
}

/* A ring around the knee of each line, in its colour. */
static void write_knee(FILE *out, const struct rsb_sweep *sweep, size_t row, size_t number)
{
	struct rsb_sweep_curve curve;
	char misses[RSB_NUMBER_SIZE];

	if (!rsb_sweep_curve(sweep, row, &curve) || curve.trend != RSB_SWEEP_KNEE)
		return;
	rsb_number_data(misses, sizeof(misses), curve.knee.misses);
	fprintf(out,
		"set label %zu '' at first %s, first %s point pt 6 ps 2 lw 2 lc rgb '%s' front\n",
		number + 1, curve.knee.depth, misses, colours[number % COLOURS]);
}

/*
 * The plain terminal for PNG draws no dashes; the better one may not be built in. The names of many
 * lines below the chart make the picture higher.
 */
static void write_terminal(FILE *out, const char *terminal, size_t lines)
{
	size_t height = HEIGHT + (lines > NAMES_FIT ? (lines - NAMES_FIT) * NAME_HEIGHT : 0);

	fprintf(out,
		"if (strstrt(GPVAL_TERMINALS, '%scairo')) set terminal %scairo size 960,%zu "
		"noenhanced; else set terminal %s size 960,%zu noenhanced background rgb 'white'\n",
		terminal, terminal, height, terminal, height);
}

static void write_settings(FILE *out, const struct rsb_sweep *sweep, const char *title)
{
	fputs("set title ", out);
	write_quoted(out, title);
	fprintf(out,
		"\nset xlabel 'depth of the return stack' offset 0,0.4\nset ylabel '%s'\n"
		"set grid\nset yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n"
		"set key below left Left reverse\n",
		sweep->trace ? "mispredicted returns"
			     : "mispredicted returns per call of the traced function");
}

bool rsb_sweep_plot_check(const struct rsb_sweep *sweep, struct rsb_error *error)
{
	size_t line = rsb_sweep_line(sweep), lines = sweep->count / line;

	if (line < 2)
		return rsb_error_set(error,
				     "a plot needs a swept depth: expected --set depth=1..64");
	return lines <= LINES_MAX ||
	       rsb_error_set(error,
			     "a plot of %zu lines cannot be read: expected at most %d, of fewer "
			     "layouts, CPUs or scenarios",
			     lines, LINES_MAX);
}

bool rsb_sweep_plot(FILE *out, const struct rsb_sweep *sweep, const char *terminal,
		    struct rsb_error *error)
{
	size_t line = rsb_sweep_line(sweep), lines = sweep->count / line;
	char *title;

	if (!rsb_sweep_plot_check(sweep, error))
		return false;
	title = rsb_sweep_title(sweep);
	if (!title)
		return rsb_error_set(error, "out of memory");
	write_terminal(out, terminal, lines);
	write_settings(out, sweep, title);
	free(title);
	for (size_t i = 0; i < lines; i++)
		write_data(out, sweep, i * line, i);
	for (size_t i = 0; i < lines; i++)
		write_knee(out, sweep, i * line, i);
	for (size_t i = 0; i < lines; i++)
		write_line(out, sweep, i * line, i);
	fputc('\n', out);
	return rsb_report_end(out, error);
}
