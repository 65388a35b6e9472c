/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the code of a Linux kernel for x86-64 says about itself, by its symbols and its bytes. */
#ifndef RSB_SIM_IMAGE_KERNEL_H
#define RSB_SIM_IMAGE_KERNEL_H

#include "sim/generate/forms.h"
#include "sim/image/image.h"

/*
 * The forms of a function's own code: how it returns, and whether calls are accounted. A function
 * that has no return of its own is taken for what the function returns by that it jumps to at its
 * end; one of which nothing can be told, for plain.
 */
bool rsb_kernel_forms(const struct rsb_image *image, uint64_t function, struct rsb_forms *forms,
		      struct rsb_error *error);

/*
 * The word of a return thunk by the kernel's name of it: "srso-alias" of srso_alias_return_thunk.
 */
void rsb_kernel_thunk_word(const char *symbol, char *out, size_t size);

/* The address of a symbol that may be absent. False: it is. */
bool rsb_kernel_symbol(const struct rsb_image *image, const char *wanted, uint64_t *address);

/* Marks the code of the kernel's mitigations. False: no memory. */
bool rsb_kernel_mitigate(struct rsb_image *image);

/*
 * Sets the GS base to that of the first processor: the first element of __per_cpu_offset. A kernel
 * without that symbol keeps 0. Error: the symbol is there, but not its page.
 */
bool rsb_kernel_find_gs_base(struct rsb_image *image, struct rsb_error *error);

/*
 * How system calls enter: at entry_SYSCALL_64, with the image's GS base as the kernel's. Makes the
 * functions return at once that use what the engine lacks, with a note. Error: what is missing.
 *
 * To run system calls over a whole core: an image of it, the GS base (above), this,
 * rsb_image_set_system(), and callers that make the call (struct rsb_callers: system). A layout
 * with "core" and "syscall" does just that (sim/image/layout.h).
 */
bool rsb_kernel_system(struct rsb_image *image, struct rsb_system *system, struct rsb_error *error);

#endif
