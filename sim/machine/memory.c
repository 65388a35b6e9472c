/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pieces of memory: see sim/machine/memory.h. */
#include "sim/machine/memory.h"

#include <stdlib.h>
#include <string.h>

/* Own places, from the base up. The guards are as large as a frame may be that skips one. */
#define GUARD         (UINT64_C(1) << 20)
#define STACK_OFFSET  GUARD
#define ABOVE_OFFSET  (STACK_OFFSET + RSB_STACK_SIZE)
#define EXIT_OFFSET   (ABOVE_OFFSET + GUARD)
#define TABLE_OFFSET  (EXIT_OFFSET + 2 * RSB_PAGE)
#define SHADOW_OFFSET (TABLE_OFFSET + 2 * RSB_PAGE)
#define OWN_SIZE      (SHADOW_OFFSET + RSB_SHADOW_SIZE + RSB_PAGE)

#define OWN_NEAR UINT64_C(0x7ff000000000) /* where a process's stack would be */

#define HLT 0xf4 /* never runs: the engine stops before it */

#define PIECES_OF_ONE_SIZE 32 /* after so many, pieces get twice as large */
#define PAGES_OF_A_PIECE   4096

/* Where an image keeps the pages that are touched, pieces are pages for longer: it takes time. */
#define PIECES_OF_KEPT_PAGES 384

/*
 * The descriptor table has Linux's selectors (arch/x86/include/asm/segment.h), so that code with
 * iretq or lretq finds those it names: 10 kernel code, 18 kernel data, 23 32-bit user code, 2b user
 * data, 33 user code. They are marked accessed: the engine has nothing to write.
 */
static const uint64_t descriptors[] = {
	0,
	0,
	UINT64_C(0x00af9b000000ffff),
	UINT64_C(0x00cf93000000ffff),
	UINT64_C(0x00cffb000000ffff),
	UINT64_C(0x00cff3000000ffff),
	UINT64_C(0x00affb000000ffff),
};

enum rsb_place rsb_memory_place(const struct rsb_memory *memory, uint64_t address)
{
	uint64_t offset = address - memory->base;

	if (offset >= OWN_SIZE)
		return RSB_PLACE_ELSEWHERE;
	if (offset < STACK_OFFSET)
		return RSB_PLACE_BELOW;
	if (offset < ABOVE_OFFSET)
		return RSB_PLACE_STACK;
	if (offset < EXIT_OFFSET)
		return RSB_PLACE_ABOVE;
	if (offset - EXIT_OFFSET < RSB_PAGE)
		return RSB_PLACE_EXIT;
	if (offset >= TABLE_OFFSET && offset - TABLE_OFFSET < RSB_PAGE)
		return RSB_PLACE_TABLE;
	if (memory->shadow && offset >= SHADOW_OFFSET && offset - SHADOW_OFFSET < RSB_SHADOW_SIZE)
		return RSB_PLACE_SHADOW;
	return RSB_PLACE_ELSEWHERE;
}

void rsb_memory_own(const struct rsb_memory *memory, uint64_t *first, uint64_t *end)
{
	*first = memory->base;
	*end = memory->base + OWN_SIZE;
}

uint64_t rsb_memory_stack_top(const struct rsb_memory *memory)
{
	return memory->base + ABOVE_OFFSET;
}

uint64_t rsb_memory_shadow_top(const struct rsb_memory *memory)
{
	return memory->base + SHADOW_OFFSET + RSB_SHADOW_SIZE;
}

uint64_t rsb_memory_exit(const struct rsb_memory *memory)
{
	return memory->base + EXIT_OFFSET;
}

uint64_t rsb_memory_table(const struct rsb_memory *memory, size_t *size)
{
	*size = sizeof(descriptors);
	return memory->base + TABLE_OFFSET;
}

