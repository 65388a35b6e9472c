/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One x86-64 instruction: its length and its text. Capstone decodes; a few rows of our own stand
 * before it for what Capstone 4 does not know, or takes for something else.
 */
#ifndef RSB_SIM_MACHINE_INSTRUCTION_H
#define RSB_SIM_MACHINE_INSTRUCTION_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RSB_INSTRUCTION_MAX  15 /* bytes: Intel SDM volume 2, 2.3.11 */
#define RSB_INSTRUCTION_TEXT 200

struct rsb_disassembler {
	csh capstone;
	cs_insn *scratch;
};

bool rsb_disassembler_open(struct rsb_disassembler *disassembler); /* false: no memory */
void rsb_disassembler_close(struct rsb_disassembler *disassembler);

/*
 * The length of the instruction at the start of these bytes; 0: unknown, or cut short. text may be
 * NULL.
 */
size_t rsb_instruction_decode(const struct rsb_disassembler *disassembler, const uint8_t *bytes,
			      size_t size, uint64_t pc, char text[RSB_INSTRUCTION_TEXT]);

/* Does the engine end the whole process when it translates this one? */
bool rsb_instruction_fatal(const uint8_t *bytes, size_t size);

/*
 * Would it do so when it runs this one, or run another instruction in its place without saying so?
 */
bool rsb_instruction_misrun(const uint8_t *bytes, size_t size);

/* Does it read the time-stamp counter: rdtsc, rdtscp? Without prefixes, as compilers write it. */
bool rsb_instruction_clock(const uint8_t *bytes, size_t size);

#endif
