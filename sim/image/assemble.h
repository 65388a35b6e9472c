/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assembles a file by the system's assembler. */
#ifndef RSB_SIM_IMAGE_ASSEMBLE_H
#define RSB_SIM_IMAGE_ASSEMBLE_H

#include "sim/image/file.h"

struct rsb_assembled {
	struct rsb_file object; /* the ELF file */
	char warnings[1024];    /* "" if there are none */
};

/*
 * Assembles the file at path; one that ends in .S or .sx goes through the preprocessor. False:
 * error is what the assembler said of the first line that it refused.
 */
bool rsb_assemble(const char *path, bool intel, struct rsb_assembled *out, struct rsb_error *error);

#endif
