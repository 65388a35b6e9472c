/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boots a kernel under QEMU, without acceleration, with BPF programs attached, and dumps its
 * memory with virtual addresses: a core and symbols to take a capture from. The guest has one
 * process, ours (sim/capture/guest/init.c), and neither disk nor network.
 *
 *	boot = rsb_boot_new();
 *	if (rsb_boot_run(boot, &options, &error))
 *		... rsb_boot_core(boot), rsb_boot_symbols(boot) ...
 *	rsb_boot_free(boot);
 */
#ifndef RSB_SIM_CAPTURE_BOOT_H
#define RSB_SIM_CAPTURE_BOOT_H

#include "traces/util/error.h"

#define RSB_BOOT_SECONDS  600 /* that it may take, unless options say otherwise */
#define RSB_BOOT_ATTACHED 256 /* programs, at the most */

/* A BPF program that does nothing, attached to a function. */
struct rsb_attach {
	const char *kind;     /* one of rsb_attach_kinds */
	const char *function; /* of the kernel itself, not of a module */
};

extern const char *const rsb_attach_kinds[]; /* ended by NULL */

struct rsb_boot_options {
	const char *kernel;    /* a bzImage */
	const char *cpu_model; /* QEMU's name of it; NULL: QEMU's own choice */
	const char *arguments; /* of the kernel, beside those that are needed; NULL: none */
	const struct rsb_attach *attach;
	size_t count;
	unsigned seconds; /* that it may take, and the dump too; 0: RSB_BOOT_SECONDS */
	void (*progress)(void *context, const char *what); /* may be NULL */
	void *context;
};

struct rsb_boot;

/* Can kernels be booted: is the guest's process built in? */
bool rsb_boot_is_built_in(void);

struct rsb_boot *rsb_boot_new(void); /* NULL: no memory */

/*
 * Boots, attaches, dumps and ends the guest. Error: there is no QEMU, or what it says; what the
 * kernel said last; a program that could not be attached, with its function and why; time is over.
 */
bool rsb_boot_run(struct rsb_boot *boot, const struct rsb_boot_options *options,
		  struct rsb_error *error);

/* The files, until the boot is freed. */
const char *rsb_boot_core(const struct rsb_boot *boot);
const char *rsb_boot_symbols(const struct rsb_boot *boot);

/* Ends QEMU and removes the files. It may be called by a signal's handler, before an exit. */
void rsb_boot_abandon(struct rsb_boot *boot);

/* The same, and frees it. */
void rsb_boot_free(struct rsb_boot *boot);

#endif
