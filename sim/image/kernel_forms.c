/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The return form of a kernel's function, read off its code. */
#include "sim/image/kernel.h"

#include "traces/transfer.h"

#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_MAX   (64u << 10) /* bytes of one function that are looked at */
#define TAILS_MAX  8           /* functions in a row that end in a jump to the next */
#define THUNKS_MAX 32

#define INSTRUCTION_MAX 15 /* bytes */

/* The return thunks of the kernel: under different names, but they all end so. */
static const char thunk_suffix[] = "_return_thunk";
static const char depth_thunk[] = "call_depth_return_thunk";

struct thunks {
	uint64_t addresses[THUNKS_MAX];
	size_t count;
	uint64_t depth; /* the one that accounts; 0: none */
};

/* Those whose name does not say their word: Linux 6.12 and 6.4, arch/x86/lib/retpoline.S. */
static const struct {
	const char *symbol, *word;
} odd_names[] = {
	{ "__x86_return_thunk", "rethunk" },
	{ "zen_return_thunk", "retbleed" },
};

void rsb_kernel_thunk_word(const char *symbol, char *out, size_t size)
{
	size_t length = strlen(symbol), suffix = sizeof(thunk_suffix) - 1;

	for (size_t i = 0; i < sizeof(odd_names) / sizeof(*odd_names); i++)
		if (strcmp(odd_names[i].symbol, symbol) == 0) {
			snprintf(out, size, "%s", odd_names[i].word);
			return;
		}
	if (length > suffix && strcmp(symbol + length - suffix, thunk_suffix) == 0)
		length -= suffix;
	snprintf(out, size, "%.*s", (int)length, symbol);
	for (char *c = out; *c; c++)
		if (*c == '_')
			*c = '-';
}

/* What a function's code says. */
struct finding {
	bool returns;
	uint64_t thunk; /* 0: a plain ret */
	uint64_t tail;  /* the first jump out of the function; 0: none */
};

static void list_thunks(const struct rsb_image *image, struct thunks *thunks)
{
	size_t index = 0;
	const char *name;
	uint64_t address;

	*thunks = (struct thunks){ 0 };
	while (thunks->count < THUNKS_MAX &&
	       rsb_image_symbol_next(image, &index, &name, &address)) {
		size_t length = strlen(name), suffix = sizeof(thunk_suffix) - 1;

		if (length > suffix && strcmp(name + length - suffix, thunk_suffix) == 0)
			thunks->addresses[thunks->count++] = address;
		if (strcmp(name, depth_thunk) == 0)
			thunks->depth = address;
	}
}

static bool is_thunk(const struct thunks *thunks, uint64_t address)
{
	for (size_t i = 0; i < thunks->count; i++)
		if (thunks->addresses[i] == address)
			return true;
	return false;
}

/* Takes one instruction into account; true: the function's return is found. */
static bool look_at(const cs_insn *insn, uint64_t start, uint64_t end, const struct thunks *thunks,
		    struct finding *finding)
{
	struct rsb_transfer transfer = rsb_transfer_x86_64(insn->bytes, insn->size, insn->address);

	if (!transfer.transfers)
		return false;
	if (transfer.kind == RSB_RETURN) {
		finding->returns = true;
	} else if (transfer.kind == RSB_JUMP && is_thunk(thunks, transfer.target)) {
		finding->returns = true;
		finding->thunk = transfer.target;
	} else if (transfer.kind == RSB_JUMP && !finding->tail &&
		   (transfer.target < start || transfer.target >= end)) {
		finding->tail = transfer.target;
	}
	return finding->returns;
}

/* Copies a function's bytes, as far as the image has them; returns how many. */
static size_t copy_code(const struct rsb_image *image, uint64_t start, size_t size, uint8_t *out)
{
	struct rsb_error ignored;
	size_t done = 0;

	while (done < size) {
		size_t length = RSB_PAGE - ((start + done) & (RSB_PAGE - 1));

		if (length > size - done)
			length = size - done;
		if (!rsb_image_read(image, start + done, out + done, length, &ignored))
			break;
		done += length;
	}
	return done;
}

/*
 * Goes through the code up to the first return, in the order in which it stands; end is that of the
 * function, and the last instruction may go on behind the size bytes that are here.
 */
