/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The callers of a scenario, run by an engine that is set up here and knows nothing of ours. */
#include "sim/generate/callers.h"

#include "sim/generate/thunks.h"
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <unicorn/unicorn.h>

#define STACK  UINT64_C(0x7fff0000)
#define RETURN UINT64_C(0x66660000) /* what rsb_round returns to: nothing is mapped there */
#define DATA   UINT64_C(0x20000000)

static struct rsb_error error;
static struct rsb_image *image;

static uint64_t find(const char *symbol)
{
	uint64_t address;

	ck_assert_msg(rsb_image_find(image, symbol, &address, &error), "%s", error.text);
	return address;
}

/* Callers of a function that loses every register that it may. */
static void build(unsigned depth, unsigned batch, unsigned spacing, enum rsb_return_thunk thunk)
{
	static const enum rsb_x86_register lost[] = { RSB_RAX, RSB_RCX, RSB_RDX, RSB_RSI, RSB_RDI,
						      RSB_R8,  RSB_R9,  RSB_R10, RSB_R11 };
	const struct rsb_scenario scenario = { "own", depth, batch, spacing };
	const struct rsb_forms forms = rsb_forms_make((int64_t[]){ thunk, RSB_INDIRECT_DIRECT });
	struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);
	const struct rsb_callers callers = {
		.scenario = &scenario,
		.traced = rsb_code_named(code, "target"),
		.count = 3,
		.registers = { { RSB_RDI, 7 },
			       { RSB_R11, UINT64_C(0x123456789abcdef) },
			       { RSB_R15, 8 } },
	};

	rsb_code_set_forms(code, &forms);
	rsb_callers_emit(code, &callers);
	rsb_code_function(code, "target");
	for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		rsb_x86_mov_imm(code, lost[i], 99);
	rsb_x86_return(code);
	rsb_thunks_emit(code);
	image = listing_image(code);
}

/* What was seen at the traced function's first instruction. */
static struct {
	unsigned calls;
	uint64_t rdi, r11, r15;
	unsigned misaligned, wrong_return;
} seen;

static uint64_t reg(uc_engine *engine, int number)
{
	uint64_t value;

	ck_assert_int_eq(uc_reg_read(engine, number, &value), UC_ERR_OK);
	return value;
}

static void watch(uc_engine *engine, uint64_t address, uint32_t size, void *landing)
{
	uint64_t rsp = reg(engine, UC_X86_REG_RSP), returns_to = 0;

	(void)address;
	(void)size;
	uc_mem_read(engine, rsp, &returns_to, sizeof(returns_to));
	seen.calls++;
	seen.rdi = reg(engine, UC_X86_REG_RDI);
	seen.r11 = reg(engine, UC_X86_REG_R11);
	seen.r15 = reg(engine, UC_X86_REG_R15);
	seen.misaligned += (rsp + 8) % 16 != 0;
	seen.wrong_return += returns_to != *(uint64_t *)landing;
}

static void load(uc_engine *engine)
{
	uint8_t page[RSB_PAGE];
	unsigned access;

	for (uint64_t at = RSB_CODE_BASE; rsb_image_page(image, at, page, &access, &error);
	     at += RSB_PAGE) {
		ck_assert_int_eq(uc_mem_map(engine, at, RSB_PAGE, UC_PROT_READ | UC_PROT_EXEC),
				 UC_ERR_OK);
		uc_mem_write(engine, at, page, RSB_PAGE);
	}
	uc_mem_map(engine, STACK - 0x100000, 0x100000, UC_PROT_READ | UC_PROT_WRITE);
	uc_mem_map(engine, DATA, RSB_PAGE, UC_PROT_READ | UC_PROT_WRITE);
}

