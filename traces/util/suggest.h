/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that are looked up, and the nearest known ones where there is no such name. */
#ifndef RSB_TRACES_UTIL_SUGGEST_H
#define RSB_TRACES_UTIL_SUGGEST_H

#include "traces/util/error.h"

/*
 * Writes the known names nearest to name (at most three, by edit distance or common start, or with
 * name in them; all of them if they are few and none is near, and none if they are many) as "a, b
 * or c" into out. known ends with NULL.
 */
void rsb_suggest(const char *name, const char *const *known, char *out, size_t size);

/* The message about an unknown name: "unknown WHAT 'NAME': expected ...". Always NULL. */
void *rsb_unknown(struct rsb_error *error, const char *what, const char *name,
		  const char *const *known);

#define RSB_ROWS_MAX 32

/*
 * The row of that name in a table whose rows, of this size, begin with their names and end with
 * NULL in the place of one. NULL: there is none; error says what is unknown.
 */
const void *rsb_row_find(const void *rows, size_t size, const char *what, const char *name,
			 struct rsb_error *error);

#endif
