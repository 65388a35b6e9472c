/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands for the functions that a relocatable file does not define. */
#include "sim/image/elf_object.h"

#include <string.h>

#define INT3 0xcc

/*
 * The thunks that a compiler leaves to others do not only return: they jump to what the register
 * holds (gcc's -mindirect-branch=thunk-extern, clang's -mretpoline-external-thunk).
 */
static const char *const thunks[] = {
	"__x86_indirect_thunk_",
	"__x86_indirect_call_thunk_",
	"__x86_indirect_jump_thunk_",
	"__llvm_retpoline_",
};

/* By the numbers that the instructions use. */
static const char *const registers[] = { "rax", "rcx", "rdx", "rbx", NULL,  "rbp", "rsi", "rdi",
					 "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15" };

/* The number of the register that a thunk of this name is for; -1: it is no thunk. */
static int find_register(const char *symbol)
{
	for (size_t i = 0; i < sizeof(thunks) / sizeof(*thunks); i++) {
		size_t length = strlen(thunks[i]);

		if (strncmp(symbol, thunks[i], length) != 0)
			continue;
		for (int k = 0; k < 16; k++)
			if (registers[k] && strcmp(symbol + length, registers[k]) == 0)
				return k;
	}
	return -1;
}

/* Linux 6.12, arch/x86/lib/retpoline.S: call over an int3; mov REGISTER, (%rsp); ret. */
static void write_retpoline(unsigned number, uint8_t stub[RSB_ELF_STUB])
{
	const uint8_t code[] = {
		0xe8, 1,    0, 0, 0, INT3, number & 8 ? 0x4c : 0x48, 0x89, 0x04 | (number & 7) << 3,
		0x24, 0xc3,
	};

	memcpy(stub, code, sizeof(code));
}

void rsb_elf_stub_write(const char *symbol, uint8_t stub[RSB_ELF_STUB])
{
	int number = find_register(symbol);

	memset(stub, INT3, RSB_ELF_STUB);
	if (number >= 0)
		write_retpoline((unsigned)number, stub);
	else
		stub[0] = 0xc3; /* ret */
}
