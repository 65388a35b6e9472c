/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack that a process starts with (System V ABI for x86-64, 3.4.1): argc, argv, envp and the
 * auxiliary vector (linux/auxvec.h), and above them what they point to. There is no vDSO, so that
 * the time is asked for by system calls.
 */
#include "sim/machine/private.h"

#include <elf.h>
#include <string.h>

#define WORDS_MAX 64
#define RANDOM    16 /* bytes at AT_RANDOM */

/* The block: words, then what they point to. */
struct block {
	uint64_t words[WORDS_MAX];
	size_t count;
	uint64_t top; /* of what is pointed to, so far */
};

static uint64_t put(struct rsb_machine *machine, struct block *block, const void *bytes,
		    size_t size)
{
	block->top -= size;
	rsb_memory_write(&machine->memory, block->top, bytes, size);
	return block->top;
}

static void add(struct block *block, uint64_t word)
{
	block->words[block->count++] = word;
}

static void add_auxiliary(struct block *block, uint64_t type, uint64_t value)
{
	add(block, type);
	add(block, value);
}

static void fill(struct rsb_machine *machine, struct block *block)
{
	static const char platform[] = "x86_64";
	static const uint8_t random[RANDOM] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	const struct rsb_program *what = machine->program.what;
	uint64_t name = put(machine, block, what->name, strlen(what->name) + 1);
	const uint64_t auxiliary[][2] = {
		{ AT_PHDR, what->start.headers },
		{ AT_PHENT, sizeof(Elf64_Phdr) },
		{ AT_PHNUM, what->start.header_count },
		{ AT_PAGESZ, RSB_PAGE },
		{ AT_ENTRY, what->start.entry },
		{ AT_UID, 1000 },
		{ AT_EUID, 1000 },
		{ AT_GID, 1000 },
		{ AT_EGID, 1000 },
		{ AT_CLKTCK, 100 },
		{ AT_SECURE, 0 },
		{ AT_PLATFORM, put(machine, block, platform, sizeof(platform)) },
		{ AT_RANDOM, put(machine, block, random, sizeof(random)) },
		{ AT_EXECFN, name },
		{ AT_NULL, 0 },
	};

	add(block, 1);
	add(block, name);
	add(block, 0); /* ends argv */
	add(block, 0); /* ends envp */
	for (size_t i = 0; i < sizeof(auxiliary) / sizeof(*auxiliary); i++)
		if (auxiliary[i][0] != AT_PHDR || what->start.headers)
			add_auxiliary(block, auxiliary[i][0], auxiliary[i][1]);
}

uint64_t rsb_program_stack(struct rsb_machine *machine)
{
	struct block block = { .top = rsb_memory_stack_top(&machine->memory) };
	uint64_t rsp;

	fill(machine, &block);
	rsp = (block.top - block.count * sizeof(*block.words)) & ~UINT64_C(15);
	rsb_memory_write(&machine->memory, rsp, block.words, block.count * sizeof(*block.words));
	return rsp;
}
