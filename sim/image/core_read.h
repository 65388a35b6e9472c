/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of an open core: where its segments are in memory and in the file. */
#ifndef RSB_SIM_IMAGE_CORE_READ_H
#define RSB_SIM_IMAGE_CORE_READ_H

#include "traces/util/error.h"

#include <stdint.h>

struct rsb_core_part {
	size_t number; /* of the program header, from 0 */
	uint64_t first, last;
	uint64_t offset; /* of first in the file */
	unsigned access;
};

struct rsb_core {
	int file;
	char *name;
	struct rsb_core_part *parts; /* sorted by address; none is empty */
	size_t count;
};

/* Fills in the parts from the file's headers, checked. */
bool rsb_core_read(struct rsb_core *core, struct rsb_error *error);

#endif
