/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are given as layouts and are something else: how they are to be given. */
#ifndef RSB_SIM_CLI_OTHER_H
#define RSB_SIM_CLI_OTHER_H

#include "traces/util/error.h"

/* False: the word names a file of code, or a trace; the error says with which option it goes. */
bool cli_other_check(const char *word, struct rsb_error *error);

#endif
