/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What far transfers do to the shadow stack: Intel SDM volume 2, CALL (far), RET (far) and IRET, at
 * one privilege level of 64-bit mode. A far call pushes the code segment, the linear address that
 * it returns to, and the pointer as it was; a far return and iret load all three, compare the first
 * two, and take the pointer back.
 *
 * Operands have 64 bits here, as REX.W says: the engine (Unicorn 2.0.1, measured) cuts the stack
 * pointer to 16 bits for the others, so that no code comes far with them.
 */
#include "sim/machine/shadow_private.h"

#include "sim/machine/operand.h"
#include "sim/machine/registers.h"

#define ENTRY RSB_SHADOW_ENTRY

#define OPERAND 8u /* bytes */
#define LEVEL   3u /* the bits of a selector that are its privilege level */

/* What a far call pushes, the newest first. */
struct far_entries {
	uint64_t pointer, address, segment;
};

static uint64_t code_segment(const struct rsb_machine *machine)
{
	return (uint16_t)rsb_register_read(machine->engine, UC_X86_REG_CS);
}

/* 64-bit mode has neither a base of the code segment, nor pointers that are too large. */
static void call(struct rsb_machine *machine, uint64_t pc, uint64_t next)
{
	uint64_t pointer = machine->shadow.ssp;
	static const uint32_t hole = 0;

	rsb_memory_write(&machine->memory, pointer - sizeof(hole), &hole, sizeof(hole));
	machine->shadow.ssp &= ~(uint64_t)(ENTRY - 1);
	rsb_shadow_push(machine, pc, code_segment(machine));
	rsb_shadow_push(machine, pc, next);
	rsb_shadow_push(machine, pc, pointer);
}

static bool read_entries(struct rsb_machine *machine, struct far_entries *entries)
{
	uint64_t at = machine->shadow.ssp;

	return rsb_shadow_read(machine, at, &entries->pointer) &&
	       rsb_shadow_read(machine, at + ENTRY, &entries->address) &&
	       rsb_shadow_read(machine, at + 2 * ENTRY, &entries->segment);
}

static void compare(struct rsb_machine *machine, uint64_t pc, uint64_t target, uint64_t segment)
{
	uint64_t pointer = machine->shadow.ssp;
	struct far_entries entries;

	if (pointer % ENTRY) {
		rsb_shadow_fault(machine, RSB_SHADOW_FAULT_ALIGNED, pc, 0, pointer);
		return;
	}
	if (!read_entries(machine, &entries)) {
		rsb_shadow_fault(machine, RSB_SHADOW_FAULT_EMPTY, pc, 0, target);
		return;
	}
	if (entries.segment != segment) {
		rsb_shadow_fault(machine, RSB_SHADOW_FAULT_SEGMENT, pc, entries.segment, segment);
		return;
	}
	if (entries.address != target)
		rsb_shadow_fault(machine, RSB_SHADOW_FAULT_RETURN, pc, entries.address, target);
	else if (entries.pointer % 4)
		rsb_shadow_fault(machine, RSB_SHADOW_FAULT_ALIGNED, pc, 0, entries.pointer);
	machine->shadow.ssp = entries.pointer;
}

/* iret has the flags behind the two, which do not matter here. */
static void go_back(struct rsb_machine *machine, uint64_t pc)
{
	uint64_t rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP), target, segment;

	/* A return that cannot read its stack is trouble of the engine's. */
	if (!rsb_shadow_read(machine, rsp, &target) ||
	    !rsb_shadow_read(machine, rsp + OPERAND, &segment))
		return;
	segment = (uint16_t)segment;
	if ((segment & LEVEL) == (code_segment(machine) & LEVEL))
		compare(machine, pc, target, segment);
}

void rsb_shadow_far(struct rsb_machine *machine, const struct rsb_transfer *transfer, uint64_t pc,
		    const uint8_t *bytes, size_t length)
{
	if (!(rsb_prefixes_scan(bytes, length).rex & 8))
		return;
	if (transfer->kind == RSB_CALL_FAR)
		call(machine, pc, pc + length);
	else if (transfer->kind == RSB_RETURN_FAR || transfer->kind == RSB_IRET)
		go_back(machine, pc);
}
