/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms: what the code returns by and calls through. The listings of the thunks were written
 * after arch/x86/lib/retpoline.S of Linux 6.12 as it stands in memory once patched.
 */
#include "sim/generate/forms.h"

#include "sim/generate/thunks.h"
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

static struct rsb_image *image;
static struct rsb_error error;
static char got[4096];

static void generate(const char *set)
{
	image = listing_family("plain-call", set, &RSB_SCENARIO_UNWIND, &error);
	ck_assert_msg(image, "%s: %s", set, error.text);
}

static uint64_t find(const char *symbol)
{
	uint64_t address;

	ck_assert_msg(rsb_image_find(image, symbol, &address, &error), "%s", error.text);
	return address;
}

static void expect(const char *symbol, const char *want)
{
	listing_write_symbol(image, symbol, got, sizeof(got));
	ck_assert_str_eq(got, want);
}

static void expect_mitigation(const char *symbol, enum rsb_mitigation kind)
{
	ck_assert_int_eq(rsb_image_mitigation(image, find(symbol)), kind);
}

/* Every return of the traced function and of the callers goes to the thunk. */
static void expect_returns(const char *thunk)
{
	static const char *const functions[] = { "target", "caller_1", "rsb_landing" };
	char jump[64];

	snprintf(jump, sizeof(jump), "jmp %s\n", thunk);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		listing_write_symbol(image, functions[i], got, sizeof(got));
		ck_assert_msg(strstr(got, jump), "%s:\n%s", functions[i], got);
		ck_assert_msg(!strstr(got, "ret\n"), "%s:\n%s", functions[i], got);
	}
}

/* The call into rsb_round is nobody's event, so the way out of it is no thunk's. */
START_TEST(the_round_returns_plainly)
{
	generate("return_thunk=srso");
	listing_write_symbol(image, "rsb_round", got, sizeof(got));
	ck_assert_ptr_nonnull(strstr(got, "pop rbx\nret\n"));
	ck_assert_ptr_null(strstr(got, "jmp"));
	rsb_image_free(image);
}
END_TEST

/* The plain form returns by ret and has no thunk. */
START_TEST(no_thunk)
{
	generate("return_thunk=none");
	ck_assert(!rsb_image_find(image, "__x86_return_thunk", &(uint64_t){ 0 }, &error));
	listing_write_symbol(image, "target", got, sizeof(got));
	ck_assert_ptr_nonnull(strstr(got, "pop rbp\nret\n"));
	rsb_image_free(image);
}
END_TEST

