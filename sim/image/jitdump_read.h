/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a jitdump, in the order in which they were loaded. Private to jitdump*.c. */
#ifndef RSB_SIM_IMAGE_JITDUMP_READ_H
#define RSB_SIM_IMAGE_JITDUMP_READ_H

#include "sim/image/jitdump.h"

struct rsb_jit_function {
	uint64_t address, size, index; /* index: the compiler's own number of it */
	const char *name;
	const uint8_t *code;
	uint64_t order; /* of being loaded, or moved */
};

struct rsb_jit {
	const char *name; /* of the file */
	const uint8_t *bytes;
	size_t size;
	struct rsb_jit_function *functions; /* names and code are in the file's bytes */
	size_t count;
};

/* Reads all records. The functions are to be freed even after an error. */
bool rsb_jit_read(struct rsb_jit *jit, struct rsb_error *error);

/* Drops the functions that later code lies on; the rest is sorted by address. False: error. */
bool rsb_jit_settle(struct rsb_jit *jit, struct rsb_error *error);

#endif
