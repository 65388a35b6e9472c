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

void cli_progress_show(void *context, uint64_t done, uint64_t of)
{
	struct cli_progress *progress = context;
	struct timespec now;

	if (!progress->wanted)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec - progress->start.tv_sec <= QUIET)
		return;
	fprintf(stderr, "\r%s: round %" PRIu64 " of %" PRIu64 "\033[K", progress->what, done, of);
	progress->shown = true;
}

void cli_progress_end(struct cli_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
