/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's blocks, each decoded once: how many instructions it has, and the sites of the
 * transfer at its end. Blocks overlap (a loop may be entered in the middle), so that the start and
 * the size together name one.
 */
#ifndef RSB_SIM_MACHINE_BLOCK_H
#define RSB_SIM_MACHINE_BLOCK_H

#include "sim/machine/instruction.h"
#include "sim/machine/memory.h"
#include "traces/site.h"

/* Flags of a block. */
#define RSB_BLOCK_LANDING     0x01u /* it starts at rsb_landing */
#define RSB_BLOCK_TRACED_CALL 0x02u /* it ends with rsb_traced_call */
#define RSB_BLOCK_TRANSFER    0x04u /* it ends with a transfer */
#define RSB_BLOCK_CALL        0x08u /* ... which pushes the block's end */
#define RSB_BLOCK_REPEAT      0x10u /* it ends with a string instruction that repeats */
#define RSB_BLOCK_UNKNOWN     0x20u /* it holds an instruction whose length is unknown */
#define RSB_BLOCK_MISRUN      0x40u /* ... that the engine takes for another, or dies of */
#define RSB_BLOCK_INCIDENT \
	0x80u                     /* an incident may happen in it, a barrier does, or it ends with a
				       syscall that an incident happens at */
#define RSB_BLOCK_SYSCALL 0x100u  /* ... that syscall */
#define RSB_BLOCK_CR3     0x200u  /* it ends with a write of CR3 */
#define RSB_BLOCK_PAGES   0x400u  /* pages are counted */
#define RSB_BLOCK_PROGRAM 0x800u  /* it starts at a program's entry or traced function */
#define RSB_BLOCK_CLOCK   0x1000u /* it reads the time-stamp counter, the host's as yet */

struct rsb_block {
	uint64_t start;
	uint64_t last;     /* its last instruction; the one that is unknown or misrun */
	uint64_t end;      /* the address after that */
	uint64_t barrier;  /* the wrmsr in it that is an IBPB; 0: there is none */
	uint32_t size;     /* bytes */
	uint32_t count;    /* instructions */
	uint32_t address;  /* id of the start */
	uint32_t sites[2]; /* of the transfer: when the end is next, when another address is;
			      RSB_SITE_NONE: not recorded */
	uint32_t flags;
};

/* No block: of size 0, and without a transfer. */
extern const struct rsb_block rsb_block_none;

#define RSB_BLOCKS_RECENT 4096u

struct rsb_running;

struct rsb_blocks {
	const struct rsb_image *image;
	const struct rsb_memory *memory;
	const struct rsb_disassembler *disassembler;
	struct rsb_sites *sites;
	uint32_t kinds; /* to record */
	uint64_t traced_call, landing;
	bool pages;                        /* the pages of code are counted */
	const struct rsb_running *program; /* in place of these two; NULL: the image is none */

	/* For each group of starts, the block found last, or rsb_block_none. */
	const struct rsb_block *recent[RSB_BLOCKS_RECENT];
	struct rsb_block **slots; /* all, by open addressing */
	unsigned bits;            /* there are 2^bits slots */
	size_t count;
};

bool rsb_blocks_open(struct rsb_blocks *blocks); /* false: no memory */
void rsb_blocks_close(struct rsb_blocks *blocks);

/* Decodes a new block and enters it. NULL: error. */
struct rsb_block *rsb_blocks_learn(struct rsb_blocks *blocks, uint64_t start, uint32_t size,
				   struct rsb_error *error);

/* Decodes a block again, whose bytes have changed. False: error. */
bool rsb_block_decode(const struct rsb_blocks *blocks, struct rsb_block *block,
		      struct rsb_error *error);

/* Says of the blocks that start at address, which calls return to from now on, that they do. */
void rsb_blocks_mark_landing(struct rsb_blocks *blocks, uint64_t address);

/* How many of the block's instructions stand before pc; UINT32_MAX: none starts at pc. */
uint32_t rsb_block_index(const struct rsb_blocks *blocks, const struct rsb_block *block,
			 uint64_t pc);

/* The block of this start and size. NULL: it was not seen. */
struct rsb_block *rsb_blocks_find(const struct rsb_blocks *blocks, uint64_t start, uint32_t size);

/* Where a block that starts there is kept to be found at once. Inline: it runs once a block. */
static inline const struct rsb_block **rsb_blocks_recent(struct rsb_blocks *blocks, uint64_t start)
{
	return &blocks->recent[(start ^ start >> 12) % RSB_BLOCKS_RECENT];
}

#endif
