/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shadow stack. Its instructions come in two kinds: the engine runs rdssp and incssp as nops,
 * so that their effect is added before they run; it refuses the others, which are done for it.
 */
#include "sim/machine/shadow.h"

#include "sim/machine/operand.h"
#include "sim/machine/registers.h"
#include "sim/machine/shadow_private.h"

#define ENTRY RSB_SHADOW_ENTRY

/* Bits of a token (Intel SDM volume 1, 17.2.3). */
#define TOKEN_LONG     UINT64_C(1) /* made in 64-bit mode */
#define TOKEN_PREVIOUS UINT64_C(2) /* of the stack that was switched from; else to restore one */
#define TOKEN_BITS     (TOKEN_LONG | TOKEN_PREVIOUS)

#define CARRY        UINT64_C(1)
#define STATUS_FLAGS UINT64_C(0x8d5) /* OF, SF, ZF, AF, PF, CF */

/* One instruction of the shadow stack's. */
struct instruction {
	uint64_t pc;
	uint8_t bytes[RSB_INSTRUCTION_MAX];
	size_t length;
	struct rsb_prefixes prefixes;
	size_t modrm; /* where its ModRM byte stands */
};

void rsb_shadow_fault(struct rsb_machine *machine, enum rsb_shadow_fault_kind kind, uint64_t pc,
		      uint64_t expected, uint64_t actual)
{
	struct rsb_shadow_tally *tally = &machine->shadow.tally;

	machine->shadow.now =
		(struct rsb_shadow_fault){ kind, pc, expected, actual, machine->open };
	if (!tally->faults)
		tally->first = machine->shadow.now;
	tally->faults++;
	tally->faults_inside += machine->open;
}

/* Brings in what an entry is in. False: nothing is there; a message says it could not be read. */
static bool load(struct rsb_machine *machine, uint64_t address)
{
	return rsb_memory_find(&machine->memory, address) ||
	       rsb_memory_load(&machine->memory, address, &machine->trouble.error);
}

bool rsb_shadow_read(struct rsb_machine *machine, uint64_t address, uint64_t *value)
{
	return load(machine, address) && load(machine, address + ENTRY - 1) &&
	       rsb_memory_read(&machine->memory, address, value, ENTRY) == ENTRY;
}

bool rsb_shadow_write(struct rsb_machine *machine, uint64_t address, uint64_t value)
{
	return load(machine, address) && load(machine, address + ENTRY - 1) &&
	       rsb_memory_write(&machine->memory, address, &value, ENTRY) == ENTRY;
}

void rsb_shadow_push(struct rsb_machine *machine, uint64_t pc, uint64_t value)
{
	machine->shadow.ssp -= ENTRY;
	if (!rsb_shadow_write(machine, machine->shadow.ssp, value))
		rsb_trouble_set(machine, RSB_TROUBLE_SHADOW, pc, machine->shadow.ssp, 0);
}

static void on_return(struct rsb_machine *machine, uint64_t pc)
{
	uint64_t rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP), target, entry;

	/* A return that cannot read its stack is trouble of the engine's. */
	if (!rsb_shadow_read(machine, rsp, &target))
		return;
	if (!rsb_shadow_read(machine, machine->shadow.ssp, &entry)) {
		rsb_shadow_fault(machine, RSB_SHADOW_FAULT_EMPTY, pc, 0, target);
		return;
	}
	machine->shadow.ssp += ENTRY;
	if (entry != target)
		rsb_shadow_fault(machine, RSB_SHADOW_FAULT_RETURN, pc, entry, target);
}

static int operand_register(const struct instruction *instruction)
{
	return rsb_operand_register((instruction->bytes[instruction->modrm] & 7) |
				    (instruction->prefixes.rex & 1) << 3);
}

static bool is_wide(const struct instruction *instruction)
{
	return instruction->prefixes.rex & 8;
}

static void read_ssp(struct rsb_machine *machine, const struct instruction *instruction)
{
	uint64_t ssp = machine->shadow.ssp;

	if (!is_wide(instruction))
		ssp = (uint32_t)ssp;
	uc_reg_write(machine->engine, operand_register(instruction), &ssp);
}

static void increment_ssp(struct rsb_machine *machine, const struct instruction *instruction)
{
	uint64_t count = rsb_register_read(machine->engine, operand_register(instruction));

	machine->shadow.ssp += (uint8_t)count * (is_wide(instruction) ? 8u : 4u);
}

