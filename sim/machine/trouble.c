/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages about what went wrong in a round: one row for each kind. */
#include "sim/machine/private.h"

#include <stdio.h>
#include <string.h>

#define PLACE_SIZE 320

/* What a message says beside the instruction. */
enum says {
	SAYS_NOTHING,
	SAYS_ADDRESS, /* that was touched, or gone to */
	SAYS_BYTES,   /* of the instruction */
	SAYS_VECTOR,
	SAYS_NUMBER, /* of the system call */
	SAYS_STATUS, /* that the program ended with */
	SAYS_BUDGET,
	SAYS_STACK, /* how far the stack pointer is off */
	SAYS_END,   /* where the round ended */
	SAYS_ERROR, /* the kind's own message */
};

struct row {
	const char *what;
	enum says says;
};

static const struct row rows[] = {
	[RSB_TROUBLE_READ] = { "read of unmapped memory", SAYS_ADDRESS },
	[RSB_TROUBLE_WRITE] = { "write to unmapped memory", SAYS_ADDRESS },
	[RSB_TROUBLE_FETCH] = { "jump to unmapped memory", SAYS_ADDRESS },
	[RSB_TROUBLE_NOT_READABLE] = { "read of memory that may not be read", SAYS_ADDRESS },
	[RSB_TROUBLE_NOT_WRITABLE] = { "write to read-only memory", SAYS_ADDRESS },
	[RSB_TROUBLE_NOT_EXECUTABLE] = { "jump to memory that may not be executed", SAYS_ADDRESS },
	[RSB_TROUBLE_RUN_OFF] = { "the code runs on into unmapped memory", SAYS_ADDRESS },
	[RSB_TROUBLE_OVERFLOW] = { "stack overflow", SAYS_ADDRESS },
	[RSB_TROUBLE_UNDERFLOW] = { "stack underflow", SAYS_ADDRESS },
	[RSB_TROUBLE_SHADOW] = { "the shadow stack runs into unmapped memory", SAYS_ADDRESS },
	[RSB_TROUBLE_LOAD] = { "memory cannot be brought in", SAYS_ERROR },
	[RSB_TROUBLE_REFUSED] = { "the engine refuses the instruction", SAYS_BYTES },
	[RSB_TROUBLE_UNKNOWN] = { "unknown instruction", SAYS_BYTES },
	[RSB_TROUBLE_MISRUN] = { "the engine cannot run the instruction", SAYS_BYTES },
	[RSB_TROUBLE_EXCEPTION] = { "exception", SAYS_VECTOR },
	[RSB_TROUBLE_INTERRUPT] = { "interrupt that nothing serves", SAYS_VECTOR },
	[RSB_TROUBLE_SYSCALL] = { "system calls are not served", SAYS_NUMBER },
	[RSB_TROUBLE_UNSERVED] = { "the program makes a system call that is not served",
				   SAYS_NUMBER },
	[RSB_TROUBLE_NO_ENTRY] = { "the program ended before it came to its entry", SAYS_STATUS },
	[RSB_TROUBLE_HALT] = { "the processor was halted", SAYS_NOTHING },
	[RSB_TROUBLE_BUDGET] = { "did not return within the budget; last", SAYS_BUDGET },
	[RSB_TROUBLE_AGAIN] = { "traced call while the one before has not landed", SAYS_NOTHING },
	[RSB_TROUBLE_NEVER_LANDED] = { "traced call that never landed", SAYS_END },
	[RSB_TROUBLE_UNBALANCED] = { "rsb_round left its stack unbalanced", SAYS_STACK },
	[RSB_TROUBLE_MEMORY] = { "the run cannot go on", SAYS_ERROR },
	[RSB_TROUBLE_ENGINE] = { "the engine stopped", SAYS_ERROR },
};

/* Intel SDM volume 3, table 6-1. */
static const char *const vectors[] = {
	[0] = "#DE",  [1] = "#DB",  [3] = "#BP",  [4] = "#OF",  [5] = "#BR",
	[6] = "#UD",  [7] = "#NM",  [8] = "#DF",  [10] = "#TS", [11] = "#NP",
	[12] = "#SS", [13] = "#GP", [14] = "#PF", [16] = "#MF", [17] = "#AC",
	[18] = "#MC", [19] = "#XM", [20] = "#VE", [21] = "#CP",
};

void rsb_trouble_set(struct rsb_machine *machine, enum rsb_trouble_kind kind, uint64_t pc,
		     uint64_t address, uint64_t detail)
{
	struct rsb_trouble *trouble = &machine->trouble;

	uc_emu_stop(machine->engine);
	if (trouble->kind != RSB_TROUBLE_NONE)
		return;
	trouble->kind = kind;
	trouble->pc = pc;
	trouble->address = address;
	trouble->detail = detail;
}

