/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hooks: blocks become events. A block's hook runs before the block, so it tells the transfer
 * at the end of the block before; the address is the hook's argument, because the engine's rip is
 * stale when blocks are chained. There is one block hook: the engine calls a second one, or any
 * that is limited to a range, by a slower path.
 */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"

#define SPECIAL                                                                             \
	(RSB_BLOCK_LANDING | RSB_BLOCK_TRACED_CALL | RSB_BLOCK_UNKNOWN | RSB_BLOCK_MISRUN | \
	 RSB_BLOCK_INCIDENT | RSB_BLOCK_CR3 | RSB_BLOCK_PAGES | RSB_BLOCK_PROGRAM)

uint64_t rsb_machine_executed(const struct rsb_machine *machine)
{
	return machine->options.budget - machine->left - machine->extra;
}

void rsb_machine_record(struct rsb_machine *machine, uint32_t site, uint32_t target)
{
	if (rsb_trace_add(machine->trace, site, target))
		return;
	rsb_error_set(&machine->trouble.error, "out of memory for events");
	rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, machine->last->last, 0, 0);
}

/* The return address of a call that was just made is on top of the stack. */
static bool pushed(const struct rsb_machine *machine, uint64_t address)
{
	uint64_t rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP), top;

	return rsb_memory_read(&machine->memory, rsp, &top, sizeof(top)) == sizeof(top) &&
	       top == address;
}

/*
 * Did the last block stop before its end? The engine aborts a block that stores into itself, and
 * runs the storing instruction again as a block of one. Were it a jump back instead, then the block
 * would go on to the end of the last one, as it did before. Only for its last instruction
 * that says nothing, and the stack decides whether that is a call to itself. Returns how many
 * instructions of the last block did not run.
 */
static uint32_t aborted(const struct rsb_machine *machine, const struct rsb_block *block)
{
	const struct rsb_block *last = machine->last;
	uint32_t index;

	if (block->count != 1 || block->end > last->end)
		return 0;
	if (block->end == last->end) {
		if (block->start != last->last || last->flags & RSB_BLOCK_REPEAT)
			return 0;
		if (last->flags & RSB_BLOCK_TRANSFER &&
		    (!(last->flags & RSB_BLOCK_CALL) || pushed(machine, last->end)))
			return 0;
		return 1;
	}
	index = rsb_block_index(&machine->blocks, last, block->start);
	return index == UINT32_MAX ? 0 : last->count - index;
}

/* A block inside the last one. False: it is part of the last one and its transfer was not made. */
static bool inside(struct rsb_machine *machine, const struct rsb_block *block)
{
	const struct rsb_block *last = machine->last;
	uint32_t lost;

	/*
	 * A repeated string instruction is one instruction, but each further round of it is a
	 * block of its own. It costs budget all the same, which ends it when rcx is huge.
	 */
	if (last->flags & RSB_BLOCK_REPEAT && block->start == last->last) {
		machine->extra += block->count;
		return false;
	}
	lost = aborted(machine, block);
	machine->left += lost;
	return !lost;
}

/*
 * The transfer from the last block to this one, whatever is special about either. A taken branch
 * to the next instruction cannot be told from one that was not taken, and counts as not taken.
 */
static void transfer(struct rsb_machine *machine, const struct rsb_block *block)
{
	const struct rsb_block *last = machine->last;
	uint32_t site = last->sites[block->start != last->end];

	if (last->flags & RSB_BLOCK_UNKNOWN)
		rsb_trouble_set(machine, RSB_TROUBLE_UNKNOWN, last->last, 0, 0);
	if (last->flags & RSB_BLOCK_INCIDENT)
		rsb_incidents_in(machine, last, last->end);
	if (last->flags & RSB_BLOCK_CR3)
		rsb_system_wrote_cr3(machine, last);
	if (last->flags & RSB_BLOCK_TRACED_CALL)
		rsb_round_call(machine);
	if (block->flags & RSB_BLOCK_PROGRAM)
		rsb_program_enter(machine, block);
	if (site != RSB_SITE_NONE)
		rsb_machine_record(machine, site, block->address);
	if (last->flags & RSB_BLOCK_SYSCALL)
		rsb_incidents_after_syscall(machine, last);
	if (block->flags & RSB_BLOCK_LANDING)
		machine->manner->land(machine, block);
}

