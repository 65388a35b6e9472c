/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole program: how it comes to its entry, what its spans are, and how it ends. */
#include "sim/machine/program.h"

#include "sim/machine/private.h"
#include "sim/machine/registers.h"

#include <stdlib.h>

#define RANDOM_SEED UINT64_C(0x9e3779b97f4a7c15) /* any but 0: the same in each run */

static bool find(struct rsb_machine *machine, struct rsb_error *error)
{
	(void)error;
	machine->entry = machine->program.what->entry;
	machine->traced_call = machine->landing = machine->program.what->traced;
	return true;
}

/* Starts over with the blocks: those before the entry have no sites. */
static bool renew_blocks(struct rsb_machine *machine)
{
	struct rsb_running *running = &machine->program;
	struct rsb_blocks *blocks = &machine->blocks;
	uint64_t start = machine->last->start;
	uint32_t size = machine->last->size;

	rsb_blocks_close(blocks);
	blocks->count = 0;
	blocks->kinds = machine->options.kinds;
	if (!rsb_blocks_open(blocks))
		return rsb_error_set(&machine->trouble.error, "out of memory for blocks");
	running->from = rsb_blocks_learn(blocks, start, size, &machine->trouble.error);
	return running->from;
}

static bool start(struct rsb_machine *machine, uint64_t *pc)
{
	struct rsb_running *running = &machine->program;

	running->brk = running->what->heap;
	running->random = RANDOM_SEED;
	machine->memory.regions = calloc(1, sizeof(*machine->memory.regions));
	if (!machine->memory.regions)
		return rsb_error_set(&machine->trouble.error, "out of memory");
	return rsb_image_find(machine->image, "rsb_round", pc, &machine->trouble.error);
}

static bool open(struct rsb_machine *machine, struct rsb_error *error)
{
	struct rsb_running *running = &machine->program;
	struct rsb_trace nothing = { 0 };
	uint64_t pc = 0, rsp;
	bool good = start(machine, &pc);

	(void)error;
	if (good) {
		rsp = rsb_program_stack(machine);
		uc_reg_write(machine->engine, UC_X86_REG_RSP, &rsp);
		machine->blocks.kinds = 0;
		machine->trace = &nothing;
		machine->left = machine->options.budget;
		rsb_shadow_begin(machine);
		rsb_ahead_from(machine, pc);
		rsb_machine_run(machine, pc);
		machine->trace = NULL;
		rsb_trace_clear(&nothing);
		if (machine->trouble.kind == RSB_TROUBLE_NONE && running->ending.ended)
			rsb_trouble_set(machine, RSB_TROUBLE_NO_ENTRY, machine->last->last, 0,
					(uint64_t)running->ending.status);
		if (machine->trouble.kind != RSB_TROUBLE_NONE)
			return false;
		good = renew_blocks(machine);
	}
	if (!good)
		rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, pc, 0, 0);
	return good;
}

void rsb_program_close(struct rsb_machine *machine)
{
	free(machine->program.places);
}

static uint64_t begin(struct rsb_machine *machine)
{
	machine->last = machine->program.from;
	return machine->program.what->entry;
}

bool rsb_program_arrives(struct rsb_machine *machine, const struct rsb_block *block)
{
	struct rsb_running *running = &machine->program;

	if (running->arrived || block->start != running->what->entry)
		return false;
	running->arrived = true;
	uc_emu_stop(machine->engine);
	return true;
}

bool rsb_program_returns_to(const struct rsb_running *running, uint64_t address)
{
	for (size_t i = 0; i < running->place_count; i++)
		if (running->places[i].address == address)
			return true;
	return false;
}

/* The place that a call returns to, the last block's. False: it cannot be kept. */
static bool find_place(struct rsb_machine *machine, size_t *found)
{
	struct rsb_running *running = &machine->program;
	const struct rsb_block *last = machine->last;
	struct rsb_return_place *place;

	for (*found = 0; *found < running->place_count; ++*found)
		if (running->places[*found].address == last->end)
			return true;
	if (running->place_count == RSB_RETURNS_MAX)
		return rsb_error_set(&machine->trouble.error,
				     "the traced function is called from more than %d places",
				     RSB_RETURNS_MAX);
	if (!running->places)
		running->places = calloc(RSB_RETURNS_MAX, sizeof(*running->places));
	place = running->places ? &running->places[running->place_count] : NULL;
	if (!place ||
	    !rsb_mark_intern(machine, RSB_MARK_TRACED_CALL, last->last, &place->traced_call) ||
	    !rsb_mark_intern(machine, RSB_MARK_LANDING, last->end, &place->landing))
		return rsb_error_set(&machine->trouble.error, "out of memory for sites");
	place->address = last->end;
	running->place_count++;
	rsb_blocks_mark_landing(&machine->blocks, last->end);
	return true;
}

void rsb_program_enter(struct rsb_machine *machine, const struct rsb_block *block)
{
	struct rsb_running *running = &machine->program;
	bool call = machine->last->flags & RSB_BLOCK_CALL, first = !running->begun;
	bool traced = block->start == running->what->traced && !machine->open &&
		      (call || (first && running->what->whole));
	uint64_t rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP);
	size_t place;

	if (!running->arrived)
		return;
	running->begun = true;
	if (!traced && !(first && call))
		return;
	if (!find_place(machine, &place)) {
		rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, machine->last->last, 0, 0);
		return;
	}
	if (first && call) {
		running->end_at = machine->last->end;
		running->end_rsp = rsp + 8;
	}
	if (!traced)
		return;
	running->span = place;
	/* The callee's stack pointer; the caller's is above the return address. */
	rsb_span_open(machine, &running->places[place].traced_call, rsp + 8);
}

static void close_span(struct rsb_machine *machine)
{
	rsb_span_close(machine, &machine->program.places[machine->program.span].landing);
}

void rsb_program_end(struct rsb_machine *machine, bool exited, int status)
{
	struct rsb_ending *ending = &machine->program.ending;

	ending->ended = true;
	ending->exited = exited;
	ending->status = status;
	ending->left_open = machine->open;
	if (machine->open)
		close_span(machine);
}

static void land(struct rsb_machine *machine, const struct rsb_block *block)
{
	struct rsb_running *running = &machine->program;
	uint64_t rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP);

	if (machine->open && running->places[running->span].address == block->start &&
	    rsp == machine->landing_rsp) {
		close_span(machine);
		rsb_shadow_land(machine);
	}
	if (block->start != running->end_at || rsp != running->end_rsp)
		return;
	uc_emu_stop(machine->engine);
	rsb_program_end(machine, false,
			(int)(rsb_register_read(machine->engine, UC_X86_REG_RAX) & 0xff));
}

static void call_system(struct rsb_machine *machine)
{
	machine->program.called = true;
	uc_emu_stop(machine->engine);
}

static void end(struct rsb_machine *machine, uint64_t rip)
{
	const struct rsb_running *running = &machine->program;

	(void)rip;
	if (!running->ending.ended && running->arrived == running->begun)
		rsb_trouble_set(machine, RSB_TROUBLE_HALT, machine->last->last, 0, 0);
}

const struct rsb_manner rsb_manner_program = {
	.once = true,
	.find = find,
	.open = open,
	.begin = begin,
	.land = land,
	.call_system = call_system,
	.end = end,
};
