/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says how far long work is. */
#include "sim/cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define QUIET 1 /* seconds before anything is shown: short work stays silent */

void cli_progress_start(struct cli_progress *progress, const char *what)
{
	*progress = (struct cli_progress){ .what = what, .wanted = isatty(STDERR_FILENO) };
	clock_gettime(CLOCK_MONOTONIC, &progress->start);
}

/* Is anything to be shown by now? */
static bool is_late(const struct cli_progress *progress)
{
	struct timespec now;

	if (!progress->wanted)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - progress->start.tv_sec > QUIET;
}

void cli_progress_show(void *context, uint64_t done, uint64_t of)
{
	struct cli_progress *progress = context;

	if (!is_late(progress))
		return;
	fprintf(stderr, "\r%s: round %" PRIu64 " of %" PRIu64 "\033[K", progress->what, done, of);
	progress->shown = true;
}

void cli_progress_bar(void *context, uint64_t done, uint64_t of)
{
	static const char full[] = "########################################";
	struct cli_progress *progress = context;
	unsigned percent, marks;

	of = of ? of : progress->whole;
	if (!of || !is_late(progress))
		return;
	percent = done < of ? (unsigned)((double)done / (double)of * 100) : 100;
	if (progress->shown && percent == progress->percent)
		return;
	marks = percent * (sizeof(full) - 1) / 100;
	fprintf(stderr, "\r%s: [%-*.*s] %u %%\033[K", progress->what, (int)sizeof(full) - 1,
		(int)marks, full, percent);
	progress->percent = percent;
	progress->shown = true;
}

void cli_progress_end(struct cli_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
