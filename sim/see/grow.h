/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow: room for one more. */
#ifndef RSB_SIM_SEE_GROW_H
#define RSB_SIM_SEE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* False: no memory, and the array is as it was. */
#define RSB_GROW(all, count, room) \
	((count) < (room) || ((all) = rsb_grow((all), &(room), sizeof(*(all))), (count) < (room)))

static inline void *rsb_grow(void *all, size_t *room, size_t size)
{
	size_t wanted = *room ? 2 * *room : 64;
	void *more = realloc(all, wanted * size);

	if (!more)
		return all;
	*room = wanted;
	return more;
}

#endif