/* What the image has there, or a program has made of it. */
static bool read_image(const struct rsb_memory *memory, uint64_t address, uint8_t page[RSB_PAGE],
		       unsigned *access, struct rsb_error *error)
{
	const struct rsb_region *region =
		memory->regions ? rsb_regions_find(memory->regions, address) : NULL;

	if (region && region->kind == RSB_REGION_NONE)
		return false;
	if ((!region || region->kind == RSB_REGION_IMAGE) &&
	    !rsb_image_page(memory->image, address, page, access, error))
		return false;
	if (region)
		*access = region->access;
	return true;
}

bool rsb_memory_original(const struct rsb_memory *memory, uint64_t address, uint8_t page[RSB_PAGE],
			 unsigned *access, struct rsb_error *error)
{
	enum rsb_place place = rsb_memory_place(memory, address);

	error->text[0] = '\0';
	memset(page, 0, RSB_PAGE);
	switch (place) {
	case RSB_PLACE_STACK:
		*access = RSB_READ | RSB_WRITE;
		if (rsb_image_stack_executable(memory->image))
			*access |= RSB_EXECUTE;
		return true;
	case RSB_PLACE_EXIT:
		*access = RSB_READ | RSB_EXECUTE;
		memset(page, HLT, RSB_PAGE);
		return true;
	case RSB_PLACE_TABLE:
		*access = RSB_READ;
		memcpy(page, descriptors, sizeof(descriptors));
		return true;
	case RSB_PLACE_SHADOW:
		*access = RSB_READ;
		return true;
	default:
		return read_image(memory, address, page, access, error);
	}
}

const struct rsb_piece *rsb_memory_find(const struct rsb_memory *memory, uint64_t address)
{
	for (size_t i = 0; i < memory->count; i++)
		if (address - memory->pieces[i].address < memory->pieces[i].size)
			return &memory->pieces[i];
	return NULL;
}

/* The bytes at address in their piece, and how many of size there are. NULL: it was not touched. */
static uint8_t *find_bytes(const struct rsb_memory *memory, uint64_t address, size_t *size)
{
	const struct rsb_piece *piece = rsb_memory_find(memory, address);
	uint64_t offset;

	if (!piece)
		return NULL;
	offset = address - piece->address;
	if (piece->size - offset < *size)
		*size = piece->size - offset;
	return piece->bytes + offset;
}

size_t rsb_memory_read(const struct rsb_memory *memory, uint64_t address, void *out, size_t size)
{
	size_t done = 0;

	while (done < size) {
		size_t part = size - done;
		const uint8_t *bytes = find_bytes(memory, address + done, &part);

		if (!bytes)
			break;
		memcpy((uint8_t *)out + done, bytes, part);
		done += part;
	}
	return done;
}

size_t rsb_memory_write(struct rsb_memory *memory, uint64_t address, const void *in, size_t size)
{
	size_t done = 0;

	while (done < size) {
		size_t part = size - done;
		uint8_t *bytes = find_bytes(memory, address + done, &part);

		if (!bytes)
			break;
		memcpy(bytes, (const uint8_t *)in + done, part);
		done += part;
	}
	return done;
}

/* A window of pages around the page that was touched, and the part of it that a piece will be. */
struct window {
	uint64_t start;
	uint8_t *bytes;
	size_t pages;
	size_t first, end; /* pages from the start; the end is not in it */
	unsigned access;
};

/* Can this page of the window join the piece? Its bytes are read in passing. */
static bool joins(const struct rsb_memory *memory, const struct window *window, size_t index)
{
	uint64_t address = window->start + index * RSB_PAGE;
	struct rsb_error ignored; /* whoever touches that page gets the message */
	unsigned access;

	return !rsb_memory_find(memory, address) &&
	       rsb_memory_original(memory, address, window->bytes + index * RSB_PAGE, &access,
				   &ignored) &&
	       access == window->access;
}

/* Reads the page at index, then its neighbours as far as they can join. */
static bool fill(const struct rsb_memory *memory, struct window *window, size_t index,
		 struct rsb_error *error)
{
	if (!rsb_memory_original(memory, window->start + index * RSB_PAGE,
				 window->bytes + index * RSB_PAGE, &window->access, error))
		return false;
	window->first = index;
	window->end = index + 1;
	while (window->end < window->pages && joins(memory, window, window->end))
		window->end++;
	while (window->first > 0 && joins(memory, window, window->first - 1))
		window->first--;
	return true;
}

