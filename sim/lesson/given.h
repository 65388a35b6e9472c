/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lesson as it is given: its queries worked out, the numbers in its text, the output of its
 * commands. This is what the formats draw from.
 */
#ifndef RSB_SIM_LESSON_GIVEN_H
#define RSB_SIM_LESSON_GIVEN_H

#include "sim/lesson/lesson.h"

#define RSB_PREDICTION_MAX 80 /* bytes of a prediction that is kept */

struct rsb_given_block {
	const struct rsb_lesson_block *block;
	char *text;     /* with the numbers in it */
	char *output;   /* of a command */
	char *why;      /* of a question; NULL: there is nothing to say */
	char **choices; /* of a question, ended by NULL */
	struct rsb_value right;
	int right_choice; /* -1: a number is asked for */

	/* What was predicted, if anything was; set by rsb_given_predict(). */
	char prediction[RSB_PREDICTION_MAX];
	bool is_right;
};

struct rsb_given {
	const struct rsb_lesson *lesson;
	struct rsb_value *values; /* of its lets */
	struct rsb_given_block *blocks;
	size_t count;
	size_t questions, predicted, right;
};

/*
 * Runs a command line of a lesson and returns what it prints, to be freed. NULL: error. The library
 * knows no commands; a caller that has none gives a function that returns "".
 */
typedef char *rsb_lesson_runner(void *context, const char *command, struct rsb_error *error);

/* Works a lesson out; the lesson must outlive it. runner NULL: without commands' output. */
struct rsb_given *rsb_given_new(const struct rsb_lesson *lesson, rsb_lesson_runner *runner,
				void *context, struct rsb_error *error);
void rsb_given_free(struct rsb_given *given);

/* The value of a let. NULL: there is none of that name. */
const struct rsb_value *rsb_given_value(const struct rsb_given *given, const char *name);

/* The question of that name. NULL: there is none. */
struct rsb_given_block *rsb_given_question(const struct rsb_given *given, const char *name);

/*
 * Notes a prediction: a number, or a choice by its letter ("b") or its words. "" is none. False:
 * error says what is expected; it is then noted as it is, and is not right.
 */
bool rsb_given_predict(struct rsb_given *given, struct rsb_given_block *question,
		       const char *prediction, struct rsb_error *error);

#endif