/* ret at the places that the flaws ask for: the start of a line, its upper half. */
START_TEST(thunks_of_one_ret)
{
	static const struct {
		const char *set, *thunk;
		unsigned in_line;
	} rows[] = {
		{ "return_thunk=rethunk", "__x86_return_thunk", 0 },
		{ "return_thunk=retbleed", "retbleed_return_thunk", 0 },
		{ "return_thunk=its", "its_return_thunk", 32 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		generate(rows[i].set);
		expect(rows[i].thunk, "ret\n");
		ck_assert_uint_eq(find(rows[i].thunk) % 64, rows[i].in_line);
		expect_mitigation(rows[i].thunk, RSB_MITIGATION_RETURN);
		expect_mitigation("target", RSB_MITIGATION_NONE);
		expect_returns(rows[i].thunk);
		rsb_image_free(image);
	}
}
END_TEST

/* The call's return address is dropped from memory, and is what the ret predicts. */
START_TEST(safe_ret)
{
	generate("return_thunk=srso");
	expect("srso_return_thunk", "call srso_safe_ret\nud2\n");
	expect("srso_safe_ret", "lea rsp, [rsp + 8]\nret\n");
	expect_mitigation("srso_return_thunk", RSB_MITIGATION_RETURN);
	expect_mitigation("srso_safe_ret", RSB_MITIGATION_RETURN);
	expect_returns("srso_return_thunk");
	rsb_image_free(image);

	generate("return_thunk=srso-alias");
	expect("srso_alias_return_thunk", "call srso_alias_safe_ret\nud2\n");
	expect("srso_alias_safe_ret", "lea rsp, [rsp + 8]\nret\n");
	expect_returns("srso_alias_return_thunk");
	rsb_image_free(image);
}
END_TEST

static void append(char *text, size_t size, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s", more);
}

/* A refill makes 16 calls over an int3 (RSB_RET_STUFF_LOOPS); then all 12 that fit are known. */
START_TEST(call_depth)
{
	char want[4096] = "shl qword ptr gs:[0x10], 5\n"
			  "je call_depth_return_thunk+0xe\n"
			  "ret\n"
			  "int3\n";

	for (unsigned i = 0; i < 16; i++) {
		char call[64];

		snprintf(call, sizeof(call), "call call_depth_return_thunk+0x%x\nint3\n",
			 0xe + 6 * (i + 1));
		append(want, sizeof(want), call);
	}
	append(want, sizeof(want),
	       "add rsp, 0x80\n"
	       "mov qword ptr gs:[0x10], -1\n"
	       "ret\n");
	generate("return_thunk=call-depth");
	expect("call_depth_return_thunk", want);
	expect_mitigation("call_depth_return_thunk", RSB_MITIGATION_RETURN);
	expect_returns("call_depth_return_thunk");
	rsb_image_free(image);
}
END_TEST

/* The variable starts as a kernel entry leaves it: RESET_CALL_DEPTH. */
START_TEST(call_depth_variable)
{
	uint8_t bytes[8];

	generate("return_thunk=call-depth");
	ck_assert_uint_eq(rsb_image_gs_base(image) + 0x10, find("call_depth"));
	ck_assert(rsb_image_read(image, find("call_depth"), bytes, sizeof(bytes), &error));
	ck_assert_mem_eq(bytes, ((uint8_t[]){ 0, 0, 0, 0, 0, 0, 0, 0x80 }), sizeof(bytes));
	rsb_image_free(image);
}
END_TEST

/* Every caller's call is accounted for, the traced one just before it, rsb_round's too. */
START_TEST(callers_account)
{
	generate("return_thunk=call-depth");
	expect("caller_1", "push rax\n"
			   "sar qword ptr gs:[0x10], 5\n"
			   "call caller_2\n"
			   "pop rcx\n"
			   "jmp call_depth_return_thunk\n");
	listing_write(image, find("caller_8"), find("rsb_landing"), got, sizeof(got));
	ck_assert_str_eq(got, "push 1\n"
			      "mov edi, 1\n"
			      "mov esi, 2\n"
			      "sar qword ptr gs:[0x10], 5\n"
			      "call target\n");
	listing_write_symbol(image, "rsb_round", got, sizeof(got));
	ck_assert_ptr_nonnull(strstr(got, "sar qword ptr gs:[0x10], 5\ncall caller_1\n"));
	rsb_image_free(image);
}
END_TEST

/* Code that calls and jumps through rdx, with these forms and their thunks. */
static void generate_indirect(enum rsb_return_thunk thunk, enum rsb_indirect indirect)
{
	int64_t values[] = { thunk, indirect };
	struct rsb_forms forms = rsb_forms_make(values);
	struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);

	rsb_code_set_forms(code, &forms);
	rsb_code_function(code, "function");
	rsb_x86_call_register(code, RSB_RDX);
	rsb_x86_jmp_register(code, RSB_RDX);
	rsb_thunks_emit(code);
	image = listing_image(code);
}

/* A branch through a register is that branch, accounted for where calls are. */
START_TEST(indirect_direct)
{
	generate_indirect(RSB_THUNK_NONE, RSB_INDIRECT_DIRECT);
	expect("function", "call rdx\njmp rdx\n");
	rsb_image_free(image);
	generate_indirect(RSB_THUNK_CALL_DEPTH, RSB_INDIRECT_DIRECT);
	expect("function", "sar qword ptr gs:[0x10], 5\ncall rdx\njmp rdx\n");
	rsb_image_free(image);
}
END_TEST

/* A fence stands before the branch. */
START_TEST(indirect_lfence)
{
	generate_indirect(RSB_THUNK_NONE, RSB_INDIRECT_LFENCE);
	expect("function", "lfence\ncall rdx\nlfence\njmp rdx\n");
	rsb_image_free(image);
}
END_TEST

/*
 * jmp *reg; int3 at 32 bytes into a line, and of the next register a line on
 * (__x86_indirect_its_thunk_array). A call of it is accounted as one through the register.
 */
