/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's process, as bytes of the program, and the initial file system that it is in. It is
 * built where a static libbpf is there.
 */
#ifndef RSB_SIM_CAPTURE_GUEST_H
#define RSB_SIM_CAPTURE_GUEST_H

#include "sim/capture/boot.h"

#include <stdint.h>

/* The program; none is NULL. */
const uint8_t *rsb_guest_init(size_t *size);

/* Writes the initial file system: the program, and the list of what it attaches. */
bool rsb_guest_write(const char *path, const struct rsb_attach *attach, size_t count,
		     struct rsb_error *error);

#endif
