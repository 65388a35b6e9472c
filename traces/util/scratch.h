/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files without a name, for what is written before it is read again. They are gone when they are
 * closed, or when the process ends in whatever way.
 */
#ifndef RSB_TRACES_UTIL_SCRATCH_H
#define RSB_TRACES_UTIL_SCRATCH_H

#include "traces/util/error.h"

#include <stdio.h>

/* Where they lie: TMPDIR, or /tmp. */
const char *rsb_scratch_folder(void);

/* One that may become as large as the disk, to write and to read. NULL: error, which names where. */
FILE *rsb_scratch_file(struct rsb_error *error);

/*
 * One for what memory would hold as well, where it lies if nothing can be written in that folder,
 * as in a container whose files are all read-only. NULL: error.
 */
FILE *rsb_scratch_open(struct rsb_error *error);

#endif