static const struct rsb_block *find(struct rsb_machine *machine, uint64_t address, uint32_t size)
{
	const struct rsb_block *block = rsb_blocks_find(&machine->blocks, address, size);

	if (!block) {
		block = rsb_blocks_learn(&machine->blocks, address, size, &machine->trouble.error);
		if (block)
			rsb_ahead_of(machine, block);
	}
	if (!block) {
		rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, address, 0, 0);
		return NULL;
	}
	if (block->flags & RSB_BLOCK_CLOCK && rsb_clock_stop(machine, block))
		return NULL;
	*rsb_blocks_recent(&machine->blocks, address) = block;
	return block;
}

/* Any block. Not inlined, or on_block() would have to save registers for it. */
static __attribute__((noinline)) void enter(struct rsb_machine *machine, uint64_t address,
					    uint32_t size)
{
	const struct rsb_block *block = find(machine, address, size);
	const struct rsb_block *last = machine->last;

	if (!block || (block->flags & RSB_BLOCK_PROGRAM && rsb_program_arrives(machine, block)))
		return;
	if (address - last->start >= last->size || inside(machine, block))
		transfer(machine, block);
	else if (last->flags & RSB_BLOCK_INCIDENT)
		rsb_incidents_in(machine, last, address);
	machine->last = block;
	if (machine->program.ending.ended)
		return;
	if (block->flags & RSB_BLOCK_PAGES)
		rsb_system_touch(machine, block);
	if (block->flags & RSB_BLOCK_MISRUN) {
		rsb_trouble_set(machine, RSB_TROUBLE_MISRUN, block->last, 0, 0);
		return;
	}
	if (machine->left < block->count) {
		rsb_trouble_set(machine, RSB_TROUBLE_BUDGET, address, 0, 0);
		return;
	}
	machine->left -= block->count;
}

/*
 * Most blocks are known, outside the one before and nothing special. They are dealt with here in a
 * few loads and without a call, because this runs once for each: see DESIGN.md, Speed and size to
 * reach. The event is written in any case, and counts if its kind is recorded.
 */
static void on_block(uc_engine *engine, uint64_t address, uint32_t size, void *context)
{
	struct rsb_machine *machine = context;
	const struct rsb_block *block = *rsb_blocks_recent(&machine->blocks, address);
	const struct rsb_block *last = machine->last;
	struct rsb_trace *trace = machine->trace;
	uint32_t site = last->sites[address != last->end];

	(void)engine;
	if (block->start != address || block->size != size || address - last->start < last->size ||
	    (last->flags | block->flags) & SPECIAL || machine->left < block->count ||
	    trace->count == trace->capacity) {
		enter(machine, address, size);
		return;
	}
	trace->events[trace->count] = (struct rsb_event){ site, block->address };
	trace->count += site != RSB_SITE_NONE;
	machine->left -= block->count;
	machine->last = block;
}

/* Code was translated. If it is a block that we know, then its bytes were written since. */
static void on_translation(uc_engine *engine, uc_tb *current, uc_tb *previous, void *context)
{
	struct rsb_machine *machine = context;
	struct rsb_block *block = rsb_blocks_find(&machine->blocks, current->pc, current->size);

	(void)engine;
	(void)previous;
	if (block && !rsb_block_decode(&machine->blocks, block, &machine->trouble.error))
		rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, current->pc, 0, 0);
}

bool rsb_block_hooks_add(struct rsb_machine *machine, struct rsb_error *error)
{
	uc_hook hook;

	if (uc_hook_add(machine->engine, &hook, UC_HOOK_BLOCK, on_block, machine,
			RSB_HOOK_EVERYWHERE) ||
	    uc_hook_add(machine->engine, &hook, UC_HOOK_EDGE_GENERATED, on_translation, machine,
			RSB_HOOK_EVERYWHERE))
		return rsb_error_set(error, "the engine refuses a hook");
	return true;
}
