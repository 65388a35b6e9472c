/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hooks of a machine that is watched. */
#include "sim/machine/watch.h"

#include "sim/machine/private.h"
#include "sim/machine/registers.h"

static void on_instruction(uc_engine *engine, uint64_t pc, uint32_t size, void *context)
{
	const struct rsb_watcher *watcher = context;

	watcher->instruction(watcher->context, pc, size, rsb_register_read(engine, UC_X86_REG_RSP));
}

static void on_store(uc_engine *engine, uc_mem_type type, uint64_t address, int size, int64_t value,
		     void *context)
{
	const struct rsb_watcher *watcher = context;

	(void)engine;
	(void)type;
	watcher->store(watcher->context, address, (uint32_t)size, (uint64_t)value);
}

bool rsb_machine_watch(struct rsb_machine *machine, const struct rsb_watcher *watcher,
		       struct rsb_error *error)
{
	void *context = (void *)watcher; /* the engine's type; it is not written */
	uc_hook hook;

	machine->watcher = watcher;
	/*
	 * What a program ran on its way to the entry is translated, without these hooks. The engine
	 * takes a hundred times as long to forget all as to be made, so that others are spared it.
	 */
	if (machine->manner->once)
		uc_ctl(machine->engine, UC_CTL_WRITE(UC_CTL_TB_FLUSH, 0));
	/* A range that begins after its end has no bounds. */
	if ((watcher->instruction &&
	     uc_hook_add(machine->engine, &hook, UC_HOOK_CODE, on_instruction, context, UINT64_C(1),
			 UINT64_C(0))) ||
	    (watcher->store && uc_hook_add(machine->engine, &hook, UC_HOOK_MEM_WRITE, on_store,
					   context, UINT64_C(1), UINT64_C(0))))
		return rsb_error_set(error, "the engine refuses a hook");
	return true;
}

void rsb_machine_stack(const struct rsb_machine *machine, uint64_t *start, uint64_t *end)
{
	*end = rsb_memory_stack_top(&machine->memory);
	*start = *end - RSB_STACK_SIZE;
}

size_t rsb_machine_read(const struct rsb_machine *machine, uint64_t address, void *out, size_t size)
{
	size_t got = rsb_memory_read(&machine->memory, address, out, size);

	rsb_clock_show(machine, address, out, got);
	return got;
}
