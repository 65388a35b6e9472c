/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dumps of a kernel in makedumpfile's compressed form, by zlib or zstd: QEMU's dump-guest-memory -z
 * writes it too. They tell frames, not virtual addresses: those come from the kernel's page tables,
 * whose place the dump's VMCOREINFO tells, or QEMU's note of a processor.
 */
#ifndef RSB_SIM_IMAGE_CORE_KDUMP_H
#define RSB_SIM_IMAGE_CORE_KDUMP_H

#include "sim/image/core_notes.h"
#include "sim/image/image.h"

/* Does the file begin as such a dump? */
bool rsb_core_kdump_is(int file);

/*
 * Backs the image by the dump, and reads its notes, which are empty before and which the caller
 * clears, after an error too. The file is closed with the image, or here on error; name stands for
 * the path in messages. Error: what is wrong with it.
 */
bool rsb_core_kdump_open(struct rsb_image *image, int file, const char *name,
			 struct rsb_core_notes *notes, struct rsb_error *error);

#endif
