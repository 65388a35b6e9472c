/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scores made by hand, and what is reported of them. */
#ifndef RSB_TESTS_REPORTED_H
#define RSB_TESTS_REPORTED_H

#include "sim/score/score.h"

/*
 * What a fexit trampoline that drops its frame costs: 1 + 0.08 misses in a loop, 1 + 8 going
 * up. The names are the caller's.
 */
struct rsb_score reported_score(const char *layout, const char *cpu, struct rsb_scenario scenario,
				double balance, double inside, double in_round);

/* Writes in a format; the text is to be freed. */
char *reported_text(const char *format, struct rsb_score *scores, size_t count, bool colour);

#endif
