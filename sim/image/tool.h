/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a program of the user's system, within bounds: an assembler, a preprocessor, a plotter. */
#ifndef RSB_SIM_IMAGE_TOOL_H
#define RSB_SIM_IMAGE_TOOL_H

#include "traces/util/error.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define RSB_TOOL_SECONDS    30                  /* that it may take ... */
#define RSB_TOOL_FILE_MAX   (256u << 20)        /* ... bytes of a file that it may write ... */
#define RSB_TOOL_MEMORY_MAX (UINT64_C(4) << 30) /* ... of memory ... */
#define RSB_TOOL_SAYS       8192                /* ... and of what it says that are kept */

enum rsb_tool_end {
	RSB_TOOL_DONE,   /* with status 0 */
	RSB_TOOL_FAILED, /* with another one, or by a signal */
	RSB_TOOL_ABSENT, /* there is no such program */
	RSB_TOOL_BROKEN, /* it could not be run, or took too long: error */
};

struct rsb_tool {
	const char *const *arguments; /* the first is the program, found by PATH; ends with NULL */
	FILE *in;  /* its standard input, from where the descriptor stands; NULL: nothing */
	FILE *out; /* its standard output; NULL: that is what it says, as standard error is */
};

/*
 * Runs it, without a shell. What it says is left in says, ended by a NUL. A signal that would end
 * this process ends the program first.
 */
enum rsb_tool_end rsb_tool_run(const struct rsb_tool *tool, char says[RSB_TOOL_SAYS],
			       struct rsb_error *error);

/*
 * Makes a folder for what programs write, below TMPDIR, or /tmp; the caller removes it. False:
 * error; the name does not fit into size, or there can be none.
 */
bool rsb_tool_folder(char *folder, size_t size, struct rsb_error *error);

/* The signals that a thread holds back. */
struct rsb_tool_hold {
	sigset_t before;
};

/*
 * Those that would end this process wait, so that the caller can still remove a folder, until ...
 */
void rsb_tool_hold(struct rsb_tool_hold *hold);

/* ... here. */
void rsb_tool_release(const struct rsb_tool_hold *hold);

#endif
