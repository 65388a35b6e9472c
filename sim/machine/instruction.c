/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Own rows: instructions that Capstone 4.0.2 does not decode (rdssp, serialize, nop 0f 1e), takes
 * for others (incssp for lfence, clrssbsy for xsaveopt) or measures wrongly (ud0, ud1). Encodings:
 * Intel SDM volume 2; erets and eretu: Intel, Flexible Return and Event Delivery, specification
 * 346446.
 */
#include "sim/machine/instruction.h"

#include <stdio.h>
#include <string.h>

struct row {
	const char *name;
	uint8_t prefix; /* 66, f2 or f3: it must be there; 0: none of them may be */
	uint8_t opcode[3];
	uint8_t count;       /* bytes of the opcode; the ModRM byte follows */
	uint8_t mask, modrm; /* what the ModRM byte must be, under the mask */
	bool wide;           /* with REX.W the name ends in q, without it in d */
	bool memory;         /* the operand must be in memory */
};

#define REGISTER 0xc0 /* mod of a register operand, and its mask */

static const struct row rows[] = {
	{ "rdssp", 0xf3, { 0x0f, 0x1e }, 2, REGISTER | 0x38, REGISTER | 0x08, true, false },
	{ "incssp", 0xf3, { 0x0f, 0xae }, 2, REGISTER | 0x38, REGISTER | 0x28, true, false },
	{ "endbr64", 0xf3, { 0x0f, 0x1e }, 2, 0xff, 0xfa, false, false },
	{ "endbr32", 0xf3, { 0x0f, 0x1e }, 2, 0xff, 0xfb, false, false },
	{ "nop", 0, { 0x0f, 0x1e }, 2, 0, 0, false, false },
	{ "nop", 0xf3, { 0x0f, 0x1e }, 2, 0, 0, false, false },
	{ "setssbsy", 0xf3, { 0x0f, 0x01 }, 2, 0xff, 0xe8, false, false },
	{ "saveprevssp", 0xf3, { 0x0f, 0x01 }, 2, 0xff, 0xea, false, false },
	{ "rstorssp", 0xf3, { 0x0f, 0x01 }, 2, 0x38, 0x28, false, true },
	{ "clrssbsy", 0xf3, { 0x0f, 0xae }, 2, 0x38, 0x30, false, true },
	{ "uiret", 0xf3, { 0x0f, 0x01 }, 2, 0xff, 0xec, false, false },
	{ "eretu", 0xf3, { 0x0f, 0x01 }, 2, 0xff, 0xca, false, false },
	{ "erets", 0xf2, { 0x0f, 0x01 }, 2, 0xff, 0xca, false, false },
	{ "serialize", 0, { 0x0f, 0x01 }, 2, 0xff, 0xe8, false, false },
	{ "wrss", 0, { 0x0f, 0x38, 0xf6 }, 3, 0, 0, true, false },
	{ "wruss", 0x66, { 0x0f, 0x38, 0xf5 }, 3, 0, 0, true, false },
	{ "ud0", 0, { 0x0f, 0xff }, 2, 0, 0, false, false },
	{ "ud1", 0, { 0x0f, 0xb9 }, 2, 0, 0, false, false },
};

enum form { ANY, IN_REGISTER, IN_MEMORY };

/*
 * What Unicorn 2.0.1 runs as another instruction, measured: eretu and erets as clac, xbegin and
 * xabort as mov. In this order; their names come from above, and from Capstone.
 */
static const struct row misrun[] = {
	{ .prefix = 0xf3, .opcode = { 0x0f, 0x01 }, .count = 2, .mask = 0xff, .modrm = 0xca },
	{ .prefix = 0xf2, .opcode = { 0x0f, 0x01 }, .count = 2, .mask = 0xff, .modrm = 0xca },
	{ .opcode = { 0xc7 }, .count = 1, .mask = 0xff, .modrm = 0xf8 },
	{ .opcode = { 0xc6 }, .count = 1, .mask = 0xff, .modrm = 0xf8 },
};

