/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says how far long work is, on a terminal only. */
#ifndef RSB_SIM_CLI_PROGRESS_H
#define RSB_SIM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct cli_progress {
	const char *what; /* the layout */
	struct timespec start;
	bool wanted, shown;
	uint64_t whole;   /* what a bar stands for where its callback does not know; 0: not known */
	unsigned percent; /* that a bar shows */
};

void cli_progress_start(struct cli_progress *progress, const char *what);

/* A callback of struct rsb_run_options. */
void cli_progress_show(void *progress, uint64_t done, uint64_t of);

/* The same of struct rsb_sweep_options, as a bar. */
void cli_progress_bar(void *progress, uint64_t done, uint64_t of);

/* Takes the line away. */
void cli_progress_end(struct cli_progress *progress);

#endif
