/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thunks and fills as layouts of their own. The listings were written by hand after Linux 6.12
 * (arch/x86/include/asm/nospec-branch.h, arch/x86/lib/retpoline.S), the former of Linux 4.15, and
 * what gcc 12 makes of -mfunction-return=thunk.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

static struct rsb_image *image;

/* The mitigation at a symbol and so many bytes. */
static void expect_mitigation(const char *symbol, unsigned offset, enum rsb_mitigation kind)
{
	struct rsb_error error;
	uint64_t address;

	ck_assert_msg(rsb_image_find(image, symbol, &address, &error), "%s", error.text);
	ck_assert_msg(rsb_image_mitigation(image, address + offset) == kind, "%s+0x%x", symbol,
		      offset);
}

#define SITE "nop dword ptr [rax + rax]\n"

#define LOAD SITE "movabs rax, callee\n"

/* The branch takes the form that the code has. */
START_TEST(by_the_form)
{
	image = listing_make("indirect-branch", "");
	listing_expect(image, "target", LOAD "push rbp\ncall rax\npop rbp\nret\n");
	listing_expect(image, "callee", SITE LISTING_BODY);
	rsb_image_free(image);
	image = listing_make("indirect-branch", "branch=jmp endbr=true");
	listing_expect(image, "target", "endbr64\n" LOAD "jmp rax\n");
	listing_expect(image, "callee", "endbr64\n" SITE LISTING_BODY);
	rsb_image_free(image);
	image = listing_make("indirect-branch", "branch=jmp indirect=retpoline");
	listing_expect(image, "target", LOAD "jmp __x86_indirect_thunk_rax\n");
	rsb_image_free(image);
}
END_TEST

/* The trap is a loop; the return is no thunk's, which 4.15 does not have. */
START_TEST(old_retpoline)
{
	image = listing_make("indirect-branch",
			     "through=old-retpoline return_thunk=rethunk indirect=retpoline");
	listing_expect(image, "target",
		       LOAD "push rbp\n"
			    "call old_indirect_thunk_rax\n"
			    "pop rbp\n"
			    "jmp __x86_return_thunk\n");
	listing_expect(image, "old_indirect_thunk_rax",
		       "call old_indirect_thunk_rax+0xc\n"
		       "pause\n"
		       "lfence\n"
		       "jmp old_indirect_thunk_rax+0x5\n"
		       "mov qword ptr [rsp], rax\n"
		       "ret\n");
	expect_mitigation("old_indirect_thunk_rax", 0, RSB_MITIGATION_JUMP);
	expect_mitigation("old_indirect_thunk_rax", 0x10, RSB_MITIGATION_JUMP);
	rsb_image_free(image);
}
END_TEST

/* RETPOLINE_CALL: its own call is the mitigation's, the one that calls it is not. */
START_TEST(old_retpoline_in_place)
{
	image = listing_make("indirect-branch", "through=old-inline");
	listing_expect(image, "target",
		       LOAD "push rbp\n"
			    "jmp target+0x23\n"
			    "call target+0x1e\n"
			    "pause\n"
			    "lfence\n"
			    "jmp target+0x17\n"
			    "mov qword ptr [rsp], rax\n"
			    "ret\n"
			    "call target+0x12\n"
			    "pop rbp\n"
			    "ret\n");
	expect_mitigation("target", 0x10, RSB_MITIGATION_NONE);
	expect_mitigation("target", 0x12, RSB_MITIGATION_JUMP);
	expect_mitigation("target", 0x22, RSB_MITIGATION_JUMP);
	expect_mitigation("target", 0x23, RSB_MITIGATION_NONE);
	rsb_image_free(image);
}
END_TEST

/* Where calls are accounted, that call is too. */
START_TEST(old_retpoline_accounts)
{
	char got[8192];

	image = listing_make("indirect-branch", "through=old-inline return_thunk=call-depth");
	listing_write_symbol(image, "target", got, sizeof(got));
	ck_assert_ptr_nonnull(strstr(got, "ret\nsar qword ptr gs:[0x10], 5\ncall target+0x12\n"));
	rsb_image_free(image);
}
END_TEST

