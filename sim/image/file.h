/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole file in memory, for formats that are small beside a core. */
#ifndef RSB_SIM_IMAGE_FILE_H
#define RSB_SIM_IMAGE_FILE_H

#include "traces/util/error.h"

#include <stdint.h>

#define RSB_FILE_MAX (256u << 20) /* bytes; a larger file is refused */

struct rsb_file {
	uint8_t *bytes;
	size_t size;
};

/* Reads a regular file; compression is undone. False: error names the file, and nothing is kept. */
bool rsb_file_read(struct rsb_file *file, const char *path, struct rsb_error *error);
void rsb_file_clear(struct rsb_file *file);

#endif
