/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's life, and a round: see sim/machine/machine.h. */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"

#include <stdlib.h>
#include <string.h>

/*
 * The engine reserves this for its code when it first maps memory, and exits the whole process if
 * it cannot (Unicorn 2.0.1 under ulimit -v).
 */
#define ENGINE_RESERVES ((size_t)1 << 30)

static bool intern_marks(struct rsb_machine *machine, struct rsb_error *error)
{
	const uint64_t places[] = {
		[RSB_MARK_ROUND] = machine->entry,
		[RSB_MARK_TRACED_CALL] = machine->traced_call,
		[RSB_MARK_LANDING] = machine->landing,
	};

	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!rsb_mark_intern(machine, i, places[i], &machine->marks[i]))
			return rsb_error_set(error, "out of memory for sites");
	return true;
}

/* Is there room for what the engine reserves? */
static bool check_room(struct rsb_error *error)
{
	void *volatile room = malloc(ENGINE_RESERVES);

	if (!room)
		return rsb_error_set(error, "the engine needs 1 GiB of address space (ulimit -v)");
	free(room);
	return true;
}

static bool open_engine(struct rsb_machine *machine, struct rsb_error *error)
{
	uc_err code;

	if (!check_room(error))
		return false;
	code = uc_open(UC_ARCH_X86, UC_MODE_64, &machine->engine);
	if (code != UC_ERR_OK)
		return rsb_error_set(error, "the engine does not start: %s", uc_strerror(code));
	machine->memory.shadow = machine->options.shadow_stack ||
				 rsb_image_cet(machine->image) & RSB_CET_SHADOW_STACK;
	return rsb_memory_open(&machine->memory, machine->image, machine->engine, error) &&
	       rsb_registers_reset(machine->engine, &machine->memory, error) &&
	       rsb_block_hooks_add(machine, error) && rsb_fault_hooks_add(machine, error) &&
	       rsb_shadow_open(machine, error) && rsb_system_open(machine, error);
}

static bool open_blocks(struct rsb_machine *machine, struct rsb_error *error)
{
	machine->blocks.image = machine->image;
	machine->blocks.memory = &machine->memory;
	machine->blocks.disassembler = &machine->disassembler;
	machine->blocks.sites = machine->sites;
	machine->blocks.kinds = machine->options.kinds;
	machine->blocks.traced_call = machine->traced_call;
	machine->blocks.landing = machine->landing;
	machine->blocks.program = machine->program.what ? &machine->program : NULL;
	return (rsb_disassembler_open(&machine->disassembler) &&
		rsb_blocks_open(&machine->blocks)) ||
	       rsb_error_set(error, "out of memory");
}

static struct rsb_machine *open_machine(const struct rsb_image *image, struct rsb_sites *sites,
					const struct rsb_machine_options *options, bool exact,
					struct rsb_error *error);

/* Trouble on the way to the entry is run into again, where the engine can say what it was at. */
static bool open_manner(struct rsb_machine *machine, struct rsb_error *error)
{
	struct rsb_machine *again;

	if (machine->manner->open(machine, error))
		return true;
	if (machine->trouble.kind == RSB_TROUBLE_NONE)
		return false;
	if (machine->trouble.somewhere && !machine->exact) {
		again = open_machine(machine->image, machine->sites, &machine->options, true,
				     error);
		if (!again)
			return false;
		rsb_machine_free(again);
	}
	return rsb_trouble_report(machine, error);
}

static struct rsb_machine *open_machine(const struct rsb_image *image, struct rsb_sites *sites,
					const struct rsb_machine_options *options, bool exact,
					struct rsb_error *error)
{
	struct rsb_machine *machine = calloc(1, sizeof(*machine));

	if (!machine)
		return rsb_error_null(error, "out of memory");
	machine->image = image;
	machine->sites = sites;
	machine->options = *options;
	machine->exact = exact;
	machine->last = &rsb_block_none;
	if (!machine->options.budget)
		machine->options.budget = RSB_BUDGET;
	machine->program.what = rsb_image_program(image);
	machine->manner = machine->program.what ? &rsb_manner_program : &rsb_manner_layout;
	if (machine->manner->find(machine, error) && intern_marks(machine, error) &&
	    open_blocks(machine, error) && open_engine(machine, error) &&
	    open_manner(machine, error)) {
		rsb_ahead_from(machine, machine->entry);
		return machine;
	}
	rsb_machine_free(machine);
	return NULL;
}

struct rsb_machine *rsb_machine_new(const struct rsb_image *image, struct rsb_sites *sites,
				    const struct rsb_machine_options *options,
				    struct rsb_error *error)
{
	return open_machine(image, sites, options, false, error);
}