/* The engine's words for what a piece may be used for. */
static uint32_t permissions(unsigned access)
{
	return (access & RSB_READ ? UC_PROT_READ : 0) | (access & RSB_WRITE ? UC_PROT_WRITE : 0) |
	       (access & RSB_EXECUTE ? UC_PROT_EXEC : 0);
}

bool rsb_memory_add(struct rsb_memory *memory, const struct rsb_piece *piece,
		    struct rsb_error *error)
{
	uc_err code = uc_mem_map_ptr(memory->engine, piece->address, piece->size,
				     permissions(piece->access), piece->bytes);

	if (code != UC_ERR_OK)
		return rsb_error_set(error, "the engine cannot map 0x%llx: %s",
				     (unsigned long long)piece->address, uc_strerror(code));
	memory->pieces[memory->count++] = *piece;
	memory->pages += piece->size / RSB_PAGE;
	return true;
}

static bool add(struct rsb_memory *memory, const struct window *window, struct rsb_error *error)
{
	const struct rsb_piece piece = {
		.address = window->start + window->first * RSB_PAGE,
		.size = (window->end - window->first) * RSB_PAGE,
		.bytes = window->bytes + window->first * RSB_PAGE,
		.buffer = window->bytes,
		.access = window->access,
	};

	return rsb_memory_add(memory, &piece, error);
}

static size_t window_pages(const struct rsb_memory *memory)
{
	size_t doublings = memory->count / PIECES_OF_ONE_SIZE;

	if (memory->count < PIECES_OF_KEPT_PAGES && rsb_image_keeps(memory->image))
		return 1;

	return doublings < 12 ? (size_t)1 << doublings : PAGES_OF_A_PIECE;
}

bool rsb_memory_load(struct rsb_memory *memory, uint64_t address, struct rsb_error *error)
{
	struct window window = { .pages = window_pages(memory) };
	uint64_t span = window.pages * RSB_PAGE;

	window.start = address & ~(span - 1);
	if (memory->count == RSB_MEMORY_PIECES)
		return rsb_error_set(error, "the code touches more than %d separate places",
				     RSB_MEMORY_PIECES);
	if (memory->pages + window.pages > RSB_MEMORY_PAGES)
		return rsb_error_set(error, "the code touches more than %u MiB of memory",
				     RSB_MEMORY_PAGES / 256);
	window.bytes = aligned_alloc(RSB_PAGE, span);
	if (!window.bytes)
		return rsb_error_set(error, "out of memory");
	if (fill(memory, &window, (address - window.start) / RSB_PAGE, error) &&
	    add(memory, &window, error))
		return true;
	free(window.bytes);
	return false;
}

bool rsb_memory_open(struct rsb_memory *memory, const struct rsb_image *image, uc_engine *engine,
		     struct rsb_error *error)
{
	memory->image = image;
	memory->engine = engine;
	memory->base = rsb_image_gap(image, OWN_NEAR, OWN_SIZE);
	if (!memory->base)
		return rsb_error_set(error, "the image leaves no room for a stack near 0x%llx",
				     (unsigned long long)OWN_NEAR);
	return rsb_memory_load(memory, rsb_memory_stack_top(memory) - 1, error) &&
	       rsb_memory_load(memory, rsb_memory_exit(memory), error) &&
	       rsb_memory_load(memory, memory->base + TABLE_OFFSET, error);
}

void rsb_memory_close(struct rsb_memory *memory)
{
	/* Pieces that were one share a buffer. */
	while (memory->count) {
		void *buffer = memory->pieces[--memory->count].buffer;
		size_t i = 0;

		while (i < memory->count && memory->pieces[i].buffer != buffer)
			i++;
		if (i == memory->count)
			free(buffer);
	}
	free(memory->regions);
	memory->regions = NULL;
}
