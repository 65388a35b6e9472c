/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fault through an argument that nobody gave: the register holds what it held at the traced call,
 * which is no address. The registers are those of the System V ABI (AMD64 supplement, 3.2.3), by
 * which a kernel's functions take theirs too.
 */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"

#include <stdio.h>
#include <string.h>

#define NO_ADDRESS 0x10000 /* a pointer is at least this: Linux's mmap_min_addr by default */

static const struct {
	const char *name;
	int id;
} arguments[RSB_ARGUMENTS] = {
	{ "rdi", UC_X86_REG_RDI }, { "rsi", UC_X86_REG_RSI }, { "rdx", UC_X86_REG_RDX },
	{ "rcx", UC_X86_REG_RCX }, { "r8", UC_X86_REG_R8 },   { "r9", UC_X86_REG_R9 },
};

void rsb_arguments_keep(struct rsb_machine *machine)
{
	for (size_t i = 0; machine->exact && i < RSB_ARGUMENTS; i++)
		machine->arguments[i] = rsb_register_read(machine->engine, arguments[i].id);
}

/* Is that the base of the instruction's memory operand: "[rdi + 0x70]"? */
static bool is_base(const char *text, const char *name)
{
	const char *operand = strchr(text, '[');
	size_t size = strlen(name);

	return operand && !strncmp(operand + 1, name, size) && strchr(" ]", operand[1 + size]);
}

void rsb_arguments_hint(const struct rsb_machine *machine, const char *text, char *out, size_t size)
{
	out[0] = '\0';
	if (!machine->exact || !machine->open || machine->trouble.address >= NO_ADDRESS)
		return;
	for (size_t i = 0; i < RSB_ARGUMENTS; i++) {
		uint64_t value = machine->arguments[i];

		if (is_base(text, arguments[i].name) && value < NO_ADDRESS &&
		    value == rsb_register_read(machine->engine, arguments[i].id))
			snprintf(
				out, size,
				"; %s is 0x%llx since the call: if it should point to memory, "
				"--set-reg %s=scratch, or \"registers\" in a layout file, gives it "
				"some",
				arguments[i].name, (unsigned long long)value, arguments[i].name);
	}
}
