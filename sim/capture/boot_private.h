/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The insides of a boot, for the files of sim/capture alone. */
#ifndef RSB_SIM_CAPTURE_BOOT_PRIVATE_H
#define RSB_SIM_CAPTURE_BOOT_PRIVATE_H

#include "sim/capture/boot.h"

#include <sys/types.h>

/* What is in the folder of a boot. */
enum rsb_boot_file {
	RSB_BOOT_CONSOLE, /* what the kernel says */
	RSB_BOOT_REPORT,  /* what our process tells; then, the symbols */
	RSB_BOOT_SAYS,    /* what QEMU says */
	RSB_BOOT_INITRD,
	RSB_BOOT_MEMORY,
	RSB_BOOT_FILES,
};

struct rsb_boot {
	volatile bool made;   /* the folder is there */
	volatile pid_t child; /* QEMU; 0: it does not run */
	int monitor;          /* our end of the socket; -1: none */
	char folder[200], files[RSB_BOOT_FILES][216];
};

/* Starts QEMU in the folder, with the other end of the monitor's socket. */
bool rsb_qemu_start(struct rsb_boot *boot, const struct rsb_boot_options *options,
		    struct rsb_error *error);

/* Waits until our process has told all. Error: QEMU ended, or time is over; what was said last. */
bool rsb_qemu_await(struct rsb_boot *boot, unsigned seconds, struct rsb_error *error);

/* Ends QEMU, if it still runs. It may be called by a signal's handler. */
void rsb_qemu_end(struct rsb_boot *boot);

/* Has our process told the last line yet? */
bool rsb_report_is_whole(const char *path);

/* Leaves the symbols of a whole report in the file. Error: what could not be attached, and why. */
bool rsb_report_read(const char *path, struct rsb_error *error);

/*
 * The last line of a file that says something, from the first one with this word if there is one.
 */
void rsb_report_last_words(const char *path, const char *word, char *out, size_t size);

#endif
