/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which file does a name stand for? */
#ifndef RSB_SIM_CLI_FOLLOW_H
#define RSB_SIM_CLI_FOLLOW_H

#include "traces/util/error.h"

/*
 * Symbolic links are followed, also to a file that is not there yet: what writes it then leaves the
 * links as they are. The caller frees the path. NULL: error, as of links that lead in a circle.
 */
char *cli_follow(const char *path, struct rsb_error *error);

/* Ends a path where its folder's name ends; "." is that of a name without one. It is not empty. */
void cli_follow_cut(char *path);

#endif
