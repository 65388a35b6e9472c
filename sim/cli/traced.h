/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code of a program that was traced, out of the ELF files that --image names. */
#ifndef RSB_SIM_CLI_TRACED_H
#define RSB_SIM_CLI_TRACED_H

#include "sim/cli/options.h"
#include "sim/image/image.h"

/* An image a file, for files may overlap where a trace is of more than one program. */
struct cli_traced {
	struct rsb_image **images;
	size_t count;
};

/*
 * Loads files, each "FILE" or "FILE@ADDRESS": what is added to the addresses of a shared object or
 * a position-independent executable. Must be cleared even after an error.
 */
bool cli_traced_open(struct cli_traced *traced, const struct cli_words *files,
		     struct rsb_error *error);
void cli_traced_clear(struct cli_traced *traced);

/* What struct rsb_import wants of its code; of two files with code there, the first one's. */
size_t cli_traced_code(void *traced, uint64_t address, uint8_t *bytes, size_t size);

#endif
