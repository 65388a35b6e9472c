/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decoding the code of the program that was traced. */
#include "traces/import/code.h"

#include <capstone/capstone.h>
#include <stdlib.h>

#define LENGTH_MAX 15

struct rsb_traced_code {
	const struct rsb_import *import;
	csh capstone; /* 0 where no code is known */
	cs_insn *instruction;
};

struct rsb_traced_code *rsb_traced_code_new(const struct rsb_import *import)
{
	struct rsb_traced_code *code = calloc(1, sizeof(*code));

	if (!code)
		return NULL;
	code->import = import;
	if (!import->code)
		return code;
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &code->capstone) == CS_ERR_OK) {
		code->instruction = cs_malloc(code->capstone);
		if (code->instruction)
			return code;
	}
	rsb_traced_code_free(code);
	return NULL;
}

void rsb_traced_code_free(struct rsb_traced_code *code)
{
	if (!code)
		return;
	if (code->instruction)
		cs_free(code->instruction, 1);
	if (code->capstone)
		cs_close(&code->capstone);
	free(code);
}

bool rsb_traced_code_transfer(struct rsb_traced_code *code, uint64_t pc,
			      struct rsb_transfer *transfer, uint8_t *length)
{
	uint8_t bytes[LENGTH_MAX];
	const uint8_t *at = bytes;
	uint64_t address = pc;
	size_t size;

	if (!code->capstone)
		return false;
	size = code->import->code(code->import->code_context, pc, bytes, sizeof(bytes));
	if (!cs_disasm_iter(code->capstone, &at, &size, &address, code->instruction))
		return false;
	*length = (uint8_t)code->instruction->size;
	*transfer = rsb_transfer_x86_64(bytes, *length, pc);
	return transfer->transfers;
}

uint8_t rsb_traced_code_length(struct rsb_traced_code *code, uint64_t pc)
{
	struct rsb_transfer transfer;
	uint8_t length;

	if (!rsb_traced_code_transfer(code, pc, &transfer, &length) || transfer.kind != RSB_CALL)
		return 0;
	return length;
}
