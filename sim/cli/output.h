/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output that is there whole or not at all: it is written to a temporary file, which is renamed, or
 * copied to standard output, when all is well.
 */
#ifndef RSB_SIM_CLI_OUTPUT_H
#define RSB_SIM_CLI_OUTPUT_H

#include "traces/util/error.h"

#include <stdio.h>

struct cli_output {
	FILE *stream;
	const char *name; /* as the caller has it, and keeps it */
	char *path;       /* with links followed; NULL: standard output */
	char *temporary; /* beside path; NULL: stream is path itself (a device, a pipe) or nameless */
};

/*
 * Names the files that the command reads, its operands (ended by NULL, kept by the caller): none of
 * them is written over by what is opened from here on.
 */
void cli_output_spare(char *const *operands);

/* One more of them, which an option names. */
void cli_output_spare_file(const char *path);

/*
 * Before long work: is there any hope that the file can be written, and is it none of those that
 * are read, as far as they were named? Nothing is opened, as what it is could be a pipe, whose
 * reader would see it end.
 */
bool cli_output_check(const char *path, struct rsb_error *error);

/*
 * The same, and the file, whose name the caller keeps, is looked at again when ... What has the
 * same owner, as an option that is given once more, takes its place.
 */
bool cli_output_want(const void *owner, const char *path, struct rsb_error *error);

/* ... more of those that are read are named, or all of those that are written. */
bool cli_output_check_wanted(struct rsb_error *error);

/* Of a file that nobody wants yet: is it none of those that are wanted? */
bool cli_output_check_other(const char *path, struct rsb_error *error);

/* path is NULL or "-" for standard output. */
bool cli_output_open(struct cli_output *output, const char *path, struct rsb_error *error);

/* Ends it: commit says whether what was written is wanted. False: it could not be written. */
bool cli_output_close(struct cli_output *output, bool commit, struct rsb_error *error);

/* All of it: what write() writes of a thing is wanted if that returns true. */
bool cli_output_write(const char *path,
		      bool (*write)(FILE *out, const void *thing, struct rsb_error *error),
		      const void *thing, struct rsb_error *error);

#endif
