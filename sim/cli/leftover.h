/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Temporary files that are not left behind where a signal ends the program: output that is not yet
 * whole (sim/cli/output.h). While there is one, the signals that end programs are caught, unless
 * somebody else has them already.
 */
#ifndef RSB_SIM_CLI_LEFTOVER_H
#define RSB_SIM_CLI_LEFTOVER_H

/* The path is the caller's, and stays until it is forgotten. */
void cli_leftover_add(const char *path);
void cli_leftover_forget(const char *path);

/* Removes them all; for handlers of signals. */
void cli_leftover_remove(void);

#endif
