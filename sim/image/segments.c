/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The segments of an image: where its bytes are, and where there is room for more. */
#include "sim/image/segments.h"

#include "sim/image/patches.h"
#include "traces/util/grow.h"
#include "traces/util/rank.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How far a gap may be from the code that calls into it; rel32 reaches twice as far. */
#define REACH UINT64_C(0x40000000)
/* Left free on both sides of a gap where there is room, so that code gone astray faults. */
#define GUARD      UINT64_C(0x100000)
#define PAGE_START (~(uint64_t)(RSB_PAGE - 1))

struct segment {
	char *name;
	uint64_t first, last; /* its first and last byte: the address behind it may be 2^64 */
	unsigned access;
	uint8_t *bytes; /* a copy: the given ones; zeros around them */
	uint64_t bytes_at;
	size_t given;
	rsb_image_reader *reader; /* NULL: a copy */
	void *context;
};

struct rsb_segments {
	struct segment *array; /* sorted by address */
	size_t count;
	struct rsb_patches patches;
	struct rsb_patches *kept; /* pages as they were first read; NULL: none is kept */
};

struct rsb_segments *rsb_segments_new(void)
{
	return calloc(1, sizeof(struct rsb_segments));
}

static void drop(struct segment *segment)
{
	free(segment->name);
	free(segment->bytes);
}

void rsb_segments_free(struct rsb_segments *segments)
{
	if (!segments)
		return;
	for (size_t i = 0; i < segments->count; i++)
		drop(&segments->array[i]);
	rsb_patches_release(&segments->patches);
	free(segments->array);
	free(segments);
}

/* The number of segments that start at or before address. */
static size_t rank(const struct rsb_segments *segments, uint64_t address)
{
	return RSB_RANK_UP_TO(segments->array, segments->count, first, address);
}

static const struct segment *find(const struct rsb_segments *segments, uint64_t address)
{
	size_t next = rank(segments, address);

	if (!next || segments->array[next - 1].last < address)
		return NULL;
	return &segments->array[next - 1];
}

static bool refuse_overlap(const struct segment *new, const struct segment *old,
			   struct rsb_error *error)
{
	return rsb_error_set(error,
			     "'%s' (0x%" PRIx64 " to 0x%" PRIx64 ") overlaps '%s' (0x%" PRIx64
			     " to 0x%" PRIx64 ")",
			     new->name, new->first, new->last, old->name, old->first, old->last);
}

/* Enters the segment, which is the array's from here on, or refuses it. */
static bool insert(struct rsb_segments *segments, const struct segment *new,
		   struct rsb_error *error)
{
	size_t at = rank(segments, new->first);

	if (at && segments->array[at - 1].last >= new->first)
		return refuse_overlap(new, &segments->array[at - 1], error);
	if (at < segments->count && segments->array[at].first <= new->last)
		return refuse_overlap(new, &segments->array[at], error);
	if (!RSB_GROW(segments->array, segments->count))
		return rsb_error_set(error, "out of memory");
	memmove(&segments->array[at + 1], &segments->array[at],
		(segments->count - at) * sizeof(*segments->array));
	segments->array[at] = *new;
	segments->count++;
	return true;
}

/* Fills in what both kinds of segment have: the name, and the range rounded out to pages. */
static bool describe(struct segment *segment, const char *name, uint64_t address, uint64_t size,
		     struct rsb_error *error)
{
	if (!size)
		return rsb_error_set(error, "'%s' is empty", name);
	if (address + (size - 1) < address)
		return rsb_error_set(error,
				     "'%s' wraps: 0x%" PRIx64 " bytes do not fit behind 0x%" PRIx64,
				     name, size, address);
	segment->first = address & PAGE_START;
	segment->last = (address + (size - 1)) | (RSB_PAGE - 1);
	segment->name = strdup(name);
	return segment->name || rsb_error_set(error, "out of memory");
}

bool rsb_segments_map(struct rsb_segments *segments, const char *name, uint64_t address,
		      uint64_t size, unsigned access, const void *bytes, size_t given,
		      struct rsb_error *error)
{
	struct segment new = { .access = access, .bytes_at = address, .given = given };

	if (!describe(&new, name, address, size, error))
		return false;
	if (given) {
		new.bytes = malloc(given);
		if (new.bytes)
			memcpy(new.bytes, bytes, given);
		else
			rsb_error_set(error, "out of memory");
	}
	if ((given && !new.bytes) || !insert(segments, &new, error)) {
		drop(&new);
		return false;
	}
	return true;
}

bool rsb_segments_back(struct rsb_segments *segments, const char *name, uint64_t address,
		       uint64_t size, unsigned access, rsb_image_reader *reader, void *context,
		       struct rsb_error *error)
{
	struct segment new = { .access = access, .reader = reader, .context = context };

	if (!describe(&new, name, address, size, error))
		return false;
	if (!insert(segments, &new, error)) {
		drop(&new);
		return false;
	}
	return true;
}

/* Copies the part of the given bytes that is in this page; zeros elsewhere. */
static void copy_page(const struct segment *segment, uint64_t address, uint8_t page[RSB_PAGE])
{
	uint64_t offset = address < segment->bytes_at ? segment->bytes_at - address : 0;
	uint64_t from = address < segment->bytes_at ? 0 : address - segment->bytes_at;
	uint64_t length = RSB_PAGE - offset;

	memset(page, 0, RSB_PAGE);
	if (from >= segment->given)
		return;
	if (length > segment->given - from)
		length = segment->given - from;
	memcpy(page + offset, segment->bytes + from, length);
}

