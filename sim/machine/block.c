/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decoding blocks and keeping them: see sim/machine/block.h. */
#include "sim/machine/block.h"

#include "sim/machine/happen.h"
#include "sim/machine/operand.h"
#include "sim/machine/program.h"
#include "traces/transfer.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 10
#define BLOCKS_MAX (1u << 20) /* code that makes more of them is not a trampoline */

/*
 * The engine ends a block at 512 instructions, or before one that starts 4064 bytes in: with that
 * one, a block is never longer than this.
 */
#define BLOCK_BYTES 4096

#define LABEL_SIZE 256

#define PRED_CMD 0x49 /* the register whose write is an IBPB (Intel SDM volume 4, IA32_PRED_CMD) */

/* The slot of the block of this start and size, or where it would be entered. */
static struct rsb_block **find_slot(const struct rsb_blocks *blocks, uint64_t start, uint32_t size)
{
	/* Knuth, The Art of Computer Programming, volume 3, 6.4: multiplicative hashing. */
	uint64_t hash = (start + ((uint64_t)size << 48)) * UINT64_C(0x9e3779b97f4a7c15);
	size_t slot = hash >> (64 - blocks->bits), mask = ((size_t)1 << blocks->bits) - 1;
	const struct rsb_block *block;

	while ((block = blocks->slots[slot]) && (block->start != start || block->size != size))
		slot = (slot + 1) & mask;
	return &blocks->slots[slot];
}

struct rsb_block *rsb_blocks_find(const struct rsb_blocks *blocks, uint64_t start, uint32_t size)
{
	return *find_slot(blocks, start, size);
}

const struct rsb_block rsb_block_none = { .sites = { RSB_SITE_NONE, RSB_SITE_NONE } };

bool rsb_blocks_open(struct rsb_blocks *blocks)
{
	for (size_t i = 0; i < RSB_BLOCKS_RECENT; i++)
		blocks->recent[i] = &rsb_block_none;
	blocks->bits = FIRST_BITS;
	blocks->slots = calloc((size_t)1 << blocks->bits, sizeof(*blocks->slots));
	return blocks->slots;
}

void rsb_blocks_close(struct rsb_blocks *blocks)
{
	if (!blocks->slots)
		return;
	for (size_t i = 0; i < (size_t)1 << blocks->bits; i++)
		free(blocks->slots[i]);
	free(blocks->slots);
	blocks->slots = NULL;
}

/* Twice the slots. */
static bool grow(struct rsb_blocks *blocks)
{
	size_t old_size = (size_t)1 << blocks->bits;
	struct rsb_block **old = blocks->slots;
	struct rsb_block **slots = calloc(2 * old_size, sizeof(*slots));

	if (!slots)
		return false;
	blocks->slots = slots;
	blocks->bits++;
	for (size_t i = 0; i < old_size; i++)
		if (old[i])
			*find_slot(blocks, old[i]->start, old[i]->size) = old[i];
	free(old);
	return true;
}

/* Is this a string instruction with a rep prefix? (Intel SDM volume 2, REP) */
static bool repeats(const uint8_t *bytes, size_t length)
{
	bool prefix = false;
	size_t i = 0;

	for (; i < length; i++) {
		if (bytes[i] == 0xf2 || bytes[i] == 0xf3)
			prefix = true;
		else if (bytes[i] != 0x66 && bytes[i] != 0x67 && (bytes[i] & 0xe7) != 0x26 &&
			 (bytes[i] & 0xfe) != 0x64 && (bytes[i] & 0xf0) != 0x40)
			break;
	}
	if (!prefix || i == length)
		return false;
	return (bytes[i] >= 0x6c && bytes[i] <= 0x6f) || (bytes[i] >= 0xa4 && bytes[i] <= 0xa7) ||
	       (bytes[i] >= 0xaa && bytes[i] <= 0xaf);
}