static void scan(csh capstone, cs_insn *insn, const uint8_t *code, size_t size, uint64_t start,
		 uint64_t end, const struct thunks *thunks, struct finding *finding)
{
	size_t least = start + size < end ? INSTRUCTION_MAX : 1;
	uint64_t address = start;

	while (size >= least) {
		if (!cs_disasm_iter(capstone, &code, &size, &address, insn)) {
			/* Not known to Capstone 4: the byte after it is the best guess. */
			code++;
			size--;
			address++;
		} else if (look_at(insn, start, end, thunks, finding)) {
			return;
		}
	}
}

static bool find_return(const struct rsb_image *image, uint64_t function,
			const struct thunks *thunks, struct finding *finding,
			struct rsb_error *error)
{
	uint64_t start, end;
	uint8_t *code = malloc(CODE_MAX);
	cs_insn *insn = NULL;
	csh capstone = 0;
	size_t size = CODE_MAX, there = 0;

	if (rsb_image_symbol_at(image, function, &start, &end) && end - function < size)
		size = end - function;
	*finding = (struct finding){ 0 };
	if (code && cs_open(CS_ARCH_X86, CS_MODE_64, &capstone) == CS_ERR_OK)
		insn = cs_malloc(capstone);
	/* Page by page, for those behind the return may not be in a capture, and need not be. */
	while (insn && there < size && !finding->returns) {
		size_t part = RSB_PAGE - ((function + there) & (RSB_PAGE - 1));

		if (part > size - there)
			part = size - there;
		if (copy_code(image, function + there, part, code + there) < part)
			size = there;
		else
			there += part;
		*finding = (struct finding){ 0 };
		scan(capstone, insn, code, there, function, function + size, thunks, finding);
	}
	if (insn)
		cs_free(insn, 1);
	if (capstone)
		cs_close(&capstone);
	free(code);
	return insn || rsb_error_set(error, "out of memory");
}

/*
 * The call depth variable, from the thunk's first instruction behind an endbr64:
 * shlq $5, %gs:variable, with an absolute or a rip-relative address (Linux 6.2 and later,
 * arch/x86/lib/retpoline.S).
 */
static bool read_account(const struct rsb_image *image, uint64_t thunk, struct rsb_forms *forms,
			 struct rsb_error *error)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const uint8_t relative[] = { 0x65, 0x48, 0xc1, 0x25 };
	static const uint8_t absolute[] = { 0x65, 0x48, 0xc1, 0x24, 0x25 };
	uint8_t bytes[16] = { 0 };
	size_t at = 0, field;
	int32_t value;

	if (copy_code(image, thunk, sizeof(bytes), bytes) < sizeof(bytes))
		return rsb_error_set(error, "%s (0x%" PRIx64 ") is not in the image", depth_thunk,
				     thunk);
	if (memcmp(bytes, endbr64, sizeof(endbr64)) == 0)
		at = sizeof(endbr64);
	if (memcmp(bytes + at, relative, sizeof(relative)) == 0)
		field = at + sizeof(relative);
	else if (memcmp(bytes + at, absolute, sizeof(absolute)) == 0)
		field = at + sizeof(absolute);
	else
		field = 0;
	if (!field || bytes[field + 4] != 5)
		return rsb_error_set(
			error, "%s (0x%" PRIx64 ") does not begin with shlq $5 of a variable in GS",
			depth_thunk, thunk);
	value = (int32_t)((uint32_t)bytes[field] | (uint32_t)bytes[field + 1] << 8 |
			  (uint32_t)bytes[field + 2] << 16 | (uint32_t)bytes[field + 3] << 24);
	forms->account = true;
	forms->account_offset = value;
	if (field == at + sizeof(relative))
		forms->account_offset = (int64_t)(thunk + field + 5 + (uint64_t)(int64_t)value);
	return true;
}

bool rsb_kernel_forms(const struct rsb_image *image, uint64_t function, struct rsb_forms *forms,
		      struct rsb_error *error)
{
	struct finding finding = { .tail = function };
	struct thunks thunks;

	*forms = (struct rsb_forms){ .return_thunk = RSB_THUNK_NONE };
	list_thunks(image, &thunks);
	for (int i = 0; i < TAILS_MAX && !finding.returns && finding.tail; i++)
		if (!find_return(image, finding.tail, &thunks, &finding, error))
			return false;
	if (!finding.thunk)
		return true;
	forms->return_thunk = RSB_THUNK_EXTERNAL;
	forms->thunk = finding.thunk;
	return finding.thunk != thunks.depth || read_account(image, finding.thunk, forms, error);
}
