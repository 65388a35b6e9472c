/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Naming instructions and addresses. */
#include "sim/explain/place.h"

#include "traces/transfer.h"

#include <stdlib.h>
#include <string.h>

#define SYMBOL_SIZE 512
#define BEFORE      4u /* lines shown before the culprit, and ... */
#define AFTER       3u /* ... after it */
#define FILLER      0xcc

/* Code before pc in its symbol that is decoded at the most. */
#define BEFORE_MAX 65536u

_Static_assert(sizeof(((struct rsb_instruction *)0)->bytes) == RSB_INSTRUCTION_MAX,
	       "an instruction holds the longest one");

/* As many bytes as there are, up to the longest instruction. */
static size_t read_bytes(const struct rsb_image *image, uint64_t pc,
			 uint8_t bytes[RSB_INSTRUCTION_MAX])
{
	size_t size = RSB_INSTRUCTION_MAX;
	struct rsb_error error;

	while (size && !rsb_image_read(image, pc, bytes, size, &error))
		size--;
	return size;
}

static size_t decode(const struct rsb_namer *namer, uint64_t pc, uint8_t bytes[RSB_INSTRUCTION_MAX],
		     char *text)
{
	size_t size = read_bytes(namer->image, pc, bytes);

	return rsb_instruction_decode(&namer->disassembler, bytes, size, pc, text);
}

/* Puts a name in the place of the address that a direct transfer goes to. */
static void name_target(const struct rsb_namer *namer, const struct rsb_instruction *instruction,
			char text[RSB_INSTRUCTION_TEXT])
{
	struct rsb_transfer transfer;
	size_t word = strcspn(text, " ");

	if (!instruction->length || !text[word])
		return;
	transfer = rsb_transfer_x86_64(instruction->bytes, instruction->length, instruction->pc);
	if (transfer.transfers && transfer.direct)
		rsb_image_describe(namer->image, transfer.target, text + word + 1,
				   RSB_INSTRUCTION_TEXT - word - 1);
}

bool rsb_place_instruction(const struct rsb_namer *namer, uint64_t pc,
			   struct rsb_instruction *instruction)
{
	char symbol[SYMBOL_SIZE], text[RSB_INSTRUCTION_TEXT] = "";

	instruction->pc = pc;
	instruction->length = (uint8_t)decode(namer, pc, instruction->bytes, text);
	name_target(namer, instruction, text);
	rsb_image_describe(namer->image, pc, symbol, sizeof(symbol));
	instruction->symbol = strdup(symbol);
	instruction->text = strdup(text);
	return instruction->symbol && instruction->text;
}

/* The last few instructions of the symbol's code up to pc, which is among them; how many. */
static size_t find_before(const struct rsb_namer *namer, uint64_t pc, uint64_t before[BEFORE + 1])
{
	uint8_t bytes[RSB_INSTRUCTION_MAX];
	uint64_t at, end;
	size_t count = 0;

	if (!rsb_image_symbol_at(namer->image, pc, &at, &end) || pc - at > BEFORE_MAX)
		return 0;
	while (at < pc) {
		size_t length = decode(namer, at, bytes, NULL);

		if (!length)
			return 0;
		if (count == BEFORE)
			memmove(before, before + 1, --count * sizeof(*before));
		before[count++] = at;
		at += length;
	}
	before[count] = pc;
	return at == pc ? count + 1 : 0;
}

bool rsb_place_around(const struct rsb_namer *namer, uint64_t pc,
		      struct rsb_instruction **instructions, size_t *count)
{
	uint64_t before[BEFORE + 1], start, end;
	size_t found = find_before(namer, pc, before);
	struct rsb_instruction *all;

	if (!found)
		return true;
	rsb_image_symbol_at(namer->image, pc, &start, &end);
	all = calloc(found + AFTER, sizeof(*all));
	*instructions = all;
	if (!all)
		return false;
	for (; *count < found; (*count)++)
		if (!rsb_place_instruction(namer, before[*count], &all[*count]))
			return false;
	for (; *count < found + AFTER; (*count)++) {
		const struct rsb_instruction *last = &all[*count - 1];

		/* Not into the next function, nor far into what fills the room before it. */
		if (!last->length || last->bytes[0] == FILLER || last->pc + last->length >= end)
			break;
		if (!rsb_place_instruction(namer, last->pc + last->length, &all[*count]))
			return false;
	}
	return true;
}

bool rsb_place_address(const struct rsb_namer *namer, uint64_t address,
		       struct rsb_named_address *named)
{
	char symbol[SYMBOL_SIZE];

	rsb_image_describe(namer->image, address, symbol, sizeof(symbol));
	named->address = address;
	named->symbol = strdup(symbol);
	return named->symbol;
}

void rsb_place_clear(struct rsb_instruction *instruction)
{
	free(instruction->symbol);
	free(instruction->text);
}
