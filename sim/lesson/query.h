/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A query: a question about layouts and CPUs in words, worked out when it is asked.
 *
 *	misses of bpf-fexit-skip on intel-haswell in unwind
 *	misses_inside of recursion-24 on intel-haswell with underflow=none below 0
 *	fewest of bpf-fexit-skip, bpf-fexit-jmp on amd-zen3 by srso-alias
 *	a + b
 *
 * The words are in rsbsim-lesson(1).
 */
#ifndef RSB_SIM_LESSON_QUERY_H
#define RSB_SIM_LESSON_QUERY_H

#include "sim/scenario.h"
#include "traces/util/error.h"

#define RSB_QUERY_SUBJECTS_MAX 8
#define RSB_QUERY_SETTINGS_MAX 8

struct rsb_query_asks;

/* All texts are those of the line that was read, cut up. */
struct rsb_query {
	const struct rsb_query_asks *asks;                /* what kind of query it is */
	const char *figure;                               /* the word before "of" */
	const char *subjects[RSB_QUERY_SUBJECTS_MAX + 1]; /* layouts, or a CPU; ended by NULL */
	const char *cpu;                                  /* NULL: none was named */
	const char *settings[RSB_QUERY_SETTINGS_MAX + 1]; /* "name=value", ended by NULL */
	const char *return_thunk;                         /* NULL: the layout's own */
	bool scenario_given;
	struct rsb_scenario scenario;
	const char *left, *right; /* of a sum: names */
	bool minus;
};

/* What a query found. */
struct rsb_value {
	bool is_number;
	double number;
	char text[160]; /* as it is shown */
};

/* Reads a line, which it cuts up. False: error says what was expected. */
bool rsb_query_parse(struct rsb_query *query, char *line, struct rsb_error *error);

/* The same of what stands behind "FIGURE of". */
bool rsb_query_parse_rest(struct rsb_query *query, const char *figure, char *rest,
			  struct rsb_error *error);

/* Works out a query that is no sum (asks not NULL). */
bool rsb_query_answer(const struct rsb_query *query, struct rsb_value *value,
		      struct rsb_error *error);

/* A number as it is shown. */
void rsb_value_set(struct rsb_value *value, double number);

#endif
