/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of lessons. */
#ifndef RSB_SIM_CLI_LESSON_LIST_H
#define RSB_SIM_CLI_LESSON_LIST_H

#include "traces/util/error.h"

/* Writes it as text or JSON to output (NULL: standard output). */
bool cli_lesson_list(const char *format, const char *output, struct rsb_error *error);

#endif
