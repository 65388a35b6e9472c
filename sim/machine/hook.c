/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hooks: blocks become events. A block's hook runs before the block, so it tells the transfer
 * at the end of the block before; the address is the hook's argument, because the engine's rip is
 * stale when blocks are chained. There is one block hook: the engine calls a second one, or any
 * that is limited to a range, by a slower path.
 */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"

#define SPECIAL (RSB_BLOCK_LANDING | RSB_BLOCK_TRACED_CALL | RSB_BLOCK_UNKNOWN)

#define EVERYWHERE UINT64_C(1), UINT64_C(0) /* a range that begins after its end has no bounds */

uint64_t rsb_machine_executed(const struct rsb_machine *machine)
{
	return machine->options.budget - machine->left - machine->extra;
}

static void record(struct rsb_machine *machine, uint32_t site, uint32_t target)
{
	if (rsb_trace_add(machine->trace, site, target))
		return;
	rsb_error_set(&machine->trouble.error, "out of memory for events");
	rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, machine->last->last, 0, 0);
}

static void mark(struct rsb_machine *machine, enum rsb_mark which)
{
	record(machine, machine->marks[which], machine->mark_addresses[which]);
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
	 * A repeated string instruction is one instruction, but each further round of it is a block of
	 * its own. It costs budget all the same, which ends it when rcx is huge.
	 */
	if (last->flags & RSB_BLOCK_REPEAT && block->start == last->last) {
		machine->extra += block->count;
		return false;
	}
	lost = aborted(machine, block);
	machine->left += lost;
	return !lost;
}

static void begin_traced(struct rsb_machine *machine)
{
	if (machine->open) {
		rsb_trouble_set(machine, RSB_TROUBLE_AGAIN, machine->traced_call, 0, 0);
		return;
	}
	mark(machine, RSB_MARK_TRACED_CALL);
	machine->open = true;
	/* The callee's stack pointer; the caller's is above the return address. */
	machine->landing_rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP) + 8;
	machine->traced_start = rsb_machine_executed(machine);
}

static void try_landing(struct rsb_machine *machine)
{
	if (!machine->open ||
	    rsb_register_read(machine->engine, UC_X86_REG_RSP) != machine->landing_rsp)
		return;
	mark(machine, RSB_MARK_LANDING);
	machine->open = false;
	machine->round.traced_calls++;
	machine->round.traced_instructions += rsb_machine_executed(machine) - machine->traced_start;
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
	if (last->flags & RSB_BLOCK_TRACED_CALL)
		begin_traced(machine);
	if (site != RSB_SITE_NONE)
		record(machine, site, block->address);
	if (block->flags & RSB_BLOCK_LANDING)
		try_landing(machine);
}

static const struct rsb_block *find(struct rsb_machine *machine, uint64_t address, uint32_t size)
{
	const struct rsb_block *block = rsb_blocks_find(&machine->blocks, address, size);

	if (!block)
		block = rsb_blocks_learn(&machine->blocks, address, size, &machine->trouble.error);
	if (!block) {
		rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, address, 0, 0);
		return NULL;
	}
	*rsb_blocks_recent(&machine->blocks, address) = block;
	return block;
}

