/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files kept inside the library: the CPU profiles, the layouts, the lessons and the parts of a
 * page. The tables are written at build time by build-aux/embed.sh from models/cpus/, sim/layouts/,
 * sim/lessons/ and sim/see/page/, sorted by name, ended by a row without a name.
 */
#ifndef RSB_TRACES_UTIL_BUILTIN_H
#define RSB_TRACES_UTIL_BUILTIN_H

#include <stddef.h>

struct rsb_builtin {
	const char *name; /* of the file, without folder and ending; of the part */
	const char *text; /* its bytes; a NUL follows */
	size_t size;
};

extern const struct rsb_builtin rsb_builtin_cpus[];
extern const struct rsb_builtin rsb_builtin_layouts[];
extern const struct rsb_builtin rsb_builtin_lessons[];

/*
 * A page is made of its document (page.html, which says where the rest goes), all its scripts and
 * all its styles, and the hashes by which its policy knows these two.
 */
extern const struct rsb_builtin rsb_builtin_page[];

/* The names alone, as the tables' makers also write them: ended by NULL. */
extern const char *const rsb_builtin_cpu_names[];
extern const char *const rsb_builtin_layout_names[];
extern const char *const rsb_builtin_lesson_names[];

#endif