static void restore_ssp(struct rsb_machine *machine, const struct instruction *instruction)
{
	uint64_t address = rsb_operand_address(machine->engine, &instruction->prefixes,
					       instruction->bytes, instruction->modrm,
					       instruction->length, instruction->pc);
	uint64_t flags = rsb_register_read(machine->engine, UC_X86_REG_EFLAGS), token = 0;

	if (address % ENTRY || !rsb_shadow_read(machine, address, &token) ||
	    (token & TOKEN_BITS) != TOKEN_LONG ||
	    (((token & ~TOKEN_LONG) - ENTRY) & ~(uint64_t)(ENTRY - 1)) != address) {
		rsb_shadow_fault(machine, RSB_SHADOW_FAULT_RESTORE, instruction->pc, 0, token);
		return;
	}
	rsb_shadow_write(machine, address, machine->shadow.ssp | TOKEN_BITS);
	machine->shadow.ssp = address;
	flags &= ~STATUS_FLAGS;
	if (token & 4) /* there is a hole of 4 bytes before the stack's entries */
		flags |= CARRY;
	uc_reg_write(machine->engine, UC_X86_REG_EFLAGS, &flags);
}

static void save_previous_ssp(struct rsb_machine *machine, const struct instruction *instruction)
{
	uint64_t flags = rsb_register_read(machine->engine, UC_X86_REG_EFLAGS), token = 0, previous;
	static const uint32_t hole = 0;

	if (machine->shadow.ssp % ENTRY || flags & CARRY ||
	    !rsb_shadow_read(machine, machine->shadow.ssp, &token) || !(token & TOKEN_PREVIOUS)) {
		rsb_shadow_fault(machine, RSB_SHADOW_FAULT_PREVIOUS, instruction->pc, 0, token);
		return;
	}
	machine->shadow.ssp += ENTRY;
	previous = token & ~TOKEN_BITS;
	rsb_memory_write(&machine->memory, previous - sizeof(hole), &hole, sizeof(hole));
	if (!rsb_shadow_write(machine, (previous & ~(uint64_t)(ENTRY - 1)) - ENTRY,
			      previous | TOKEN_LONG))
		rsb_trouble_set(machine, RSB_TROUBLE_SHADOW, instruction->pc, previous, 0);
}

/* All have the prefix f3. */
struct row {
	uint8_t opcode[2];
	uint8_t mask, modrm; /* what the ModRM byte must be, under the mask */
	bool memory;         /* the operand must be in memory */
	bool refused;        /* by the engine */
	void (*run)(struct rsb_machine *machine, const struct instruction *instruction);
};

static const struct row rows[] = {
	{ { 0x0f, 0x1e }, 0xf8, 0xc8, false, false, read_ssp },
	{ { 0x0f, 0xae }, 0xf8, 0xe8, false, false, increment_ssp },
	{ { 0x0f, 0x01 }, 0xff, 0xea, false, true, save_previous_ssp },
	{ { 0x0f, 0x01 }, 0x38, 0x28, true, true, restore_ssp },
};

static const struct row *find_row(struct instruction *instruction)
{
	const uint8_t *opcode;

	instruction->prefixes = rsb_prefixes_scan(instruction->bytes, instruction->length);
	instruction->modrm = instruction->prefixes.count + 2;
	if (!instruction->prefixes.repeat || instruction->modrm >= instruction->length)
		return NULL;
	opcode = instruction->bytes + instruction->prefixes.count;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];

		if (opcode[0] == row->opcode[0] && opcode[1] == row->opcode[1] &&
		    (opcode[2] & row->mask) == row->modrm && !(row->memory && opcode[2] >> 6 == 3))
			return row;
	}
	return NULL;
}

static void tell(const struct rsb_machine *machine, uint64_t pc)
{
	const struct rsb_watcher *watcher = machine->watcher;
	const struct rsb_shadow_fault *fault = &machine->shadow.now;

	if (watcher && watcher->returned)
		watcher->returned(watcher->context, pc,
				  fault->kind == RSB_SHADOW_FAULT_NONE ? NULL : fault);
}

static void on_transfer(struct rsb_machine *machine, const struct rsb_transfer *transfer,
			const struct instruction *instruction)
{
	uint64_t pc = instruction->pc;

	machine->shadow.now.kind = RSB_SHADOW_FAULT_NONE;
	if (transfer->kind == RSB_CALL && !(transfer->flags & RSB_SITE_ZERO_CALL))
		rsb_shadow_push(machine, pc, pc + instruction->length);
	else if (transfer->kind == RSB_RETURN)
		on_return(machine, pc);
	else
		rsb_shadow_far(machine, transfer, pc, instruction->bytes, instruction->length);
	if (transfer->kind == RSB_RETURN || transfer->kind == RSB_RETURN_FAR ||
	    transfer->kind == RSB_IRET)
		tell(machine, pc);
}

