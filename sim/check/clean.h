/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that came from files: names, paths, symbols. Every text of a check is cleaned where it comes
 * in, so that no terminal obeys it and every format can hold it.
 */
#ifndef RSB_SIM_CHECK_CLEAN_H
#define RSB_SIM_CHECK_CLEAN_H

/* Puts '?' in the place of control characters and of what is not UTF-8. Returns text. */
char *rsb_clean(char *text);

#endif