/* Calls rsb_round as a compiler would: afterwards its registers must be as they were. */
static void run_round(void)
{
	static const int kept[] = { UC_X86_REG_RBX, UC_X86_REG_RBP, UC_X86_REG_R12,
				    UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15 };
	uint64_t rsp = STACK - 0x108, returns_to = RETURN, landing = find("rsb_landing");
	uint64_t traced = find("target"), base = DATA;
	uc_engine *engine;
	uc_hook hook;

	memset(&seen, 0, sizeof(seen));
	ck_assert_int_eq(uc_open(UC_ARCH_X86, UC_MODE_64, &engine), UC_ERR_OK);
	load(engine);
	uc_hook_add(engine, &hook, UC_HOOK_CODE, (void *)watch, &landing, traced, traced);
	uc_mem_write(engine, rsp, &returns_to, sizeof(returns_to));
	uc_reg_write(engine, UC_X86_REG_RSP, &rsp);
	uc_reg_write(engine, UC_X86_REG_GS_BASE, &base);
	for (uint64_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		uc_reg_write(engine, kept[i], &(uint64_t){ 1000 + i });
	ck_assert_int_eq(uc_emu_start(engine, find("rsb_round"), RETURN, 0, 0), UC_ERR_OK);
	ck_assert_uint_eq(reg(engine, UC_X86_REG_RSP), rsp + 8);
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		ck_assert_uint_eq(reg(engine, kept[i]), 1000 + i);
	uc_close(engine);
}

static const unsigned depths[] = { 0, 1, 2, 8, 100 };
static const unsigned batches[] = { 1, 2, 127, 128, 1000 };

/* As often as asked for, with the registers loaded anew each time, on an aligned stack. */
START_TEST(calls)
{
	for (size_t i = 0; i < 25; i++) {
		unsigned depth = depths[i / 5], batch = batches[i % 5];

		build(depth, batch, 128, RSB_THUNK_NONE);
		run_round();
		ck_assert_uint_eq(seen.calls, batch);
		ck_assert_uint_eq(seen.rdi, 7);
		ck_assert_uint_eq(seen.r11, UINT64_C(0x123456789abcdef));
		ck_assert_uint_eq(seen.r15, 8);
		ck_assert_uint_eq(seen.misaligned, 0);
		ck_assert_uint_eq(seen.wrong_return, 0);
		rsb_image_free(image);
	}
}
END_TEST

/* The largest batch, for which the counter needs more than 16 bits. */
START_TEST(largest_batch)
{
	build(1, RSB_BATCH_MAX, 128, RSB_THUNK_NONE);
	run_round();
	ck_assert_uint_eq(seen.calls, RSB_BATCH_MAX);
	rsb_image_free(image);
}
END_TEST

/* By any form: what a thunk does to the stack in memory is what ret does. */
START_TEST(every_form)
{
	for (unsigned thunk = RSB_THUNK_NONE; thunk < RSB_THUNK_EXTERNAL; thunk++) {
		build(20, 3, 128, thunk);
		run_round();
		ck_assert_uint_eq(seen.calls, 3);
		ck_assert_uint_eq(seen.misaligned, 0);
		rsb_image_free(image);
	}
}
END_TEST

/* Where a caller's call to the next one in stands. */
static uint64_t call_site(unsigned number, bool account)
{
	char name[32];

	snprintf(name, sizeof(name), "caller_%u", number);
	return find(name) + 1 + (account ? 10 : 0);
}

/* From each caller's site to the next's: spacing, the least included, with the longest forms too.
 */
START_TEST(spacing)
{
	static const unsigned spacings[] = { 32, 48, 128, RSB_SPACING_MAX };
	static const enum rsb_return_thunk thunks[] = { RSB_THUNK_NONE, RSB_THUNK_SRSO,
							RSB_THUNK_CALL_DEPTH };

	for (size_t i = 0; i < 12; i++) {
		enum rsb_return_thunk thunk = thunks[i % 3];
		unsigned spacing = spacings[i / 3];
		bool account = thunk == RSB_THUNK_CALL_DEPTH;
		uint64_t site;

		build(6, 1, spacing, thunk);
		site = find("rsb_traced_call");
		for (unsigned number = 5; number; number--) {
			uint8_t opcode = 0;

			site += spacing;
			ck_assert_uint_eq(call_site(number, account), site);
			ck_assert(rsb_image_read(image, site, &opcode, 1, &error));
			ck_assert_uint_eq(opcode, 0xe8);
		}
		rsb_image_free(image);
	}
}
END_TEST

/* The deepest chain that is allowed. */
START_TEST(deepest)
{
	build(RSB_DEPTH_MAX, 1, 32, RSB_THUNK_CALL_DEPTH);
	run_round();
	ck_assert_uint_eq(seen.calls, 1);
	rsb_image_free(image);
}
END_TEST

/* Numbers that no scenario has, whoever asks for them. */
START_TEST(refuses_what_is_out_of_range)
{
	static const struct {
		struct rsb_scenario scenario;
		const char *why;
	} rows[] = {
		{ { "own", 0, 1, 32 }, NULL },
		{ { "own", RSB_DEPTH_MAX, RSB_BATCH_MAX, RSB_SPACING_MAX }, NULL },
		{ { "own", RSB_DEPTH_MAX + 1, 1, 128 }, "depth is 4097, expected 0 to 4096" },
		{ { "own", 8, 0, 128 }, "batch is 0, expected 1 to 100000" },
		{ { "own", 8, RSB_BATCH_MAX + 1, 128 }, "batch is 100001" },
		{ { "own", 8, 1, 31 }, "spacing is 31, expected 32 to 4096" },
		{ { "own", 8, 1, RSB_SPACING_MAX + 1 }, "spacing is 4097" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		image = listing_family("plain-call", "", &rows[i].scenario, &error);
		ck_assert_int_eq(!image, !!rows[i].why);
		if (rows[i].why)
			ck_assert_msg(strstr(error.text, rows[i].why), "%s", error.text);
		rsb_image_free(image);
	}
}
END_TEST

UNIT_MAIN("callers", calls, largest_batch, every_form, spacing, deepest,
	  refuses_what_is_out_of_range)
