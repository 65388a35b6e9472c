/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow: room is doubled whenever it is full, which is at powers of 2. */
#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

#define FIRST 16 /* elements; a power of 2 */

bool rsb_grow(void *array, size_t count, size_t size)
{
	void *old, *more;

	if (count && (count < FIRST || count & (count - 1)))
		return true;
	/* Not through a void **: the pointer may be of any type. */
	memcpy(&old, array, sizeof(old));
	more = realloc(old, (count ? 2 * count : FIRST) * size);
	if (more)
		memcpy(array, &more, sizeof(more));
	return more;
}
