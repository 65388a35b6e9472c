/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operand that an x86-64 instruction's ModRM byte names (Intel SDM volume 2, 2.1.5). */
#ifndef RSB_SIM_MACHINE_OPERAND_H
#define RSB_SIM_MACHINE_OPERAND_H

#include <stddef.h>
#include <stdint.h>
#include <unicorn/unicorn.h>

/* What stands before the ModRM byte. */
struct rsb_prefixes {
	size_t count;    /* bytes of legacy prefixes and REX */
	uint8_t segment; /* 0x64 or 0x65; 0: neither */
	uint8_t rex;     /* 0: none */
	bool repeat;     /* f3 */
	bool narrow;     /* 67: addresses of 32 bits */
};

struct rsb_prefixes rsb_prefixes_scan(const uint8_t *bytes, size_t size);

/* The engine's id of the 64-bit register that a number names, 0 to 15. */
int rsb_operand_register(unsigned number);

/*
 * The address of an operand in memory: modrm is where its ModRM byte stands in an instruction of
 * length bytes at pc. The instruction is whole.
 */
uint64_t rsb_operand_address(uc_engine *engine, const struct rsb_prefixes *prefixes,
			     const uint8_t *bytes, size_t modrm, size_t length, uint64_t pc);

#endif
