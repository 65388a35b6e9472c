/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of a thread. */
#include "sim/image/thread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Far from code, and where nothing of a program usually is. */
#define NEAR UINT64_C(0x700000000000)

uint64_t rsb_thread_offset(const struct rsb_thread *thread)
{
	uint64_t alignment = thread->alignment ? thread->alignment : 1;

	return (thread->size + alignment - 1) & ~(alignment - 1);
}

static bool check(const struct rsb_thread *thread, struct rsb_error *error)
{
	uint64_t alignment = thread->alignment;

	if (thread->size > RSB_THREAD_MAX)
		return rsb_error_set(error,
				     "expected at most %" PRIu64
				     " bytes of thread-local variables, found %" PRIu64,
				     RSB_THREAD_MAX, thread->size);
	if (alignment & (alignment - 1) || alignment > RSB_PAGE)
		return rsb_error_set(error,
				     "thread-local variables: expected an alignment that is a "
				     "power of two up to %u, found %" PRIu64,
				     RSB_PAGE, alignment);
	return thread->given <= thread->size ||
	       rsb_error_set(error,
			     "thread-local variables: the file has %" PRIu64 " bytes of %" PRIu64,
			     thread->given, thread->size);
}

bool rsb_thread_map(struct rsb_image *image, const struct rsb_thread *thread,
		    struct rsb_error *error)
{
	uint64_t offset, below, start, base;
	uint8_t *bytes;
	bool good;

	if (!check(thread, error))
		return false;
	offset = rsb_thread_offset(thread);
	below = (offset + RSB_PAGE - 1) & ~(uint64_t)(RSB_PAGE - 1);
	start = rsb_image_gap(image, NEAR, below + RSB_PAGE);
	if (!start)
		return rsb_error_set(error, "there is no room for a thread's memory");
	base = start + below;
	bytes = calloc(1, below + sizeof(base));
	if (!bytes)
		return rsb_error_set(error, "out of memory");
	if (thread->given)
		memcpy(bytes + below - offset, thread->bytes, thread->given);
	for (size_t i = 0; i < sizeof(base); i++)
		bytes[below + i] = (uint8_t)(base >> 8 * i);
	good = rsb_image_map(image, "the thread's memory", start, below + RSB_PAGE,
			     RSB_READ | RSB_WRITE, bytes, below + sizeof(base), error);
	free(bytes);
	if (good)
		rsb_image_set_fs_base(image, base);
	return good;
}