/* Is this mov cr3, r64? The engine ends a block with it. (Intel SDM volume 2, MOV control regs) */
static bool writes_cr3(const uint8_t *bytes, size_t length)
{
	struct rsb_prefixes prefixes = rsb_prefixes_scan(bytes, length);
	size_t at = prefixes.count;

	return length - at == 3 && bytes[at] == 0x0f && bytes[at + 1] == 0x22 &&
	       (bytes[at + 2] >> 3 & 7) == 3 && !(prefixes.rex & 4);
}

/* The site of the block's transfer as this kind; RSB_SITE_NONE if that kind is not recorded. */
static bool intern(const struct rsb_blocks *blocks, const struct rsb_block *block,
		   enum rsb_kind kind, uint8_t flags, uint32_t *id)
{
	struct rsb_site site = {
		.pc = block->last,
		.length = (uint8_t)(block->end - block->last),
		.kind = (uint8_t)kind,
		.mitigation = (uint8_t)rsb_image_mitigation(blocks->image, block->last),
		.flags = flags,
	};
	char label[LABEL_SIZE];

	if (!(blocks->kinds & RSB_KIND_BIT(kind)))
		return true;
	rsb_image_describe(blocks->image, site.pc, label, sizeof(label));
	*id = rsb_sites_intern(blocks->sites, &site, label);
	return *id != RSB_SITE_NONE;
}

static bool intern_outcomes(const struct rsb_blocks *blocks, struct rsb_block *block,
			    const struct rsb_transfer *transfer)
{
	enum rsb_kind falls = transfer->conditional ? RSB_BRANCH_NOT_TAKEN : transfer->kind;

	return intern(blocks, block, falls, transfer->flags, &block->sites[0]) &&
	       intern(blocks, block, transfer->kind, transfer->flags, &block->sites[1]);
}

/*
 * Is this instruction a barrier? Which register wrmsr writes stands in ecx, and whoever writes this
 * one puts its number there in the same block, as a constant (entry_ibpb, alternative_msr_write()
 * in Linux); *number is the last such constant.
 */
static bool is_barrier(const uint8_t *bytes, size_t length, uint32_t *number)
{
	if (length == 5 && bytes[0] == 0xb9)
		memcpy(number, bytes + 1, sizeof(*number));
	return *number == PRED_CMD && length == 2 && bytes[0] == 0x0f && bytes[1] == 0x30;
}

/*
 * Finds the last instruction, and a barrier; the flags of what its instructions are, and of what
 * stands in the way.
 */
static uint32_t walk(const struct rsb_blocks *blocks, struct rsb_block *block, const uint8_t *bytes)
{
	uint32_t at = 0, flags = 0, number = 0;

	block->count = 0;
	block->last = block->start;
	block->barrier = 0;
	while (at < block->size) {
		size_t length = rsb_instruction_decode(blocks->disassembler, bytes + at,
						       block->size - at, block->start + at, NULL);

		block->last = block->start + at;
		block->count++;
		if (rsb_instruction_misrun(bytes + at, block->size - at))
			return flags | RSB_BLOCK_MISRUN;
		if (!length)
			return flags | RSB_BLOCK_UNKNOWN;
		if (rsb_instruction_clock(bytes + at, length))
			flags |= RSB_BLOCK_CLOCK;
		if (is_barrier(bytes + at, length, &number))
			block->barrier = block->last;
		at += (uint32_t)length;
	}
	return flags;
}

/* What a block is because of where it starts. */
static uint32_t place(const struct rsb_blocks *blocks, uint64_t start)
{
	const struct rsb_program *what;

	if (!blocks->program)
		return start == blocks->landing ? RSB_BLOCK_LANDING : 0;
	what = blocks->program->what;
	return (start == what->entry || start == what->traced ? RSB_BLOCK_PROGRAM : 0) |
	       (rsb_program_returns_to(blocks->program, start) ? RSB_BLOCK_LANDING : 0);
}

