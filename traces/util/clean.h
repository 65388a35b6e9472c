/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that came from files: names, paths, symbols. What will be shown is cleaned where it comes
 * in, so that no terminal obeys it and every format can hold it.
 */
#ifndef RSB_TRACES_UTIL_CLEAN_H
#define RSB_TRACES_UTIL_CLEAN_H

#include <stddef.h>

/* Puts '?' in the place of control characters and of what is not UTF-8. Returns text. */
char *rsb_clean(char *text);

/* The bytes of the character at the start of text; 0: rsb_clean() would not let it stay. */
size_t rsb_clean_character(const char *text);

#endif
