/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of a thread at the FS base, as user code finds it on x86-64: the thread-local
 * variables end there, and a control block begins with its own address. What else is in the block
 * is zero: the stack protector's value (fs:0x28), and the end of the stack that split stacks
 * compare with (fs:0x70).
 */
#ifndef RSB_SIM_IMAGE_THREAD_H
#define RSB_SIM_IMAGE_THREAD_H

#include "sim/image/image.h"

#define RSB_THREAD_MAX (UINT64_C(1) << 20) /* bytes of thread-local variables */

struct rsb_thread {
	const uint8_t *bytes; /* the variables: the given first of them, and zeros */
	uint64_t given, size;
	uint64_t alignment; /* a power of two, or 0 */
};

/* Maps one where there is room, and sets the FS base to it. */
bool rsb_thread_map(struct rsb_image *image, const struct rsb_thread *thread,
		    struct rsb_error *error);

/* The bytes from where the variables begin to the FS base. */
uint64_t rsb_thread_offset(const struct rsb_thread *thread);

#endif
