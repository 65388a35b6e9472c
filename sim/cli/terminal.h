/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What standard output can show. */
#ifndef RSB_SIM_CLI_TERMINAL_H
#define RSB_SIM_CLI_TERMINAL_H

#include <stdbool.h>

/*
 * Is it a terminal that colour is wanted on? NO_COLOR (https://no-color.org) and TERM=dumb say no.
 */
bool cli_terminal_colour(void);

/* Columns of the terminal, but no fewer than 80; 100 where there is none. */
unsigned cli_terminal_columns(void);

/* Its rows; 0: there is none, or it does not say. */
unsigned cli_terminal_rows(void);

/* From here on it is so wide, whatever it is. */
void cli_terminal_set_columns(unsigned columns);

#endif
