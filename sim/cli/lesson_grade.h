/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Grades what rsbsim lesson -o wrote. */
#ifndef RSB_SIM_CLI_LESSON_GRADE_H
#define RSB_SIM_CLI_LESSON_GRADE_H

#include "traces/util/error.h"

/*
 * The operands are files of predictions, and files of lessons (.lesson) that are none of the
 * built-in ones. Writes text, JSON or comma-separated values to output (NULL: standard output).
 */
bool cli_lesson_grade(const char *format, const char *output, int argc, char **argv,
		      struct rsb_error *error);

#endif
