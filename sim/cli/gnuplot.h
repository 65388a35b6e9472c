/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gnuplot, which is a program of its own and may not be there. */
#ifndef RSB_SIM_CLI_GNUPLOT_H
#define RSB_SIM_CLI_GNUPLOT_H

#include "traces/util/error.h"

#include <stdio.h>

/* What the plot is by the end of its file's name: "svg" or "png". NULL: error. */
const char *cli_gnuplot_terminal(const char *path, struct rsb_error *error);

/*
 * Runs it on a script, from the start of the stream on; what it draws goes to out. It is $GNUPLOT,
 * or the one that configure found, or gnuplot in $PATH.
 */
bool cli_gnuplot_run(FILE *script, FILE *out, struct rsb_error *error);

#endif