/*
 * What Unicorn 2.0.1 dies of, whatever the prefixes, measured with every opcode of one to three
 * bytes and every ModRM byte without a displacement: far calls and jumps through a register, bit
 * tests of a register and comparisons with a lock prefix; while it translates them, unless
 * something before them in the block hides it. The debug control register, when it is written.
 */
static const struct fatal {
	uint8_t opcode[2], count;
	bool lock;      /* only with that prefix */
	enum form form; /* the operand; ANY: there is no ModRM byte, or all are */
	uint8_t digits; /* of the ModRM byte: a bit for each */
	bool running;   /* not while it is translated */
} fatal[] = {
	{ { 0xff }, 1, false, IN_REGISTER, 1 << 3 | 1 << 5, false },
	{ { 0x38 }, 1, true, IN_MEMORY, 0xff, false },
	{ { 0x39 }, 1, true, IN_MEMORY, 0xff, false },
	{ { 0xa6 }, 1, true, ANY, 0xff, false },
	{ { 0xa7 }, 1, true, ANY, 0xff, false },
	{ { 0x0f, 0xa3 }, 2, true, IN_REGISTER, 0xff, false },
	{ { 0x0f, 0xab }, 2, true, IN_REGISTER, 0xff, false },
	{ { 0x0f, 0xb3 }, 2, true, IN_REGISTER, 0xff, false },
	{ { 0x0f, 0xba }, 2, true, IN_REGISTER, 0xf0, false },
	{ { 0x0f, 0xbb }, 2, true, IN_REGISTER, 0xff, false },
	{ { 0x0f, 0x23 }, 2, false, ANY, 1 << 5 | 1 << 7, true },
};

/* What stands before the opcode. */
struct prefixes {
	size_t count; /* bytes */
	bool lock;
	uint8_t last; /* the last of 66, f2 and f3; 0: none */
	uint8_t rex;  /* 0: none */
};

static struct prefixes scan(const uint8_t *bytes, size_t size)
{
	struct prefixes found = { 0 };

	for (; found.count < size; found.count++) {
		uint8_t byte = bytes[found.count];

		if (byte == 0x66 || byte == 0xf2 || byte == 0xf3)
			found.last = byte;
		else if (byte != 0x67 && byte != 0x2e && byte != 0x36 && byte != 0x3e &&
			 byte != 0x26 && byte != 0x64 && byte != 0x65 && byte != 0xf0)
			break;
		found.lock |= byte == 0xf0;
	}
	if (found.count < size && (bytes[found.count] & 0xf0) == 0x40)
		found.rex = bytes[found.count++];
	return found;
}

/* Bytes of the ModRM byte and what belongs to it; 0: cut short. */
static size_t measure(const uint8_t *bytes, size_t size)
{
	unsigned mod, rm, base = 0;
	size_t length = 1;

	if (!size)
		return 0;
	mod = bytes[0] >> 6;
	rm = bytes[0] & 7;
	if (mod == 3)
		return length;
	if (rm == 4) {
		if (size < 2)
			return 0;
		base = bytes[1] & 7;
		length++;
	}
	if (mod == 1)
		length += 1;
	else if (mod == 2 || rm == 5 || (rm == 4 && base == 5))
		length += 4;
	return length <= size ? length : 0;
}

static bool matches(const struct row *row, const struct prefixes *prefixes, const uint8_t *bytes,
		    size_t size)
{
	if (row->prefix != prefixes->last || size <= row->count)
		return false;
	for (unsigned i = 0; i < row->count; i++)
		if (bytes[i] != row->opcode[i])
			return false;
	if (row->memory && bytes[row->count] >> 6 == 3)
		return false;
	return (bytes[row->count] & row->mask) == row->modrm;
}