void rsb_segments_keep(struct rsb_segments *segments, struct rsb_patches *kept)
{
	segments->kept = kept;
}

static bool keep(const struct segment *segment, uint64_t address, const uint8_t page[RSB_PAGE],
		 struct rsb_patches *kept, struct rsb_error *error)
{
	if (!rsb_patches_add(kept, address, page))
		return rsb_error_set(error, "out of memory");
	rsb_patches_find(kept, address)->access = segment->access;
	return true;
}

/* A page by its reader, or as it was when it was read first. */
static bool read_page(const struct segment *segment, uint64_t address, uint8_t page[RSB_PAGE],
		      struct rsb_patches *kept, struct rsb_error *error)
{
	const struct rsb_patch *known = kept ? rsb_patches_find(kept, address) : NULL;

	if (known) {
		memcpy(page, known->page, RSB_PAGE);
		return true;
	}
	return segment->reader(segment->context, address, page, error) &&
	       (!kept || keep(segment, address, page, kept, error));
}

bool rsb_segments_page(const struct rsb_segments *segments, uint64_t address,
		       uint8_t page[RSB_PAGE], unsigned *access, struct rsb_error *error)
{
	const struct segment *segment = find(segments, address);
	const struct rsb_patch *patch;

	address &= PAGE_START;
	if (!segment) {
		error->text[0] = '\0';
		return false;
	}
	*access = segment->access;
	patch = rsb_patches_find(&segments->patches, address);
	if (patch)
		memcpy(page, patch->page, RSB_PAGE);
	else if (segment->reader)
		return read_page(segment, address, page, segments->kept, error);
	else
		copy_page(segment, address, page);
	return true;
}

/* The patched copy of a page, made if it is not there yet. NULL as rsb_segments_page(). */
static struct rsb_patch *patch_page(struct rsb_segments *segments, uint64_t address,
				    struct rsb_error *error)
{
	struct rsb_patch *patch = rsb_patches_find(&segments->patches, address);
	uint8_t page[RSB_PAGE];
	unsigned access;

	if (patch)
		return patch;
	if (!rsb_segments_page(segments, address, page, &access, error))
		return NULL;
	if (!rsb_patches_add(&segments->patches, address, page))
		return rsb_error_null(error, "out of memory");
	return rsb_patches_find(&segments->patches, address);
}

bool rsb_segments_patch(struct rsb_segments *segments, uint64_t address, const void *bytes,
			size_t size, struct rsb_error *error)
{
	const uint8_t *from = bytes;

	while (size) {
		struct rsb_patch *patch = patch_page(segments, address & PAGE_START, error);
		size_t offset = address & (RSB_PAGE - 1);
		size_t length = size < RSB_PAGE - offset ? size : RSB_PAGE - offset;

		if (!patch)
			return false;
		memcpy(patch->page + offset, from, length);
		address += length;
		from += length;
		size -= length;
	}
	return true;
}

/* How far the code from start on is from near, at most. */
static uint64_t distance(uint64_t start, uint64_t size, uint64_t near)
{
	return start > near ? start + (size - 1) - near : near - start;
}

/* Takes the place nearest to near in the free range from low up to last, if it beats the best. */
static void offer(uint64_t low, uint64_t last, uint64_t near, uint64_t size, uint64_t guard,
		  uint64_t *best)
{
	uint64_t high, start;

	if (last - low + 1 < size + 2 * guard)
		return;
	low += guard;
	high = last - guard - size + 1;
	start = near < low ? low : near > high ? high : near & PAGE_START;
	if (distance(start, size, near) <= REACH &&
	    (!*best || distance(start, size, near) < distance(*best, size, near)))
		*best = start;
}

static uint64_t gap(const struct rsb_segments *segments, uint64_t near, uint64_t size,
		    uint64_t guard)
{
	uint64_t low = RSB_PAGE, best = 0; /* the page at 0 stays free, to catch null pointers */

	for (size_t i = 0; i < segments->count; i++) {
		const struct segment *segment = &segments->array[i];

		if (segment->first > low)
			offer(low, segment->first - 1, near, size, guard, &best);
		if (segment->last == UINT64_MAX)
			return best;
		if (segment->last >= low)
			low = segment->last + 1;
	}
	offer(low, UINT64_MAX, near, size, guard, &best);
	return best;
}

uint64_t rsb_segments_gap(const struct rsb_segments *segments, uint64_t near, uint64_t size)
{
	uint64_t start;

	if (!size || size > REACH)
		return 0;
	size = (size + RSB_PAGE - 1) & PAGE_START;
	start = gap(segments, near, size, GUARD);
	return start ? start : gap(segments, near, size, 0);
}

bool rsb_segments_next(const struct rsb_segments *segments, size_t *index, const char **name,
		       uint64_t *address, uint64_t *size, unsigned *access)
{
	const struct segment *segment;

	if (*index >= segments->count)
		return false;
	segment = &segments->array[(*index)++];
	*name = segment->name;
	*address = segment->first;
	*size = segment->last - segment->first + 1;
	*access = segment->access;
	return true;
}
