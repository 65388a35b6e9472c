/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Combinations of a BPF trampoline's parameters: which cannot exist, and what is said about it. */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

struct row {
	const char *set;
	const char *why; /* part of the message; NULL: it is generated */
};

static void check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct rsb_error error = { "" };
		struct rsb_image *image =
			listing_family("bpf-trampoline", rows[i].set, &RSB_SCENARIO_UNWIND, &error);

		ck_assert_msg(!image == !!rows[i].why, "\"%s\": \"%s\"", rows[i].set, error.text);
		if (rows[i].why)
			ck_assert_msg(strstr(error.text, rows[i].why), "\"%s\": \"%s\"",
				      rows[i].set, error.text);
		rsb_image_free(image);
	}
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof(*(rows)))

/* BPF_MAX_TRAMP_LINKS is 38; without any program Linux patches the nop back in. */
START_TEST(number_of_programs)
{
	static const struct row rows[] = {
		{ "", "no programs" },
		{ "attach=jmp call_origin=true", "no programs" },
		{ "fentry=38", NULL },
		{ "fentry=20 fmod_ret=9 fexit=9 attach=jmp", NULL },
		{ "fentry=20 fmod_ret=9 fexit=10 attach=jmp", "at most 38 together" },
		{ "fentry=38 fexit=38 fmod_ret=38 attach=jmp", "at most 38 together" },
		{ "fsession=19 attach=jmp", NULL },
		{ "fsession=18 fentry=2 attach=jmp", NULL },
		{ "fsession=18 fentry=3 attach=jmp", "twice fsession" },
	};

	CHECK_ROWS(rows);
}
END_TEST

/* bpf_trampoline_use_jmp() wants CALL_ORIG without SKIP_FRAME. */
START_TEST(entered_by_jmp)
{
	static const struct row rows[] = {
		{ "attach=jmp fexit=1", NULL },
		{ "attach=jmp fmod_ret=1", NULL },
		{ "attach=jmp fsession=1", NULL },
		{ "attach=jmp fentry=1 call_origin=true", NULL },
		{ "attach=jmp fentry=1", "without an origin call" },
		{ "attach=jmp fexit=1 exit=skip-frame", "no return address of the trampoline" },
		{ "attach=jmp fexit=1 exit=double-ret", "no return address of the trampoline" },
	};

	CHECK_ROWS(rows);
}
END_TEST

/* A trampoline that was called returns into the body: once, if that has not run yet. */
START_TEST(entered_by_call)
{
	static const struct row rows[] = {
		{ "fentry=1", NULL },
		{ "fentry=1 exit=skip-frame call_origin=true", NULL },
		{ "fexit=1 exit=skip-frame", NULL },
		{ "fexit=1 exit=double-ret", NULL },
		{ "fexit=1", "run it twice" },
		{ "fsession=1", "run it twice" },
		{ "fmod_ret=1", "run it twice" },
		{ "fentry=1 call_origin=true", "run it twice" },
		{ "fentry=1 exit=skip-frame", "would never run" },
		{ "fentry=1 exit=double-ret", "would never run" },
	};

	CHECK_ROWS(rows);
}
END_TEST

/* What fmod_ret programs return is nothing to set where there is none. */
START_TEST(result_of_no_program)
{
	static const struct row rows[] = {
		{ "fmod_ret=1 fmod_ret_returns=nonzero attach=jmp", NULL },
		{ "fexit=1 fmod_ret_returns=nonzero attach=jmp", "without an fmod_ret program" },
	};

	CHECK_ROWS(rows);
}
END_TEST

/* What belongs to sessions, to kernel functions alone, and to endbr64. */
START_TEST(what_goes_with_what)
{
	static const struct row rows[] = {
		{ "fsession=1 session_cookies=true attach=jmp", NULL },
		{ "fexit=1 session_cookies=true attach=jmp", "without an fsession program" },
		{ "fexit=1 tail_call=indirect attach=jmp", NULL },
		{ "fmod_ret=1 tail_call=indirect attach=jmp", "cannot be replaced" },
		{ "fentry=1 cfi=kcfi", NULL },
		{ "fentry=1 cfi=fineibt endbr=true", NULL },
		{ "fentry=1 cfi=fineibt", "begins with endbr64" },
		{ "fentry=1 cfi=fineibt-r10", "begins with endbr64" },
	};

	CHECK_ROWS(rows);
}
END_TEST

/* A family's other rows, and the forms, go with everything. */
START_TEST(the_rest_is_free)
{
	static const char *const thunks[] = { "none", "rethunk",    "retbleed",  "its",
					      "srso", "srso-alias", "call-depth" };
	static const char *const indirect[] = { "direct", "retpoline", "lfence", "its" };

	for (size_t i = 0; i < 7 * 4 * 2 * 2; i++) {
		char set[256];
		const struct row row = { set, NULL };

		snprintf(set, sizeof(set),
			 "fexit=2 attach=jmp return_thunk=%s indirect=%s endbr=%s helpers=%s",
			 thunks[i % 7], indirect[i / 7 % 4], i / 28 % 2 ? "true" : "false",
			 i / 56 ? "leaf" : "nested");
		check_rows(&row, 1);
	}
}
END_TEST

UNIT_MAIN("combinations", number_of_programs, entered_by_jmp, entered_by_call, result_of_no_program,
	  what_goes_with_what, the_rest_is_free)
