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

#define ESCAPE       0x0f /* the opcode is the byte after it */
#define OPERAND_SIZE 0x66
#define REX_W        0x08

enum form {
	IMPLICIT, /* where it goes, the bytes do not say */
	NEAR,     /* relative; 66 cuts the target to 16 bits, as AMD's processors do */
	ABORT,    /* relative; 66 shortens the offset alone (SDM, xbegin) */
};

struct row {
	uint8_t map;         /* 0, or ESCAPE */
	uint8_t first, last; /* opcodes */
	uint8_t prefix;      /* the last of f2 and f3 must be this; 0: any or none */
	uint8_t mask, modrm; /* what the byte after the opcode must be, under the mask */
	enum form form;
	enum rsb_kind kind;
	uint8_t flags;
};

/*
 * ff /3 and ff /5 with a register are no instructions: a processor faults there and never branches,
 * so what the table says of them does not matter.
 */
static const struct row rows[] = {
	{ 0, 0x70, 0x7f, 0, 0, 0, NEAR, RSB_BRANCH_TAKEN, 0 },        /* jcc */
	{ 0, 0xc2, 0xc3, 0, 0, 0, IMPLICIT, RSB_RETURN, 0 },          /* ret imm16, ret */
	{ 0, 0xc7, 0xc7, 0, 0xff, 0xf8, ABORT, RSB_BRANCH_TAKEN, 0 }, /* xbegin */
	{ 0, 0xca, 0xcb, 0, 0, 0, IMPLICIT, RSB_RETURN_FAR, 0 },      /* retf imm16, retf */
	{ 0, 0xcc, 0xcd, 0, 0, 0, IMPLICIT, RSB_INTERRUPT, 0 },       /* int3, int imm8 */
	{ 0, 0xcf, 0xcf, 0, 0, 0, IMPLICIT, RSB_IRET, 0 },            /* iret */
	{ 0, 0xe0, 0xe3, 0, 0, 0, NEAR, RSB_BRANCH_TAKEN, 0 },        /* loop, jrcxz */
	{ 0, 0xe8, 0xe8, 0, 0, 0, NEAR, RSB_CALL, 0 },                /* call rel */
	{ 0, 0xe9, 0xe9, 0, 0, 0, NEAR, RSB_JUMP, 0 },                /* jmp rel */
	{ 0, 0xeb, 0xeb, 0, 0, 0, NEAR, RSB_JUMP, 0 },                /* jmp rel8 */
	{ 0, 0xf1, 0xf1, 0, 0, 0, IMPLICIT, RSB_INTERRUPT, 0 },       /* int1 */
	{ 0, 0xff, 0xff, 0, 0x38, 0x10, IMPLICIT, RSB_CALL, RSB_SITE_INDIRECT },     /* call */
	{ 0, 0xff, 0xff, 0, 0x38, 0x18, IMPLICIT, RSB_CALL_FAR, RSB_SITE_INDIRECT }, /* call far */
	{ 0, 0xff, 0xff, 0, 0x38, 0x20, IMPLICIT, RSB_JUMP_INDIRECT, 0 },            /* jmp */
	{ 0, 0xff, 0xff, 0, 0x38, 0x28, IMPLICIT, RSB_JUMP_INDIRECT, 0 },            /* jmp far */
	{ ESCAPE, 0x01, 0x01, 0xf2, 0xff, 0xca, IMPLICIT, RSB_IRET, 0 },             /* erets */
	{ ESCAPE, 0x01, 0x01, 0xf3, 0xff, 0xca, IMPLICIT, RSB_IRET, 0 },             /* eretu */
	{ ESCAPE, 0x01, 0x01, 0xf3, 0xff, 0xec, IMPLICIT, RSB_IRET, 0 },             /* uiret */
	{ ESCAPE, 0x05, 0x05, 0, 0, 0, IMPLICIT, RSB_SYSCALL, 0 },                   /* syscall */
	{ ESCAPE, 0x07, 0x07, 0, 0, 0, IMPLICIT, RSB_SYSRET, 0 },                    /* sysret */
	{ ESCAPE, 0x34, 0x34, 0, 0, 0, IMPLICIT, RSB_SYSCALL, 0 },                   /* sysenter */
	{ ESCAPE, 0x35, 0x35, 0, 0, 0, IMPLICIT, RSB_SYSRET, 0 },                    /* sysexit */
	{ ESCAPE, 0x80, 0x8f, 0, 0, 0, NEAR, RSB_BRANCH_TAKEN, 0 },                  /* jcc */
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
	if (at < length && bytes[at] == ESCAPE) {
		instruction->map = ESCAPE;
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
	if (row->form == NEAR && instruction->word && width != 4)
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
		if (row->form != IMPLICIT && !aim(row, &instruction, pc + length, &transfer))
			return none;
		return transfer;
	}
	return none;
}