START_TEST(indirect_its)
{
	generate_indirect(RSB_THUNK_ITS, RSB_INDIRECT_ITS);
	expect("function", "call __x86_indirect_its_thunk_rdx\njmp __x86_indirect_its_thunk_rdx\n");
	expect("__x86_indirect_its_thunk_rdx", "jmp rdx\n");
	expect("__x86_indirect_its_thunk_r15", "jmp r15\n");
	expect_mitigation("__x86_indirect_its_thunk_rdx", RSB_MITIGATION_NONE);
	ck_assert_uint_eq(find("__x86_indirect_its_thunk_rax") % 64, 32);
	ck_assert_uint_eq(
		find("__x86_indirect_its_thunk_rcx") - find("__x86_indirect_its_thunk_rax"), 64);
	rsb_image_free(image);
	generate_indirect(RSB_THUNK_CALL_DEPTH, RSB_INDIRECT_ITS);
	expect("function", "sar qword ptr gs:[0x10], 5\n"
			   "call __x86_indirect_its_thunk_rdx\n"
			   "jmp __x86_indirect_its_thunk_rdx\n");
	rsb_image_free(image);
}
END_TEST

/* The retpoline's own return takes the return thunk, as the kernel's RET does. */
START_TEST(retpoline)
{
	generate_indirect(RSB_THUNK_NONE, RSB_INDIRECT_RETPOLINE);
	expect("function", "call __x86_indirect_thunk_rdx\njmp __x86_indirect_thunk_rdx\n");
	expect("__x86_indirect_thunk_rdx", "call __x86_indirect_thunk_rdx+0x6\n"
					   "int3\n"
					   "mov qword ptr [rsp], rdx\n"
					   "ret\n");
	expect_mitigation("__x86_indirect_thunk_rdx", RSB_MITIGATION_JUMP);
	ck_assert_uint_eq(find("__x86_indirect_thunk_r15") % 32, 0);
	rsb_image_free(image);

	generate_indirect(RSB_THUNK_SRSO, RSB_INDIRECT_RETPOLINE);
	expect("__x86_indirect_thunk_r15", "call __x86_indirect_thunk_r15+0x6\n"
					   "int3\n"
					   "mov qword ptr [rsp], r15\n"
					   "jmp srso_return_thunk\n");
	expect_mitigation("__x86_indirect_thunk_r15", RSB_MITIGATION_JUMP);
	expect_mitigation("srso_return_thunk", RSB_MITIGATION_RETURN);
	rsb_image_free(image);
}
END_TEST

/* With call depth tracking a call and a jump take different thunks, and both return plainly. */
START_TEST(retpoline_with_call_depth)
{
	generate_indirect(RSB_THUNK_CALL_DEPTH, RSB_INDIRECT_RETPOLINE);
	expect("function",
	       "call __x86_indirect_call_thunk_rdx\njmp __x86_indirect_jump_thunk_rdx\n");
	expect("__x86_indirect_call_thunk_rdx", "sar qword ptr gs:[0x10], 5\n"
						"call __x86_indirect_call_thunk_rdx+0x10\n"
						"int3\n"
						"mov qword ptr [rsp], rdx\n"
						"ret\n");
	expect("__x86_indirect_jump_thunk_rdx", "call __x86_indirect_jump_thunk_rdx+0x6\n"
						"int3\n"
						"mov qword ptr [rsp], rdx\n"
						"ret\n");
	rsb_image_free(image);
}
END_TEST

/* A kernel image's own thunk, wherever it is. */
START_TEST(external_thunk)
{
	struct rsb_forms forms = { .return_thunk = RSB_THUNK_EXTERNAL,
				   .thunk = RSB_CODE_BASE + 0x4000000 };
	struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);

	rsb_code_set_forms(code, &forms);
	rsb_code_function(code, "function");
	rsb_x86_return(code);
	rsb_thunks_emit(code);
	image = listing_image(code);
	expect("function", "jmp 0x14000000\n");
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("forms", the_round_returns_plainly, no_thunk, thunks_of_one_ret, safe_ret, call_depth,
	  call_depth_variable, callers_account, indirect_direct, indirect_lfence, indirect_its,
	  retpoline, retpoline_with_call_depth, external_thunk)
