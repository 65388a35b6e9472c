/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking ahead of the engine. Unicorn 2.0.1 ends the whole process (tcg_abort()) when it
 * translates some instructions, and it translates a block before any hook tells of it. So code
 * that a known block leads to is read first, and such an instruction becomes ud2 in the engine's
 * memory, which the engine refuses; a processor raises #UD for it too. What is only reached by an
 * indirect transfer within pages that are there already, or is written by the code itself, is not
 * seen.
 */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"
#include "traces/transfer.h"

#define BLOCK_INSTRUCTIONS 512 /* the engine's longest block: see sim/machine/block.c */

static void bar(struct rsb_machine *machine, uint64_t pc)
{
	static const uint8_t ud2[RSB_BAR_SIZE] = { 0x0f, 0x0b };
	struct rsb_bar *bar = &machine->bars[machine->bar_count];

	if (machine->bar_count == RSB_BARS_MAX)
		return;
	bar->pc = pc;
	rsb_memory_read(&machine->memory, pc, bar->bytes, sizeof(bar->bytes));
	rsb_memory_write(&machine->memory, pc, ud2, sizeof(ud2));
	machine->bar_count++;
}

/* Reads on from pc to the next transfer. The engine has read what is below unread. */
static void look(struct rsb_machine *machine, uint64_t pc, uint64_t unread)
{
	for (unsigned i = 0; i < BLOCK_INSTRUCTIONS; i++) {
		uint8_t bytes[RSB_INSTRUCTION_MAX];
		size_t size = rsb_memory_read(&machine->memory, pc, bytes, sizeof(bytes)), length;

		if (rsb_instruction_fatal(bytes, size)) {
			if (pc >= unread)
				bar(machine, pc);
			return;
		}
		length = rsb_instruction_decode(&machine->disassembler, bytes, size, pc, NULL);
		if (!length || rsb_transfer_x86_64(bytes, length, pc).transfers)
			return;
		pc += length;
	}
}

void rsb_ahead_from(struct rsb_machine *machine, uint64_t pc)
{
	look(machine, pc, pc);
}

void rsb_ahead_of_fetch(struct rsb_machine *machine, uint64_t address)
{
	/* It translates from rip on, which is right here; it may have come to the next page. */
	look(machine, rsb_register_read(machine->engine, UC_X86_REG_RIP), address);
}

/* Does code go on behind this transfer, now or when it returns? */
static bool goes_on(const struct rsb_transfer *transfer)
{
	return !transfer->transfers || transfer->conditional || transfer->kind == RSB_CALL ||
	       transfer->kind == RSB_CALL_FAR || transfer->kind == RSB_SYSCALL;
}

void rsb_ahead_of(struct rsb_machine *machine, const struct rsb_block *block)
{
	uint8_t bytes[RSB_INSTRUCTION_MAX];
	size_t length = (size_t)(block->end - block->last);
	struct rsb_transfer transfer;

	if (block->flags & (RSB_BLOCK_UNKNOWN | RSB_BLOCK_MISRUN) || length > sizeof(bytes) ||
	    rsb_memory_read(&machine->memory, block->last, bytes, length) != length)
		return;
	transfer = rsb_transfer_x86_64(bytes, length, block->last);
	if (goes_on(&transfer))
		rsb_ahead_from(machine, block->end);
	if (transfer.transfers && transfer.direct)
		rsb_ahead_from(machine, transfer.target);
}

bool rsb_ahead_restore(struct rsb_machine *machine, uint64_t pc)
{
	for (size_t i = 0; i < machine->bar_count; i++) {
		if (machine->bars[i].pc != pc)
			continue;
		rsb_memory_write(&machine->memory, pc, machine->bars[i].bytes, RSB_BAR_SIZE);
		return true;
	}
	return false;
}