void rsb_blocks_mark_landing(struct rsb_blocks *blocks, uint64_t address)
{
	for (size_t i = 0; i < (size_t)1 << blocks->bits; i++)
		if (blocks->slots[i] && blocks->slots[i]->start == address)
			blocks->slots[i]->flags |= RSB_BLOCK_LANDING;
}

bool rsb_block_decode(const struct rsb_blocks *blocks, struct rsb_block *block,
		      struct rsb_error *error)
{
	uint8_t bytes[BLOCK_BYTES];
	const uint8_t *last;
	struct rsb_transfer transfer;

	block->end = block->start + block->size;
	block->sites[0] = block->sites[1] = RSB_SITE_NONE;
	block->flags = place(blocks, block->start);
	if (blocks->pages)
		block->flags |= RSB_BLOCK_PAGES;
	if (block->size > sizeof(bytes) ||
	    rsb_memory_read(blocks->memory, block->start, bytes, block->size) != block->size)
		block->flags |= RSB_BLOCK_UNKNOWN;
	else
		block->flags |= walk(blocks, block, bytes);
	if (block->flags & (RSB_BLOCK_UNKNOWN | RSB_BLOCK_MISRUN))
		return true;
	if (block->barrier || rsb_incidents_touch(blocks->image, block->start, block->end))
		block->flags |= RSB_BLOCK_INCIDENT;
	last = bytes + (block->last - block->start);
	if (repeats(last, block->end - block->last))
		block->flags |= RSB_BLOCK_REPEAT;
	if (writes_cr3(last, block->end - block->last))
		block->flags |= RSB_BLOCK_CR3;
	transfer = rsb_transfer_x86_64(last, block->end - block->last, block->last);
	if (!transfer.transfers)
		return true;
	block->flags |= RSB_BLOCK_TRANSFER;
	if (transfer.kind == RSB_CALL || transfer.kind == RSB_CALL_FAR)
		block->flags |= RSB_BLOCK_CALL;
	if (transfer.kind == RSB_SYSCALL && rsb_incidents_serve_syscalls(blocks->image))
		block->flags |= RSB_BLOCK_INCIDENT | RSB_BLOCK_SYSCALL;
	if (!blocks->program && block->last == blocks->traced_call)
		block->flags |= RSB_BLOCK_TRACED_CALL;
	return intern_outcomes(blocks, block, &transfer) ||
	       rsb_error_set(error, "out of memory for sites");
}

struct rsb_block *rsb_blocks_learn(struct rsb_blocks *blocks, uint64_t start, uint32_t size,
				   struct rsb_error *error)
{
	struct rsb_block *block;

	if (blocks->count == BLOCKS_MAX)
		return rsb_error_null(error, "the code has more than %u blocks", BLOCKS_MAX);
	if (2 * blocks->count >= (size_t)1 << blocks->bits && !grow(blocks))
		return rsb_error_null(error, "out of memory for blocks");
	block = calloc(1, sizeof(*block));
	if (!block)
		return rsb_error_null(error, "out of memory for blocks");
	block->start = start;
	block->size = size;
	block->address = rsb_sites_address(blocks->sites, start);
	if (block->address == UINT32_MAX) {
		rsb_error_set(error, "out of memory for addresses");
		goto fail;
	}
	if (!rsb_block_decode(blocks, block, error))
		goto fail;
	*find_slot(blocks, start, size) = block;
	blocks->count++;
	return block;
fail:
	free(block);
	return NULL;
}

uint32_t rsb_block_index(const struct rsb_blocks *blocks, const struct rsb_block *block,
			 uint64_t pc)
{
	uint8_t bytes[BLOCK_BYTES];
	struct rsb_block part = { .start = block->start, .size = (uint32_t)(pc - block->start) };

	if (part.size > sizeof(bytes) ||
	    rsb_memory_read(blocks->memory, part.start, bytes, part.size) != part.size ||
	    walk(blocks, &part, bytes))
		return UINT32_MAX;
	return part.count;
}
