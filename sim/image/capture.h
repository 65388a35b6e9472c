/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture of a kernel with BPF programs attached: a core, NAME.core, and its symbols beside it,
 * NAME.kallsyms; either may be compressed, with ".xz" behind its name or the like. Each function
 * that a trampoline is attached to is a layout of that name.
 *
 * One that rsbsim took has pages of the functions that were called, and maybe the first page of
 * another that is traced too. So its symbols tell which were called, and these are its layouts.
 */
#ifndef RSB_SIM_IMAGE_CAPTURE_H
#define RSB_SIM_IMAGE_CAPTURE_H

#include "sim/image/layout.h"

/* A symbol of this name, and a function's behind it, at the function: it was called. */
#define RSB_CAPTURE_CALLED "rsb_captured."

/* Is that the name of a capture's core, compressed or not? */
bool rsb_capture_is(const char *path);

/*
 * The functions that were called when the capture was taken; where the symbols do not tell, those
 * that begin with a call of, or a jump to, a BPF trampoline. Sorted by name; ended by NULL. NULL:
 * error, also if there is none.
 */
char **rsb_capture_functions(const char *core, size_t *count, struct rsb_error *error);
void rsb_capture_functions_free(char **functions, size_t count);

/* The layout of one: called with zeroed memory of its own in rdi. NULL: error. */
struct rsb_layout *rsb_capture_layout(const char *core, const char *function,
				      struct rsb_error *error);

#endif