void rsb_machine_free(struct rsb_machine *machine)
{
	if (!machine)
		return;
	rsb_system_close(machine);
	rsb_clock_close(machine);
	if (machine->engine)
		uc_close(machine->engine);
	rsb_program_close(machine);
	rsb_memory_close(&machine->memory);
	rsb_blocks_close(&machine->blocks);
	rsb_disassembler_close(&machine->disassembler);
	free(machine);
}

/*
 * Runs the trouble again, from the first round, where the engine can say which instruction it was.
 */
static bool locate(const struct rsb_machine *machine, struct rsb_error *error)
{
	struct rsb_machine *again =
		open_machine(machine->image, machine->sites, &machine->options, true, error);
	struct rsb_trace trace = { 0 };
	struct rsb_round round;
	bool found = false;

	if (!again)
		return false;
	for (uint64_t i = 0; i < machine->rounds; i++) {
		trace.count = 0;
		if (!rsb_machine_round(again, &trace, &round, error)) {
			found = again->trouble.kind == machine->trouble.kind;
			break;
		}
	}
	rsb_trace_clear(&trace);
	rsb_machine_free(again);
	return found;
}

static bool fail(const struct rsb_machine *machine, struct rsb_error *error)
{
	if (machine->trouble.somewhere && locate(machine, error))
		return false;
	return rsb_trouble_report(machine, error);
}

/* Returns where the round goes on from. */
static uint64_t begin(struct rsb_machine *machine, struct rsb_trace *trace)
{
	const struct rsb_event *mark = &machine->marks[RSB_MARK_ROUND];
	uint64_t pc;

	machine->rounds++;
	machine->trace = trace;
	machine->last = &rsb_block_none;
	machine->left = machine->options.budget;
	machine->extra = 0;
	machine->open = false;
	machine->round = (struct rsb_round){ 0 };
	pc = machine->manner->begin(machine);
	if (!rsb_trace_add(trace, mark->site, mark->target)) {
		rsb_error_set(&machine->trouble.error, "out of memory for events");
		rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, machine->entry, 0, 0);
	}
	return pc;
}

/* What the engine calls success, or does not explain. */
static void settle(struct rsb_machine *machine, uc_err code)
{
	uint64_t rip = rsb_register_read(machine->engine, UC_X86_REG_RIP);
	struct rsb_trouble *trouble = &machine->trouble;

	if (trouble->kind == RSB_TROUBLE_FETCH &&
	    (rip != trouble->address || machine->last == &rsb_block_none)) {
		/* The block at rip could not be read to its end, or nothing leads to it. */
		trouble->kind = RSB_TROUBLE_RUN_OFF;
		trouble->pc = rip;
	}
	if (trouble->kind != RSB_TROUBLE_NONE)
		return;
	if (code == UC_ERR_INSN_INVALID) {
		bool barred = rsb_ahead_restore(machine, rip);

		rsb_trouble_set(machine, barred ? RSB_TROUBLE_MISRUN : RSB_TROUBLE_REFUSED, rip, 0,
				0);
	} else if (code != UC_ERR_OK) {
		rsb_error_set(&trouble->error, "%s", uc_strerror(code));
		rsb_trouble_set(machine, RSB_TROUBLE_ENGINE, rip, 0, 0);
	} else {
		machine->manner->end(machine, rip);
	}
}

/* Always the same exit: blocks that were translated for another would run through it. */
static uc_err start(struct rsb_machine *machine, uint64_t pc)
{
	return uc_emu_start(machine->engine, pc, rsb_memory_exit(&machine->memory), 0, 0);
}

/* Runs on from pc, and does for the engine what it stops for. */
void rsb_machine_run(struct rsb_machine *machine, uint64_t pc)
{
	uc_err code = start(machine, pc);

	while (rsb_clock_resume(machine, code) || rsb_system_resume(machine, code) ||
	       (code == UC_ERR_INSN_INVALID && rsb_shadow_emulate(machine)) ||
	       (code == UC_ERR_OK && rsb_program_serve(machine)))
		code = start(machine, rsb_register_read(machine->engine, UC_X86_REG_RIP));
	settle(machine, code);
}

bool rsb_machine_round(struct rsb_machine *machine, struct rsb_trace *trace,
		       struct rsb_round *round, struct rsb_error *error)
{
	if (machine->trouble.kind != RSB_TROUBLE_NONE)
		return fail(machine, error);
	if (machine->manner->once && machine->rounds)
		return rsb_error_set(error, "a program runs once, and another round was asked for");
	rsb_machine_run(machine, begin(machine, trace));
	if (machine->trouble.kind != RSB_TROUBLE_NONE)
		return fail(machine, error);
	machine->round.instructions = rsb_machine_executed(machine);
	*round = machine->round;
	return true;
}

struct rsb_ending rsb_machine_ending(const struct rsb_machine *machine)
{
	return machine->program.ending;
}
