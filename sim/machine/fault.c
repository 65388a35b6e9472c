/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hooks of what code cannot do by itself: touch memory that is not there yet, or may not be
 * used so, and call for somebody to serve an interrupt or a system call.
 */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"

#define BREAKPOINT 3 /* the vector of int3 */

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

/* The engine has no other types of them. */
static const struct access *find_access(uc_mem_type type)
{
	size_t i = sizeof(accesses) / sizeof(accesses[0]) - 1;

	while (i > 0 && accesses[i].type != type)
		i--;
	return &accesses[i];
}

/*
 * Brings in what an access of some bytes touches: it may cross into a second page. False: nothing
 * is there, or it cannot be read; *missing says where.
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
	if (machine->trouble.kind != RSB_TROUBLE_NONE) /* the engine goes on to the block's end */
		return false;
	if (access->missing) {
		if (load(machine, address, (uint64_t)size, &missing)) {
			if (!access->data)
				rsb_ahead_of_fetch(machine, address);
			return true;
		}
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

	if (vector == BREAKPOINT && rsb_system_except(machine))
		return;
	if (rip == last->end && last->flags & RSB_BLOCK_TRANSFER)
		rsb_trouble_set(machine, RSB_TROUBLE_INTERRUPT, last->last, 0, vector);
	else
		rsb_trouble_set(machine, RSB_TROUBLE_EXCEPTION, rip, 0, vector);
}

/* Without a hook the engine skips a syscall silently. */
static void on_syscall(uc_engine *engine, void *context)
{
	struct rsb_machine *machine = context;

	(void)engine;
	machine->manner->call_system(machine);
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

bool rsb_fault_hooks_add(struct rsb_machine *machine, struct rsb_error *error)
{
	uc_engine *engine = machine->engine;
	uint64_t exit = rsb_memory_exit(&machine->memory);
	uc_hook hook;

	if (uc_hook_add(engine, &hook, UC_HOOK_MEM_INVALID, on_invalid_access, machine,
			RSB_HOOK_EVERYWHERE) ||
	    uc_hook_add(engine, &hook, UC_HOOK_INTR, on_interrupt, machine, RSB_HOOK_EVERYWHERE) ||
	    uc_hook_add(engine, &hook, UC_HOOK_INSN, on_syscall, machine, RSB_HOOK_EVERYWHERE,
			UC_X86_INS_SYSCALL))
		return rsb_error_set(error, "the engine refuses a hook");
	if (machine->exact && uc_hook_add(engine, &hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE,
					  on_nothing, machine, exit, exit))
		return rsb_error_set(error, "the engine refuses a hook");
	return true;
}
