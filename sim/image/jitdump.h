/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jitdumps: the code that a just-in-time compiler made, as it tells perf of it
 * (tools/perf/Documentation/jitdump-specification.txt in Linux). Code that is loaded over other
 * code replaces it; of a name that was loaded more than once, the last one has it.
 */
#ifndef RSB_SIM_IMAGE_JITDUMP_H
#define RSB_SIM_IMAGE_JITDUMP_H

#include "sim/image/image.h"

/* Loads the file's bytes, with symbols and notes. name stands for it in messages. */
bool rsb_jitdump_load(struct rsb_image *image, const char *name, const uint8_t *bytes, size_t size,
		      struct rsb_error *error);

#endif
