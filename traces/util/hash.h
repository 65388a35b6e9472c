/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashes: the same in each run, and on each machine. */
#ifndef RSB_TRACES_UTIL_HASH_H
#define RSB_TRACES_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Every bit of the value moves every other (the finalizer of MurmurHash3, public domain). */
static inline uint64_t rsb_hash_mix(uint64_t value)
{
	value ^= value >> 33;
	value *= UINT64_C(0xff51afd7ed558ccd);
	value ^= value >> 33;
	value *= UINT64_C(0xc4ceb9fe1a85ec53);
	return value ^ value >> 33;
}

#define RSB_HASH_START UINT64_C(0xcbf29ce484222325)

/*
 * Bytes behind those that led to the state, or to RSB_HASH_START: FNV-1a
 * (http://www.isthe.com/chongo/tech/comp/fnv/).
 */
static inline uint64_t rsb_hash_bytes(uint64_t state, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		state = (state ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
	return state;
}

#endif
