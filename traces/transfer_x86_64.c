/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The transfer table of x86-64. Encodings: Intel SDM volume 2, appendix A; uiret: its chapter 4;
 * erets and eretu: Intel, Flexible Return and Event Delivery, specification 346446.
 *
 * Only the one-byte opcodes and the 0f map hold transfers. The first byte of every other encoding
 * (VEX c4 and c5, EVEX 62, XOP 8f) and the escapes 0f 38 and 0f 3a are opcodes without a row here,
 * so they need no rule of their own.
 */
#include "traces/transfer.h"

#define MAP_0F       0x0f
#define OPERAND_SIZE 0x66
#define REX_W        0x08

enum form {
	FORM_IMPLICIT, /* where it goes, the bytes do not say */
	FORM_NEAR,     /* relative; 66 cuts the target to 16 bits, as AMD's processors do */
	FORM_ABORT,    /* relative; 66 shortens the offset alone (SDM, xbegin) */
};

struct row {
	uint8_t map;         /* 0, or MAP_0F */
	uint8_t first, last; /* opcodes */
	uint8_t prefix;      /* the last of f2 and f3 must be this; 0: any or none */
	uint8_t mask, modrm; /* what the byte after the opcode must be, under the mask */
	enum form form;
	enum rsb_kind kind;
	uint8_t flags;
};

/* The register forms of ff /3 and ff /5 are undefined: a processor faults before it would branch.
 */
static const struct row rows[] = {
	/* jcc */
	{ .first = 0x70, .last = 0x7f, .form = FORM_NEAR, .kind = RSB_BRANCH_TAKEN },
	/* ret imm16, ret */
	{ .first = 0xc2, .last = 0xc3, .kind = RSB_RETURN },
	/* xbegin */
	{ .first = 0xc7,
	  .last = 0xc7,
	  .mask = 0xff,
	  .modrm = 0xf8,
	  .form = FORM_ABORT,
	  .kind = RSB_BRANCH_TAKEN },
	/* retf imm16, retf */
	{ .first = 0xca, .last = 0xcb, .kind = RSB_RETURN_FAR },
	/* int3, int imm8 */
	{ .first = 0xcc, .last = 0xcd, .kind = RSB_INTERRUPT },
	/* iret */
	{ .first = 0xcf, .last = 0xcf, .kind = RSB_IRET },
	/* loopne, loope, loop, jrcxz */
	{ .first = 0xe0, .last = 0xe3, .form = FORM_NEAR, .kind = RSB_BRANCH_TAKEN },
	/* call */
	{ .first = 0xe8, .last = 0xe8, .form = FORM_NEAR, .kind = RSB_CALL },
	/* jmp rel32 */
	{ .first = 0xe9, .last = 0xe9, .form = FORM_NEAR, .kind = RSB_JUMP },
	/* jmp rel8 */
	{ .first = 0xeb, .last = 0xeb, .form = FORM_NEAR, .kind = RSB_JUMP },
	/* int1 */
	{ .first = 0xf1, .last = 0xf1, .kind = RSB_INTERRUPT },
	/* call, call far, jmp, jmp far through a register or memory */
	{ .first = 0xff,
	  .last = 0xff,
	  .mask = 0x38,
	  .modrm = 2 << 3,
	  .kind = RSB_CALL,
	  .flags = RSB_SITE_INDIRECT },
	{ .first = 0xff,
	  .last = 0xff,
	  .mask = 0x38,
	  .modrm = 3 << 3,
	  .kind = RSB_CALL_FAR,
	  .flags = RSB_SITE_INDIRECT },
	{ .first = 0xff, .last = 0xff, .mask = 0x38, .modrm = 4 << 3, .kind = RSB_JUMP_INDIRECT },
	{ .first = 0xff, .last = 0xff, .mask = 0x38, .modrm = 5 << 3, .kind = RSB_JUMP_INDIRECT },
	/* erets, eretu */
	{ .map = MAP_0F,
	  .first = 0x01,
	  .last = 0x01,
	  .prefix = 0xf2,
	  .mask = 0xff,
	  .modrm = 0xca,
	  .kind = RSB_IRET },
	{ .map = MAP_0F,
	  .first = 0x01,
	  .last = 0x01,
	  .prefix = 0xf3,
	  .mask = 0xff,
	  .modrm = 0xca,
	  .kind = RSB_IRET },
	/* uiret */
	{ .map = MAP_0F,
	  .first = 0x01,
	  .last = 0x01,
	  .prefix = 0xf3,
	  .mask = 0xff,
	  .modrm = 0xec,
	  .kind = RSB_IRET },
	/* syscall */
	{ .map = MAP_0F, .first = 0x05, .last = 0x05, .kind = RSB_SYSCALL },
	/* sysret */
	{ .map = MAP_0F, .first = 0x07, .last = 0x07, .kind = RSB_SYSRET },
	/* sysenter */
	{ .map = MAP_0F, .first = 0x34, .last = 0x34, .kind = RSB_SYSCALL },
	/* sysexit */
	{ .map = MAP_0F, .first = 0x35, .last = 0x35, .kind = RSB_SYSRET },
	/* jcc */
	{ .map = MAP_0F, .first = 0x80, .last = 0x8f, .form = FORM_NEAR, .kind = RSB_BRANCH_TAKEN },
};

