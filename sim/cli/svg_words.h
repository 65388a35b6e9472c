/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a plot in SVG says of itself to those who do not see it: its title and description, which
 * gnuplot fills with its own name and version.
 */
#ifndef RSB_SIM_CLI_SVG_WORDS_H
#define RSB_SIM_CLI_SVG_WORDS_H

#include "traces/util/error.h"

#include <stdio.h>

/*
 * Copies from its start on, with this title and description in the place of those that are there.
 */
bool cli_svg_words(FILE *from, FILE *to, const char *title, const char *words,
		   struct rsb_error *error);

#endif
