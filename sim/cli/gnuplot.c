/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs gnuplot. */
#include "sim/cli/gnuplot.h"

#include "sim/image/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const char *cli_gnuplot_terminal(const char *path, struct rsb_error *error)
{
	static const char *const terminals[] = { "svg", "png" };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(terminals) / sizeof(*terminals); i++)
		if (!strcasecmp(dot + 1, terminals[i]))
			return terminals[i];
	return rsb_error_null(error, "--plot: expected a file that ends in .svg or .png, got '%s'",
			      path);
}

/* The first line that says something; a caret only points at what is wrong. */
static const char *pick(const char *says, int *length)
{
	says += strspn(says, " \t\r\n^");
	*length = (int)strcspn(says, "\r\n");
	return says;
}

static const char *choose_program(void)
{
	const char *own = getenv("GNUPLOT");

	if (own && *own)
		return own;
	return access(GNUPLOT, X_OK) ? "gnuplot" : GNUPLOT;
}

bool cli_gnuplot_run(FILE *script, FILE *out, struct rsb_error *error)
{
	const char *const arguments[] = { choose_program(), NULL };
	const struct rsb_tool tool = { arguments, script, out };
	char says[RSB_TOOL_SAYS];
	const char *line;
	int length;

	/* The descriptor's own place in the file is what the child reads from. */
	if (fflush(script) || fflush(out) || lseek(fileno(script), 0, SEEK_SET))
		return rsb_error_set(error, "--plot: %s", strerror(errno));
	switch (rsb_tool_run(&tool, says, error)) {
	case RSB_TOOL_DONE:
		return true;
	case RSB_TOOL_ABSENT:
		return rsb_error_set(error,
				     "--plot: cannot run %s: expected gnuplot (Debian: "
				     "gnuplot-nox)",
				     arguments[0]);
	case RSB_TOOL_FAILED:
		line = pick(says, &length);
		if (!length)
			return rsb_error_set(error, "--plot: %s failed, and said nothing",
					     arguments[0]);
		return rsb_error_set(error, "--plot: %s failed: %.*s", arguments[0], length, line);
	default:
		return rsb_error_prefix(error, "--plot");
	}
}