struct instruction {
	const uint8_t *bytes; /* what follows the opcode */
	size_t left;          /* how many of them */
	uint8_t map, opcode;
	uint8_t repeat; /* the last of f2 and f3, or 0 */
	bool word;      /* operands of 16 bits */
};

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26: /* es */
	case 0x2e: /* cs, not taken */
	case 0x36: /* ss */
	case 0x3e: /* ds, taken, notrack */
	case 0x64: /* fs */
	case 0x65: /* gs */
	case 0x66: /* operand size */
	case 0x67: /* address size */
	case 0xf0: /* lock */
	case 0xf2: /* repne, bnd */
	case 0xf3: /* rep */
		return true;
	}
	return false;
}

/* False: the bytes end before the opcode. */
static bool decode(const uint8_t *bytes, size_t length, struct instruction *instruction)
{
	size_t at = 0;
	uint8_t rex = 0;

	*instruction = (struct instruction){ 0 };
	for (; at < length; at++) {
		if (is_prefix(bytes[at]))
			rex = 0; /* a REX that is not next to the opcode has no effect */
		else if ((bytes[at] & 0xf0) == 0x40)
			rex = bytes[at];
		else
			break;
		if (bytes[at] == OPERAND_SIZE)
			instruction->word = true;
		if (bytes[at] == 0xf2 || bytes[at] == 0xf3)
			instruction->repeat = bytes[at];
	}
	if (rex & REX_W)
		instruction->word = false;
	if (at < length && bytes[at] == MAP_0F) {
		instruction->map = MAP_0F;
		at++;
	}
	if (at == length)
		return false;
	instruction->opcode = bytes[at++];
	instruction->bytes = bytes + at;
	instruction->left = length - at;
	return true;
}

static bool matches(const struct row *row, const struct instruction *instruction)
{
	if (row->map != instruction->map || instruction->opcode < row->first ||
	    instruction->opcode > row->last)
		return false;
	if (row->prefix && row->prefix != instruction->repeat)
		return false;
	return !row->mask ||
	       (instruction->left > 0 && (instruction->bytes[0] & row->mask) == row->modrm);
}

/*
 * The offset at the end of the instruction. Its width is what the length leaves: decoders disagree
 * on 66 e8, which has 16 bits of offset on AMD's processors and 32 on Intel's.
 */
static int64_t read_offset(const uint8_t *bytes, size_t width)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < width; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	if (width == 1)
		return (int8_t)value;
	return width == 2 ? (int16_t)value : (int32_t)value;
}

/* Fills in a relative target; false if the length leaves no offset. */
static bool aim(const struct row *row, const struct instruction *instruction, uint64_t next,
		struct rsb_transfer *transfer)
{
	size_t skipped = row->mask ? 1 : 0;
	size_t width = instruction->left - skipped;

	if (width != 1 && width != 2 && width != 4)
		return false;
	transfer->direct = true;
	transfer->target = next + (uint64_t)read_offset(instruction->bytes + skipped, width);
	if (row->form == FORM_NEAR && instruction->word && width != 4)
		transfer->target &= 0xffff;
	if (row->kind == RSB_CALL && transfer->target == next)
		transfer->flags |= RSB_SITE_ZERO_CALL;
	return true;
}

struct rsb_transfer rsb_transfer_x86_64(const uint8_t *bytes, size_t length, uint64_t pc)
{
	const struct rsb_transfer none = { 0 };
	struct rsb_transfer transfer = { .transfers = true };
	struct instruction instruction;
	const struct row *row;

	if (!decode(bytes, length, &instruction))
		return none;
	for (row = rows; row < rows + sizeof(rows) / sizeof(rows[0]); row++) {
		if (!matches(row, &instruction))
			continue;
		transfer.kind = row->kind;
		transfer.conditional = row->kind == RSB_BRANCH_TAKEN;
		transfer.flags = row->flags;
		if (row->form != FORM_IMPLICIT && !aim(row, &instruction, pc + length, &transfer))
			return none;
		return transfer;
	}
	return none;
}
