/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rounds through the callers in an image: from rsb_round, by rsb_traced_call and rsb_landing, to
 * the return address that the machine puts on the stack.
 */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"
#include "traces/transfer.h"

static bool find(struct rsb_machine *machine, struct rsb_error *error)
{
	return rsb_image_find(machine->image, "rsb_round", &machine->entry, error) &&
	       rsb_image_find(machine->image, "rsb_traced_call", &machine->traced_call, error) &&
	       rsb_image_find(machine->image, "rsb_landing", &machine->landing, error);
}

static bool is_traced_call(const struct rsb_machine *machine, const uint8_t *bytes, size_t length)
{
	struct rsb_transfer transfer = rsb_transfer_x86_64(bytes, length, machine->traced_call);

	return transfer.transfers &&
	       (transfer.kind == RSB_CALL ||
		((transfer.kind == RSB_SYSCALL || transfer.kind == RSB_INTERRUPT) &&
		 rsb_image_system(machine->image)));
}

/*
 * rsb_traced_call must be a near call, or a system call or exception if there is a kernel to enter;
 * and rsb_landing where it returns to.
 */
static bool open(struct rsb_machine *machine, struct rsb_error *error)
{
	uint8_t bytes[RSB_INSTRUCTION_MAX];
	struct rsb_error ignored; /* the instruction may end with its segment */
	struct rsb_memory *memory = &machine->memory;
	uint64_t pc = machine->traced_call;
	size_t size, length;

	if (!rsb_memory_find(memory, pc) && !rsb_memory_load(memory, pc, error))
		return error->text[0]
			       ? false
			       : rsb_error_set(error, "rsb_traced_call (0x%llx) is not mapped",
					       (unsigned long long)pc);
	if (!rsb_memory_find(memory, pc + sizeof(bytes) - 1))
		rsb_memory_load(memory, pc + sizeof(bytes) - 1, &ignored);
	size = rsb_memory_read(memory, pc, bytes, sizeof(bytes));
	length = rsb_instruction_decode(&machine->disassembler, bytes, size, pc, NULL);
	if (!length || !is_traced_call(machine, bytes, length))
		return rsb_error_set(error, "rsb_traced_call (0x%llx) is not a near call",
				     (unsigned long long)pc);
	if (machine->landing != pc + length)
		return rsb_error_set(
			error, "rsb_landing is 0x%llx, but the traced call returns to 0x%llx",
			(unsigned long long)machine->landing, (unsigned long long)(pc + length));
	return true;
}

static uint64_t begin(struct rsb_machine *machine)
{
	uint64_t exit = rsb_memory_exit(&machine->memory);
	uint64_t rsp;

	machine->rsp = rsb_memory_stack_top(&machine->memory);
	rsp = machine->rsp - sizeof(exit);
	rsb_memory_write(&machine->memory, rsp, &exit, sizeof(exit));
	uc_reg_write(machine->engine, UC_X86_REG_RSP, &rsp);
	rsb_shadow_begin(machine);
	return machine->entry;
}

void rsb_round_call(struct rsb_machine *machine)
{
	uint64_t rsp = machine->system.caller_rsp;

	if (machine->open) {
		rsb_trouble_set(machine, RSB_TROUBLE_AGAIN, machine->traced_call, 0, 0);
		return;
	}
	/* The callee's stack pointer is below the return address; a kernel's is its own. */
	if (machine->last->flags & RSB_BLOCK_CALL)
		rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP) + 8;
	rsb_arguments_keep(machine);
	rsb_span_open(machine, &machine->marks[RSB_MARK_TRACED_CALL], rsp);
}

static void land(struct rsb_machine *machine, const struct rsb_block *block)
{
	(void)block;
	if (!machine->open ||
	    rsb_register_read(machine->engine, UC_X86_REG_RSP) != machine->landing_rsp)
		return;
	rsb_span_close(machine, &machine->marks[RSB_MARK_LANDING]);
	rsb_shadow_land(machine);
}

static void call_system(struct rsb_machine *machine)
{
	if (rsb_incidents_serve_syscalls(machine->image) || rsb_system_call(machine))
		return;
	rsb_trouble_set(machine, RSB_TROUBLE_SYSCALL, machine->last->last, 0,
			rsb_register_read(machine->engine, UC_X86_REG_RAX));
}

static void end(struct rsb_machine *machine, uint64_t rip)
{
	uint64_t rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP);
	uint64_t last = machine->last->last;

	if (rip != rsb_memory_exit(&machine->memory))
		rsb_trouble_set(machine, RSB_TROUBLE_HALT, last, 0, 0);
	else if (machine->open)
		rsb_trouble_set(machine, RSB_TROUBLE_NEVER_LANDED, machine->traced_call, last, 0);
	else if (rsp != machine->rsp)
		rsb_trouble_set(machine, RSB_TROUBLE_UNBALANCED, last, 0, rsp - machine->rsp);
	else if (machine->last->flags & RSB_BLOCK_INCIDENT)
		rsb_incidents_in(machine, machine->last, machine->last->end);
}

const struct rsb_manner rsb_manner_layout = {
	.find = find,
	.open = open,
	.begin = begin,
	.land = land,
	.call_system = call_system,
	.end = end,
};