static size_t decode_own(const uint8_t *bytes, size_t size, char *text)
{
	struct prefixes prefixes = scan(bytes, size);
	const uint8_t *opcode = bytes + prefixes.count;
	size_t left = size - prefixes.count;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		size_t operand;

		if (!matches(row, &prefixes, opcode, left))
			continue;
		operand = measure(opcode + row->count, left - row->count);
		if (!operand)
			return 0;
		if (text)
			snprintf(text, RSB_INSTRUCTION_TEXT, "%s%s", row->name,
				 !row->wide            ? ""
				 : prefixes.rex & 0x08 ? "q"
						       : "d");
		return prefixes.count + row->count + operand;
	}
	return 0;
}

/* Is this one of that row? A ModRM byte that is cut off is taken for one that is not. */
static bool kills(const struct fatal *row, const struct prefixes *prefixes, const uint8_t *opcode,
		  size_t size)
{
	uint8_t modrm;

	if (size <= row->count || memcmp(opcode, row->opcode, row->count) != 0 ||
	    (row->lock && !prefixes->lock))
		return false;
	modrm = opcode[row->count];
	return row->digits >> (modrm >> 3 & 7) & 1 &&
	       (row->form == ANY || (row->form == IN_REGISTER) == (modrm >> 6 == 3));
}

static const struct fatal *find_fatal(const uint8_t *bytes, size_t size)
{
	struct prefixes prefixes = scan(bytes, size);

	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		if (kills(&fatal[i], &prefixes, bytes + prefixes.count, size - prefixes.count))
			return &fatal[i];
	return NULL;
}

bool rsb_instruction_fatal(const uint8_t *bytes, size_t size)
{
	const struct fatal *row = find_fatal(bytes, size);

	return row && !row->running;
}

bool rsb_instruction_misrun(const uint8_t *bytes, size_t size)
{
	struct prefixes prefixes = scan(bytes, size);

	if (find_fatal(bytes, size))
		return true;

	for (size_t i = 0; i < sizeof(misrun) / sizeof(misrun[0]); i++)
		if (matches(&misrun[i], &prefixes, bytes + prefixes.count, size - prefixes.count))
			return true;
	return false;
}

bool rsb_instruction_clock(const uint8_t *bytes, size_t size)
{
	static const uint8_t rdtsc[] = { 0x0f, 0x31 }, rdtscp[] = { 0x0f, 0x01, 0xf9 };

	return (size >= sizeof(rdtsc) && !memcmp(bytes, rdtsc, sizeof(rdtsc))) ||
	       (size >= sizeof(rdtscp) && !memcmp(bytes, rdtscp, sizeof(rdtscp)));
}

bool rsb_disassembler_open(struct rsb_disassembler *disassembler)
{
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &disassembler->capstone) != CS_ERR_OK)
		return false;
	disassembler->scratch = cs_malloc(disassembler->capstone);
	if (disassembler->scratch)
		return true;
	cs_close(&disassembler->capstone);
	return false;
}

void rsb_disassembler_close(struct rsb_disassembler *disassembler)
{
	if (!disassembler->scratch)
		return;
	cs_free(disassembler->scratch, 1);
	disassembler->scratch = NULL;
	cs_close(&disassembler->capstone);
}

size_t rsb_instruction_decode(const struct rsb_disassembler *disassembler, const uint8_t *bytes,
			      size_t size, uint64_t pc, char text[RSB_INSTRUCTION_TEXT])
{
	size_t length = decode_own(bytes, size, text);
	cs_insn *instruction = disassembler->scratch;

	if (length)
		return length;
	if (!cs_disasm_iter(disassembler->capstone, &bytes, &size, &pc, instruction))
		return 0;
	if (text)
		snprintf(text, RSB_INSTRUCTION_TEXT, "%s%s%s", instruction->mnemonic,
			 instruction->op_str[0] ? " " : "", instruction->op_str);
	return instruction->size;
}
