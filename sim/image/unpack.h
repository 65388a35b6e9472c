/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are read here and there, so that they cannot be unpacked as they are read. */
#ifndef RSB_SIM_IMAGE_UNPACK_H
#define RSB_SIM_IMAGE_UNPACK_H

#include "traces/util/error.h"

#include <stdint.h>

#define RSB_UNPACKED_MAX (UINT64_C(4) << 30) /* bytes; zeros cost nothing, but count */

/*
 * Opens a file to be read at any place. One that is compressed by gzip, xz, zstd or bzip2 is
 * unpacked into a file without a name, which goes when it is closed. -1: error.
 */
int rsb_unpack_open(const char *path, struct rsb_error *error);

/* The length of a name without the extension of a compressed file, if it has one. */
size_t rsb_unpack_stem(const char *path);

/* The extensions of such files, ended by NULL: "gz" and so on. */
extern const char *const rsb_unpack_extensions[];

#endif
