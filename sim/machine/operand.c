/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands in memory, computed from the registers as they are now. */
#include "sim/machine/operand.h"

#include "sim/machine/registers.h"

#include <string.h>

#define NUMBER_RSP 4
#define NUMBER_RBP 5

struct rsb_prefixes rsb_prefixes_scan(const uint8_t *bytes, size_t size)
{
	struct rsb_prefixes found = { 0 };

	for (; found.count < size; found.count++) {
		uint8_t byte = bytes[found.count];

		if (byte == 0x64 || byte == 0x65)
			found.segment = byte;
		else if (byte == 0x67)
			found.narrow = true;
		else if (byte == 0xf3)
			found.repeat = true;
		else if (byte != 0x66 && byte != 0xf2 && byte != 0xf0 && (byte & 0xe7) != 0x26)
			break;
	}
	if (found.count < size && (bytes[found.count] & 0xf0) == 0x40)
		found.rex = bytes[found.count++];
	return found;
}

int rsb_operand_register(unsigned number)
{
	static const int ids[] = {
		UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RDX, UC_X86_REG_RBX,
		UC_X86_REG_RSP, UC_X86_REG_RBP, UC_X86_REG_RSI, UC_X86_REG_RDI,
		UC_X86_REG_R8,  UC_X86_REG_R9,  UC_X86_REG_R10, UC_X86_REG_R11,
		UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15,
	};

	return ids[number];
}

static uint64_t read_number(uc_engine *engine, unsigned number)
{
	return rsb_register_read(engine, rsb_operand_register(number));
}

/* The displacement of 0, 1 or 4 bytes, with its sign. */
static int64_t read_displacement(const uint8_t *bytes, unsigned size)
{
	int32_t wide;

	if (size == 0)
		return 0;
	if (size == 1)
		return (int8_t)bytes[0];
	memcpy(&wide, bytes, sizeof(wide));
	return wide;
}

static uint64_t read_segment(uc_engine *engine, uint8_t segment)
{
	if (!segment)
		return 0;
	return rsb_register_read(engine, segment == 0x64 ? UC_X86_REG_FS_BASE : UC_X86_REG_GS_BASE);
}

/* Base and scaled index that a SIB byte names; *relative: there is a displacement for a base. */
static uint64_t read_sib(uc_engine *engine, uint8_t rex, uint8_t sib, unsigned mod, bool *bare)
{
	unsigned index = (sib >> 3 & 7) | (rex & 2) << 2, base = (sib & 7) | (rex & 1) << 3;
	uint64_t address = 0;

	*bare = (sib & 7) == NUMBER_RBP && mod == 0;
	if (index != NUMBER_RSP)
		address = read_number(engine, index) << (sib >> 6);
	return *bare ? address : address + read_number(engine, base);
}

uint64_t rsb_operand_address(uc_engine *engine, const struct rsb_prefixes *prefixes,
			     const uint8_t *bytes, size_t modrm, size_t length, uint64_t pc)
{
	unsigned mod = bytes[modrm] >> 6, rm = bytes[modrm] & 7;
	unsigned size = mod == 1 ? 1 : mod == 2 ? 4 : 0;
	size_t at = modrm + 1;
	uint64_t address;
	bool bare;

	if (rm == NUMBER_RSP) {
		address = read_sib(engine, prefixes->rex, bytes[at++], mod, &bare);
		size = bare ? 4 : size;
	} else if (rm == NUMBER_RBP && mod == 0) {
		address = pc + length;
		size = 4;
	} else {
		address = read_number(engine, rm | (prefixes->rex & 1) << 3);
	}
	address += (uint64_t)read_displacement(bytes + at, size);
	if (prefixes->narrow)
		address = (uint32_t)address;
	return address + read_segment(engine, prefixes->segment);
}