/* The function returns by it, its callers do not. */
START_TEST(return_thunks)
{
	static const struct {
		const char *set, *thunk;
	} rows[] = {
		{ "thunk=srso", "srso_return_thunk" },
		{ "thunk=srso-alias", "srso_alias_return_thunk" },
		{ "thunk=gcc", "gcc_return_thunk" },
		{ "thunk=refill", "refill_return_thunk" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char want[256];

		image = listing_make("return-thunk", rows[i].set);
		snprintf(want, sizeof(want), SITE LISTING_WORK "jmp %s\n", rows[i].thunk);
		listing_expect(image, "target", want);
		listing_expect(image, "caller_1", "push rax\ncall caller_2\npop rcx\nret\n");
		expect_mitigation(rows[i].thunk, 0, RSB_MITIGATION_RETURN);
		expect_mitigation("target", 0, RSB_MITIGATION_NONE);
		rsb_image_free(image);
	}
}
END_TEST

/* Its call pushes the loop that is never left. */
START_TEST(thunk_of_gcc)
{
	image = listing_make("return-thunk", "thunk=gcc");
	listing_expect(image, "gcc_return_thunk",
		       "call gcc_return_thunk+0xc\n"
		       "pause\n"
		       "lfence\n"
		       "jmp gcc_return_thunk+0x5\n"
		       "lea rsp, [rsp + 8]\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* One thunk serves both where the form of the code is the same. */
START_TEST(thunk_of_the_form)
{
	image = listing_make("return-thunk", "thunk=srso return_thunk=srso");
	listing_expect(image, "target", SITE LISTING_WORK "jmp srso_return_thunk\n");
	listing_expect(image, "srso_return_thunk", "call srso_safe_ret\nud2\n");
	rsb_image_free(image);
}
END_TEST

/* Two calls a round, each over an int3. */
START_TEST(fills)
{
	image = listing_make("rsb-fill", "");
	listing_expect(image, "target",
		       SITE "mov eax, 0x10\n"
			    "call target+0x10\n"
			    "int3\n"
			    "call target+0x16\n"
			    "int3\n"
			    "add rsp, 0x10\n"
			    "dec rax\n"
			    "jne target+0xa\n"
			    "lfence\n" LISTING_BODY);
	expect_mitigation("target", 0xa, RSB_MITIGATION_FILL);
	expect_mitigation("target", 0x22, RSB_MITIGATION_NONE);
	rsb_image_free(image);
	image = listing_make("rsb-fill", "entries=1");
	listing_expect(image, "target",
		       SITE "call target+0xb\n"
			    "int3\n"
			    "add rsp, 8\n"
			    "lfence\n" LISTING_BODY);
	rsb_image_free(image);
}
END_TEST

/* CREDIT_CALL_DEPTH: all entries are known to be there. */
START_TEST(fill_is_credited)
{
	char got[8192];

	image = listing_make("rsb-fill", "return_thunk=call-depth");
	listing_write_symbol(image, "target", got, sizeof(got));
	ck_assert_ptr_nonnull(strstr(got, "lfence\nmov qword ptr gs:[0x10], -1\npush rbp\n"));
	rsb_image_free(image);
}
END_TEST

/* So an odd number of entries is none. */
START_TEST(fills_that_cannot_be)
{
	static const char *const sets[] = { "entries=3", "entries=31" };

	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		struct rsb_error error;

		ck_assert_ptr_null(
			listing_family("rsb-fill", sets[i], &RSB_SCENARIO_UNWIND, &error));
		ck_assert_ptr_nonnull(strstr(error.text, "two at a time"));
	}
}
END_TEST

UNIT_MAIN("thunks and fills", by_the_form, old_retpoline, old_retpoline_in_place,
	  old_retpoline_accounts, return_thunks, thunk_of_gcc, thunk_of_the_form, fills,
	  fill_is_credited, fills_that_cannot_be)
