/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow by one at a time. */
#ifndef RSB_TRACES_UTIL_GROW_H
#define RSB_TRACES_UTIL_GROW_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for one more behind the count that are there. How much room there is follows from the
 * count alone: so an array begins as NULL with a count of 0, and nothing else makes room in it. It
 * may get shorter at any time; what was behind its end is then lost. False: no memory, and the
 * array is as it was.
 */
#define RSB_GROW(array, count) rsb_grow(&(array), (count), sizeof(*(array)))

/* array: the address of the pointer. */
bool rsb_grow(void *array, size_t count, size_t size);

#endif
