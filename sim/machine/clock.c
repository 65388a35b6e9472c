/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time-stamp counter. The engine (Unicorn 2.0.1) gives the host's, which is another in each
 * run: a kernel that chooses where its stack begins by it (add_random_kstack_offset()) then
 * touches other pages each time. So ud2 takes the place of rdtsc and rdtscp before a block with one
 * runs, the engine refuses it, and the counter is the number of instructions of the round.
 */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"
#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

#define CLOCKS_MAX 4096u /* instructions; code with more of them keeps the host's counter */

/* Where a round begins: far from 0, which code may take for a counter that stands still. */
#define ORIGIN (UINT64_C(1) << 32)

static const uint8_t ud2[] = { 0x0f, 0x0b };

/* Stops the engine before the block; what is left to do then is rsb_clock_resume()'s. */
bool rsb_clock_stop(struct rsb_machine *machine, const struct rsb_block *block)
{
	struct rsb_clock *clock = &machine->clock;

	if (!(block->flags & RSB_BLOCK_CLOCK) || clock->count == CLOCKS_MAX)
		return false;
	clock->block = block->start;
	clock->size = block->size;
	clock->stopped = true;
	uc_emu_stop(machine->engine);
	return true;
}

static bool keep(struct rsb_clock *clock, uint64_t pc, size_t length)
{
	if (!RSB_GROW(clock->places, clock->count))
		return false;
	clock->places[clock->count++] = (struct rsb_clock_place){ pc, length };
	return true;
}

/* Takes the first one out of the block; the block that follows it is another. */
static bool take_out(struct rsb_machine *machine)
{
	struct rsb_clock *clock = &machine->clock;
	uint64_t pc = clock->block, end = clock->block + clock->size;

	while (pc < end) {
		uint8_t bytes[RSB_INSTRUCTION_MAX];
		size_t size = rsb_memory_read(&machine->memory, pc, bytes, sizeof(bytes));
		size_t length =
			rsb_instruction_decode(&machine->disassembler, bytes, size, pc, NULL);

		if (rsb_instruction_clock(bytes, size)) {
			rsb_memory_write(&machine->memory, pc, ud2, sizeof(ud2));
			return keep(clock, pc, length);
		}
		if (!length)
			break;
		pc += length;
	}
	return false;
}

static const struct rsb_clock_place *find(const struct rsb_clock *clock, uint64_t pc)
{
	for (size_t i = 0; i < clock->count; i++)
		if (clock->places[i].pc == pc)
			return &clock->places[i];
	return NULL;
}

/* Was one taken out of this range? */
static bool find_in(const struct rsb_clock *clock, uint64_t pc, uint64_t end)
{
	for (size_t i = 0; i < clock->count; i++)
		if (clock->places[i].pc >= pc && clock->places[i].pc < end)
			return true;
	return false;
}

/* rdtscp says the processor's number, too: 0. */
static bool tell(struct rsb_machine *machine)
{
	uint64_t pc = rsb_register_read(machine->engine, UC_X86_REG_RIP);
	const struct rsb_clock_place *place = find(&machine->clock, pc);
	uint64_t value = ORIGIN + rsb_machine_executed(machine), low, high, none = 0;

	if (!place)
		return false;
	low = (uint32_t)value;
	high = value >> 32;
	uc_reg_write(machine->engine, UC_X86_REG_RAX, &low);
	uc_reg_write(machine->engine, UC_X86_REG_RDX, &high);
	if (place->length > sizeof(ud2))
		uc_reg_write(machine->engine, UC_X86_REG_RCX, &none);
	pc += place->length;
	uc_reg_write(machine->engine, UC_X86_REG_RIP, &pc);
	return true;
}

bool rsb_clock_resume(struct rsb_machine *machine, uc_err code)
{
	struct rsb_clock *clock = &machine->clock;

	if (machine->trouble.kind != RSB_TROUBLE_NONE)
		return false;
	if (code == UC_ERR_INSN_INVALID)
		return tell(machine);
	if (code != UC_ERR_OK || !clock->stopped)
		return false;
	clock->stopped = false;
	if (!clock->again && find_in(clock, clock->block, clock->block + clock->size)) {
		/*
		 * It was taken out, and the engine still has the block as it was: what it
		 * translated while the page was brought in is not among what the range removes.
		 */
		uc_ctl(machine->engine, UC_CTL_WRITE(UC_CTL_TB_FLUSH, 0));
		clock->again = true;
		uc_reg_write(machine->engine, UC_X86_REG_RIP, &clock->block);
		return true;
	}
	clock->again = false;
	if (!take_out(machine)) {
		rsb_error_set(&machine->trouble.error, "out of memory");
		rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, clock->block, 0, 0);
		return false;
	}
	uc_ctl_remove_cache(machine->engine, clock->block, clock->block + clock->size);
	uc_reg_write(machine->engine, UC_X86_REG_RIP, &clock->block);
	return true;
}

void rsb_clock_show(const struct rsb_machine *machine, uint64_t address, uint8_t *bytes,
		    size_t size)
{
	static const uint8_t rdtsc[] = { 0x0f, 0x31 }, rdtscp[] = { 0x0f, 0x01 };

	for (size_t i = 0; i < machine->clock.count; i++) {
		const struct rsb_clock_place *place = &machine->clock.places[i];
		const uint8_t *original = place->length > sizeof(ud2) ? rdtscp : rdtsc;

		for (size_t k = 0; k < sizeof(ud2); k++)
			if (place->pc + k - address < size)
				bytes[place->pc + k - address] = original[k];
	}
}

void rsb_clock_close(struct rsb_machine *machine)
{
	free(machine->clock.places);
}
