/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture of a kernel with BPF programs attached: a core, NAME.core, and its symbols beside it,
 * NAME.kallsyms; either may be compressed, with ".xz" behind its name or the like. Each function
 * that a trampoline is attached to is a layout of that name.
 */
#ifndef RSB_SIM_IMAGE_CAPTURE_H
#define RSB_SIM_IMAGE_CAPTURE_H

#include "sim/image/layout.h"

/* Is that the name of a capture's core, compressed or not? */
bool rsb_capture_is(const char *path);

/*
 * The functions that begin with a call of, or a jump to, a BPF trampoline, sorted by name; ended by
 * NULL. NULL: error, also if there is none.
 */
char **rsb_capture_traced(const char *core, size_t *count, struct rsb_error *error);
void rsb_capture_traced_free(char **functions, size_t count);

/* The layout of one: called with zeroed memory of its own in rdi. NULL: error. */
struct rsb_layout *rsb_capture_layout(const char *core, const char *function,
				      struct rsb_error *error);

#endif
