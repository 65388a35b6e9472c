/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nearest known names, for messages about an unknown one. */
#ifndef RSB_TRACES_UTIL_SUGGEST_H
#define RSB_TRACES_UTIL_SUGGEST_H

#include <stddef.h>

/*
 * Writes the known names nearest to name (at most three, by edit distance or common start, or with
 * name in them; all of them if they are few and none is near, and none if they are many) as "a, b or c" into out. known ends with NULL.
 */
void rsb_suggest(const char *name, const char *const *known, char *out, size_t size);

#endif
