/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that are put together, and bytes that are taken apart: the numbers of trace files. */
#ifndef RSB_TRACES_BYTES_H
#define RSB_TRACES_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing array. Want of memory is kept in failed; what was put after that is lost. */
struct rsb_bytes {
	uint8_t *bytes;
	size_t size, room;
	bool failed;
};

/* Frees the array and empties it, which can be used again. */
void rsb_bytes_clear(struct rsb_bytes *to);

void rsb_put(struct rsb_bytes *to, const void *bytes, size_t size);
void rsb_put_byte(struct rsb_bytes *to, uint8_t value);
void rsb_put_u32(struct rsb_bytes *to, uint32_t value); /* least significant byte first */
void rsb_put_u64(struct rsb_bytes *to, uint64_t value);
void rsb_put_text(struct rsb_bytes *to, const char *text); /* with its NUL */

/* Seven bits a byte, the lowest first, each byte but the last with its highest bit set. */
void rsb_put_number(struct rsb_bytes *to, uint64_t value);

/* What has not been taken yet; bad: more was asked for than there is, and 0 or "" was given. */
struct rsb_unread {
	const uint8_t *at, *end;
	bool bad;
};

/* There may be no bytes at all: to NULL, not even 0 may be added. */
static inline struct rsb_unread rsb_unread_of(const uint8_t *bytes, size_t size)
{
	return (struct rsb_unread){ bytes, size ? bytes + size : bytes, false };
}

uint8_t rsb_take_byte(struct rsb_unread *from);
uint64_t rsb_take_number(struct rsb_unread *from);
const char *rsb_take_text(struct rsb_unread *from);

uint32_t rsb_get_u32(const uint8_t *at);
uint64_t rsb_get_u64(const uint8_t *at);

/* A difference as a number that is small if the difference is, whatever its sign; and back. */
static inline uint64_t rsb_fold(uint64_t difference)
{
	return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t rsb_unfold(uint64_t folded)
{
	return folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
}

#endif
