/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's memory: pieces of the image, brought in when they are first touched, and places of
 * the machine's own (a stack, a page to return to, a descriptor table, a shadow stack), put where
 * the image has nothing. The engine works on our buffers, so what the guest wrote is compared
 * without asking it.
 */
#ifndef RSB_SIM_MACHINE_MEMORY_H
#define RSB_SIM_MACHINE_MEMORY_H

#include "sim/image/image.h"
#include "sim/machine/regions.h"

#include <stddef.h>
#include <unicorn/unicorn.h>

#define RSB_STACK_SIZE  (UINT64_C(1) << 20)
#define RSB_SHADOW_SIZE (UINT64_C(1) << 20)

/*
 * The engine's work to map one more piece grows with the square of their number (measured: 512
 * pieces take 0.2 s, 1024 take 1.7 s), so that the pieces grow as they become many: see
 * rsb_memory_load().
 */
#define RSB_MEMORY_PIECES 512
#define RSB_MEMORY_PAGES  (1u << 16) /* 256 MiB: a trampoline touches some hundred KiB */

/* Pages that follow each other and may be used in the same way. */
struct rsb_piece {
	uint64_t address;
	uint64_t size;
	uint8_t *bytes;
	void *buffer; /* what to free; bytes are in it */
	unsigned access;
};

/* What an address is to the machine itself. */
enum rsb_place {
	RSB_PLACE_ELSEWHERE, /* the image's business */
	RSB_PLACE_BELOW,     /* the guard below the stack: the stack ran over */
	RSB_PLACE_STACK,
	RSB_PLACE_ABOVE,  /* the guard above it: more was popped than pushed */
	RSB_PLACE_EXIT,   /* where rsb_round returns to */
	RSB_PLACE_TABLE,  /* the descriptor table */
	RSB_PLACE_SHADOW, /* the shadow stack, which code may read but not write */
};

struct rsb_memory {
	const struct rsb_image *image;
	uc_engine *engine;
	struct rsb_regions *regions;                /* of a whole program; NULL: as the image is */
	bool shadow;                                /* there is a shadow stack */
	uint64_t base;                              /* of the machine's own places */
	struct rsb_piece pieces[RSB_MEMORY_PIECES]; /* in the order in which they were touched */
	size_t count;
	uint64_t pages; /* in all pieces */
};

/* Finds room for the machine's own places and maps them. False: error. */
bool rsb_memory_open(struct rsb_memory *memory, const struct rsb_image *image, uc_engine *engine,
		     struct rsb_error *error);
/* After the engine was closed. */
void rsb_memory_close(struct rsb_memory *memory);

enum rsb_place rsb_memory_place(const struct rsb_memory *memory, uint64_t address);
void rsb_memory_own(const struct rsb_memory *memory, uint64_t *first, uint64_t *end);
uint64_t rsb_memory_stack_top(const struct rsb_memory *memory);
uint64_t rsb_memory_shadow_top(const struct rsb_memory *memory);
uint64_t rsb_memory_exit(const struct rsb_memory *memory);
uint64_t rsb_memory_table(const struct rsb_memory *memory, size_t *size);

/*
 * Brings in the page at address, and neighbours of it when there are many pieces already. False
 * with an empty error text: there is nothing. False with a message: it could not be read, or the
 * bound is reached.
 */
bool rsb_memory_load(struct rsb_memory *memory, uint64_t address, struct rsb_error *error);

/* The piece that an address is in. NULL: it was not touched. */
const struct rsb_piece *rsb_memory_find(const struct rsb_memory *memory, uint64_t address);

/* Copies bytes out as far as memory that was touched goes; returns how many. */
size_t rsb_memory_read(const struct rsb_memory *memory, uint64_t address, void *out, size_t size);

/* Copies bytes in, past what the guest may write, as far as memory goes; returns how many. */
size_t rsb_memory_write(struct rsb_memory *memory, uint64_t address, const void *in, size_t size);

/*
 * Changes what a range of whole pages is; what was there is gone. False: error, also if there are
 * too many regions. Not while the engine runs.
 */
bool rsb_memory_replace(struct rsb_memory *memory, const struct rsb_region *region,
			struct rsb_error *error);

/* Changes what a range of whole pages may be used for; the same. */
bool rsb_memory_protect(struct rsb_memory *memory, uint64_t first, uint64_t end, unsigned access,
			struct rsb_error *error);

/* Maps a piece for the engine; enters it. For sim/machine/memory*.c. */
bool rsb_memory_add(struct rsb_memory *memory, const struct rsb_piece *piece,
		    struct rsb_error *error);

/* The bytes of the page at address before anything ran, also of the machine's own places. */
bool rsb_memory_original(const struct rsb_memory *memory, uint64_t address, uint8_t page[RSB_PAGE],
			 unsigned *access, struct rsb_error *error);

#endif