/* "name+0x5e (0x40105e)", or "0x40105e". */
static void describe(const struct rsb_machine *machine, uint64_t address, char out[PLACE_SIZE])
{
	char name[PLACE_SIZE - 32];
	uint64_t start, end;

	if (!rsb_image_symbol_at(machine->image, address, &start, &end)) {
		snprintf(out, PLACE_SIZE, "0x%llx", (unsigned long long)address);
		return;
	}
	rsb_image_describe(machine->image, address, name, sizeof(name));
	snprintf(out, PLACE_SIZE, "%s (0x%llx)", name, (unsigned long long)address);
}

/* The text of the instruction at pc with ": " before it; nothing if it cannot be read. */
static void disassemble(const struct rsb_machine *machine, uint64_t pc, char out[PLACE_SIZE])
{
	uint8_t bytes[RSB_INSTRUCTION_MAX];
	size_t size = rsb_memory_read(&machine->memory, pc, bytes, sizeof(bytes));
	char text[RSB_INSTRUCTION_TEXT];

	out[0] = '\0';
	if (rsb_instruction_decode(&machine->disassembler, bytes, size, pc, text))
		snprintf(out, PLACE_SIZE, ": %s", text);
}

static void dump(const struct rsb_machine *machine, uint64_t pc, char out[PLACE_SIZE])
{
	uint8_t bytes[RSB_INSTRUCTION_MAX];
	size_t size = rsb_memory_read(&machine->memory, pc, bytes, sizeof(bytes));
	size_t length = rsb_instruction_decode(&machine->disassembler, bytes, size, pc, NULL);
	int at = snprintf(out, PLACE_SIZE, ", bytes");

	for (size_t i = 0; i < (length ? length : size); i++)
		at += snprintf(out + at, PLACE_SIZE - (size_t)at, " %02x", bytes[i]);
}

static void name_vector(uint64_t vector, char out[PLACE_SIZE])
{
	const char *name = vector < sizeof(vectors) / sizeof(vectors[0]) ? vectors[vector] : NULL;

	snprintf(out, PLACE_SIZE, ", vector %llu%s%s%s", (unsigned long long)vector,
		 name ? " (" : "", name ? name : "", name ? ")" : "");
}

/* What stands behind the instruction. */
static void detail(const struct rsb_machine *machine, enum says says, char out[PLACE_SIZE])
{
	const struct rsb_trouble *trouble = &machine->trouble;
	unsigned long long number = trouble->detail;
	const char *name;
	char place[PLACE_SIZE];

	out[0] = '\0';
	describe(machine, trouble->address, place);
	switch (says) {
	case SAYS_NOTHING:
		break;
	case SAYS_ADDRESS:
		snprintf(out, PLACE_SIZE, ", address %.300s", place);
		break;
	case SAYS_BYTES:
		dump(machine, trouble->pc, out);
		break;
	case SAYS_VECTOR:
		name_vector(number, out);
		break;
	case SAYS_NUMBER:
		name = rsb_program_call_name(number);
		snprintf(out, PLACE_SIZE, ", number %llu%s%s%s", number, name ? " (" : "",
			 name ? name : "", name ? ")" : "");
		break;
	case SAYS_STATUS:
		snprintf(out, PLACE_SIZE, "; its exit status was %llu", number);
		break;
	case SAYS_BUDGET:
		snprintf(out, PLACE_SIZE, " (the budget is %llu instructions a round)",
			 (unsigned long long)machine->options.budget);
		break;
	case SAYS_STACK:
		snprintf(out, PLACE_SIZE, ", stack pointer off by %lld bytes", (long long)number);
		break;
	case SAYS_END:
		snprintf(out, PLACE_SIZE, "; the round ended at %.290s", place);
		break;
	case SAYS_ERROR:
		snprintf(out, PLACE_SIZE, ": %.310s", trouble->error.text);
		break;
	}
}

bool rsb_trouble_report(const struct rsb_machine *machine, struct rsb_error *error)
{
	const struct rsb_trouble *trouble = &machine->trouble;
	const struct row *row = &rows[trouble->kind];
	char place[PLACE_SIZE], text[PLACE_SIZE] = "", tail[PLACE_SIZE], hint[PLACE_SIZE] = "";

	describe(machine, trouble->pc, place);
	if (!trouble->somewhere)
		disassemble(machine, trouble->pc, text);
	detail(machine, row->says, tail);
	if (trouble->kind == RSB_TROUBLE_READ || trouble->kind == RSB_TROUBLE_WRITE)
		rsb_arguments_hint(machine, text, hint, sizeof(hint));
	return rsb_error_set(error, "%s %s %s%s%s%s", row->what,
			     trouble->somewhere ? "in the block at" : "at", place, text, tail,
			     hint);
}