/* Any block. Not inlined, or on_block() would have to save registers for it. */
static __attribute__((noinline)) void enter(struct rsb_machine *machine, uint64_t address,
					    uint32_t size)
{
	const struct rsb_block *block = find(machine, address, size);
	const struct rsb_block *last = machine->last;

	if (!block)
		return;
	if (address - last->start >= last->size || inside(machine, block))
		transfer(machine, block);
	machine->last = block;
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

/* An access that the engine cannot make. */
struct access {
	uc_mem_type type;
	enum rsb_trouble_kind kind;
	bool missing; /* there may be a page to bring in */
	bool data;
};

static const struct access accesses[] = {
	{ UC_MEM_READ_UNMAPPED, RSB_TROUBLE_READ, true, true },
	{ UC_MEM_WRITE_UNMAPPED, RSB_TROUBLE_WRITE, true, true },
	{ UC_MEM_FETCH_UNMAPPED, RSB_TROUBLE_FETCH, true, false },
	{ UC_MEM_READ_PROT, RSB_TROUBLE_NOT_READABLE, false, true },
	{ UC_MEM_WRITE_PROT, RSB_TROUBLE_NOT_WRITABLE, false, true },
	{ UC_MEM_FETCH_PROT, RSB_TROUBLE_NOT_EXECUTABLE, false, false },
};

static const struct access *find_access(uc_mem_type type)
{
	const struct access *access = accesses;

	while (access->type != type)
		access++;
	return access;
}

/*
 * Brings in what an access of some bytes touches: it may cross into a second page. False: nothing is
 * there, or it cannot be read; *missing says where.
 */
static bool load(struct rsb_machine *machine, uint64_t address, uint64_t size, uint64_t *missing)
{
	uint64_t pages[] = { address, (address + size - 1) & ~(uint64_t)(RSB_PAGE - 1) };

	for (size_t i = 0; i < 2; i++) {
		*missing = pages[i];
		if (!rsb_memory_find(&machine->memory, pages[i]) &&
		    !rsb_memory_load(&machine->memory, pages[i], &machine->trouble.error))
			return false;
	}
	return true;
}

static enum rsb_trouble_kind place_trouble(const struct rsb_machine *machine, uint64_t address,
					   enum rsb_trouble_kind otherwise)
{
	switch (rsb_memory_place(&machine->memory, address)) {
	case RSB_PLACE_BELOW:
		return RSB_TROUBLE_OVERFLOW;
	case RSB_PLACE_ABOVE:
		return RSB_TROUBLE_UNDERFLOW;
	default:
		return otherwise;
	}
}

static bool on_invalid_access(uc_engine *engine, uc_mem_type type, uint64_t address, int size,
			      int64_t value, void *context)
{
	struct rsb_machine *machine = context;
	const struct access *access = find_access(type);
	enum rsb_trouble_kind kind = access->kind;
	uint64_t pc = machine->last->last, missing = address;

	(void)value;
	if (access->missing) {
		if (load(machine, address, (uint64_t)size, &missing))
			return true;
		if (machine->trouble.error.text[0])
			kind = RSB_TROUBLE_LOAD;
	}
	if (access->data) {
		kind = place_trouble(machine, missing, kind);
		pc = machine->exact ? rsb_register_read(engine, UC_X86_REG_RIP)
				    : machine->last->start;
	}
	rsb_trouble_set(machine, kind, pc, missing, 0);
	machine->trouble.somewhere = access->data && !machine->exact;
	return false;
}

/*
 * The engine's rip is right here. int n and int3 end their block and leave it behind them; a fault
 * leaves it at the instruction.
 */
static void on_interrupt(uc_engine *engine, uint32_t vector, void *context)
{
	struct rsb_machine *machine = context;
	uint64_t rip = rsb_register_read(engine, UC_X86_REG_RIP);
	const struct rsb_block *last = machine->last;

	if (rip == last->end && last->flags & RSB_BLOCK_TRANSFER)
		rsb_trouble_set(machine, RSB_TROUBLE_INTERRUPT, last->last, 0, vector);
	else
		rsb_trouble_set(machine, RSB_TROUBLE_EXCEPTION, rip, 0, vector);
}

/* Without a hook the engine skips a syscall silently. */
static void on_syscall(uc_engine *engine, void *context)
{
	struct rsb_machine *machine = context;

	rsb_trouble_set(machine, RSB_TROUBLE_SYSCALL, machine->last->last, 0,
			rsb_register_read(engine, UC_X86_REG_RAX));
}

/* An access to memory in a range that is none: the engine keeps rip right for it all the same. */
static void on_nothing(uc_engine *engine, uc_mem_type type, uint64_t address, int size,
		       int64_t value, void *context)
{
	(void)engine;
	(void)type;
	(void)address;
	(void)size;
	(void)value;
	(void)context;
}

bool rsb_hooks_add(struct rsb_machine *machine, struct rsb_error *error)
{
	uc_engine *engine = machine->engine;
	uint64_t exit = rsb_memory_exit(&machine->memory);
	uc_hook hook;

	if (uc_hook_add(engine, &hook, UC_HOOK_BLOCK, on_block, machine, EVERYWHERE) ||
	    uc_hook_add(engine, &hook, UC_HOOK_EDGE_GENERATED, on_translation, machine,
			EVERYWHERE) ||
	    uc_hook_add(engine, &hook, UC_HOOK_MEM_INVALID, on_invalid_access, machine,
			EVERYWHERE) ||
	    uc_hook_add(engine, &hook, UC_HOOK_INTR, on_interrupt, machine, EVERYWHERE) ||
	    uc_hook_add(engine, &hook, UC_HOOK_INSN, on_syscall, machine, EVERYWHERE,
			UC_X86_INS_SYSCALL))
		return rsb_error_set(error, "the engine refuses a hook");
	if (machine->exact && uc_hook_add(engine, &hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE,
					  on_nothing, machine, exit, exit))
		return rsb_error_set(error, "the engine refuses a hook");
	return true;
}