/* What a kernel does at this instruction, as it would to the program's own stack. */
static void keep_in_step(struct rsb_machine *machine, uint64_t pc)
{
	size_t count;
	const struct rsb_incident *all = rsb_image_incidents(machine->image, &count);
	uint64_t rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP), value;

	for (size_t i = 0; i < count; i++) {
		if (all[i].kind != RSB_INCIDENT_SHADOW || all[i].pc != pc ||
		    !rsb_shadow_read(machine, rsp, &value))
			continue;
		if (all[i].shadow == RSB_SHADOW_REPLACE)
			machine->shadow.ssp += ENTRY;
		rsb_shadow_push(machine, pc, value);
	}
}

/* Before each instruction. The engine's size of one that it refuses is not to be relied on. */
static void on_instruction(uc_engine *engine, uint64_t pc, uint32_t size, void *context)
{
	struct rsb_machine *machine = context;
	struct instruction instruction = { .pc = pc, .length = size };
	struct rsb_transfer transfer;
	const struct row *row;

	(void)engine;
	if (size > sizeof(instruction.bytes) ||
	    rsb_memory_read(&machine->memory, pc, instruction.bytes, size) != size)
		return;
	keep_in_step(machine, pc);
	transfer = rsb_transfer_x86_64(instruction.bytes, size, pc);
	if (machine->system.inside) {
		/* A kernel has none (Linux 6.12: IA32_S_CET), and leaves the user's alone. */
		if (transfer.transfers &&
		    (transfer.kind == RSB_SYSRET || transfer.kind == RSB_IRET))
			machine->system.inside = false;
		return;
	}
	if (transfer.transfers) {
		on_transfer(machine, &transfer, &instruction);
		return;
	}
	row = find_row(&instruction);
	if (row && !row->refused)
		row->run(machine, &instruction);
}

bool rsb_shadow_open(struct rsb_machine *machine, struct rsb_error *error)
{
	uc_hook hook;

	/* A range that begins after its end has no bounds. */
	return !machine->memory.shadow ||
	       uc_hook_add(machine->engine, &hook, UC_HOOK_CODE, on_instruction, machine,
			   UINT64_C(1), UINT64_C(0)) == UC_ERR_OK ||
	       rsb_error_set(error, "the engine refuses a hook");
}

void rsb_shadow_begin(struct rsb_machine *machine)
{
	if (!machine->memory.shadow)
		return;
	machine->shadow.ssp = rsb_memory_shadow_top(&machine->memory);
	rsb_shadow_push(machine, machine->entry, rsb_memory_exit(&machine->memory));
}

void rsb_shadow_begin_traced(struct rsb_machine *machine)
{
	machine->shadow.landing_ssp = machine->shadow.ssp +
				      (machine->last->flags & RSB_BLOCK_CALL ? ENTRY : 0);
}

/* On another stack than the call was made on there is nothing to count from. */
void rsb_shadow_land(struct rsb_machine *machine)
{
	const struct rsb_shadow_state *shadow = &machine->shadow;
	uint64_t top = rsb_memory_shadow_top(&machine->memory);

	if (top - shadow->ssp <= RSB_SHADOW_SIZE && top - shadow->landing_ssp <= RSB_SHADOW_SIZE)
		machine->shadow.tally.left += (int64_t)(shadow->landing_ssp - shadow->ssp) /
					      (int64_t)ENTRY;
}

bool rsb_shadow_emulate(struct rsb_machine *machine)
{
	uint64_t pc = rsb_register_read(machine->engine, UC_X86_REG_RIP), next;
	struct instruction instruction = { .pc = pc };
	const struct row *row;

	if (!machine->memory.shadow || machine->trouble.kind != RSB_TROUBLE_NONE)
		return false;
	instruction.length =
		rsb_memory_read(&machine->memory, pc, instruction.bytes, sizeof(instruction.bytes));
	instruction.length = rsb_instruction_decode(&machine->disassembler, instruction.bytes,
						    instruction.length, pc, NULL);
	row = find_row(&instruction);
	if (!row || !row->refused)
		return false;
	row->run(machine, &instruction);
	next = pc + instruction.length;
	uc_reg_write(machine->engine, UC_X86_REG_RIP, &next);
	/* The block that ended here did not transfer. */
	machine->last = &rsb_block_none;
	return machine->trouble.kind == RSB_TROUBLE_NONE;
}

struct rsb_shadow_tally rsb_machine_shadow(const struct rsb_machine *machine)
{
	return machine->shadow.tally;
}
