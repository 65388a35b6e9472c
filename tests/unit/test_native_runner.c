/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runner gives an answer whatever the code does. The codes are the encodings of Intel's manual,
 * written out; no test looks at how long anything takes.
 */
#include "sim/native/runner.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CODE UINT64_C(0x10000000)
#define DATA UINT64_C(0x18000000)

static struct rsb_native_samples samples;

static struct rsb_image *make_at(uint64_t at, unsigned access, const void *code, size_t size)
{
	struct rsb_image *image = rsb_image_new();
	struct rsb_error error;

	ck_assert(rsb_image_map(image, "code", at, size, access, code, size, &error));
	ck_assert(rsb_image_symbol(image, "rsb_round", at, size, &error));
	return image;
}

static bool run(const struct rsb_image *image, double seconds, struct rsb_error *error)
{
	const struct rsb_native_visit visit = {
		.samples = 3, .rounds = 5, .warmup = 1, .processor = -1, .seconds = seconds
	};

	return rsb_native_run(image, &visit, &samples, error);
}

/* Runs the code, which must not end well, and the message must have this in it. */
static void fails(const void *code, size_t size, double seconds, const char *with)
{
	struct rsb_image *image = make_at(CODE, RSB_READ | RSB_EXECUTE, code, size);
	struct rsb_error error;

	ck_assert(!run(image, seconds, &error));
	ck_assert_msg(strstr(error.text, with), "'%s' is not in '%s'", with, error.text);
	rsb_image_free(image);
}

#define FAILS(seconds, with, ...)                              \
	do {                                                   \
		static const uint8_t code[] = { __VA_ARGS__ }; \
                                                               \
		fails(code, sizeof(code), seconds, with);      \
	} while (0)

/* A function that returns is called as often as asked for, and each sample has its ticks. */
START_TEST(runs_a_function)
{
	static const uint8_t code[] = { 0xc3 };
	struct rsb_image *image = make_at(CODE, RSB_READ | RSB_EXECUTE, code, sizeof(code));
	struct rsb_error error;

	ck_assert_msg(run(image, 0, &error), "%s", error.text);
	ck_assert_uint_eq(samples.count, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert(samples.samples[i].ticks && samples.samples[i].before &&
			  samples.samples[i].after);
	rsb_image_free(image);
}
END_TEST

/* Memory is the image's, and is written: the code counts its calls, and stops at one too many. */
START_TEST(calls_as_often_as_asked)
{
	/* mov eax, [0x18000000]; inc eax; mov [0x18000000], eax; cmp eax, 18 or 17; ja +1; ret;
	 * ud2: 3 samples of 1 + 5 calls are 18 */
	uint8_t code[] = { 0x8b, 0x04, 0x25, 0,    0,    0,    0x18, 0xff, 0xc0, 0x89, 0x04, 0x25,
			   0,    0,    0,    0x18, 0x83, 0xf8, 18,   0x77, 1,    0xc3, 0x0f, 0x0b };
	struct rsb_error error;

	for (int most = 17; most <= 18; most++) {
		struct rsb_image *image;

		code[18] = (uint8_t)most;
		image = make_at(CODE, RSB_READ | RSB_EXECUTE, code, sizeof(code));
		ck_assert(rsb_image_map(image, "data", DATA, 4096, RSB_READ | RSB_WRITE, NULL, 0,
					&error));
		ck_assert_int_eq(run(image, 0, &error), most == 18);
		rsb_image_free(image);
	}
}
END_TEST

/* The bases of FS and GS are the image's while its code runs. */
START_TEST(sets_the_bases)
{
	/* mov rax, gs:[0]; cmp rax, fs:[0]; je +2; ud2; ret: bases 8 apart, words alike */
	static const uint8_t code[] = { 0x65, 0x48, 0x8b, 0x04, 0x25, 0,    0,   0,
					0,    0x64, 0x48, 0x3b, 0x04, 0x25, 0,   0,
					0,    0,    0x74, 2,    0x0f, 0x0b, 0xc3 };
	static const uint8_t words[16] = { 0x5a, 1, 2, 3, 4, 5, 6, 7, 0x5a, 1, 2, 3, 4, 5, 6, 7 };
	struct rsb_image *image = make_at(CODE, RSB_READ | RSB_EXECUTE, code, sizeof(code));
	struct rsb_error error;

	ck_assert(rsb_image_map(image, "data", DATA, 4096, RSB_READ | RSB_WRITE, words,
				sizeof(words), &error));
	rsb_image_set_gs_base(image, DATA);
	rsb_image_set_fs_base(image, DATA + 8);
	ck_assert_msg(run(image, 0, &error) || strstr(error.text, "bases of FS and GS"), "%s",
		      error.text);
	rsb_image_free(image);
}
END_TEST

/* What never ends is ended. */
START_TEST(survives_endless_loops)
{
	FAILS(0.2, "not done after 0.2 seconds", 0xeb, 0xfe); /* jmp to itself */
}
END_TEST

/* No system call is made: not fork, nor one to close files, mask signals or handle them. */
START_TEST(survives_system_calls)
{
	static const uint8_t numbers[] = { 57, 56, 3, 14, 13, 62, 39, 1, 9, 10, 110 };

	for (size_t i = 0; i < sizeof(numbers); i++) {
		/* mov eax, number; syscall; ret */
		const uint8_t code[] = { 0xb8, numbers[i], 0, 0, 0, 0x0f, 0x05, 0xc3 };

		fails(code, sizeof(code), 0, "makes a system call");
	}
	/* mov eax, 2; int 0x80: fork, by its number of 32 bits; without such numbers, a fault */
	FAILS(0, "", 0xb8, 2, 0, 0, 0, 0xcd, 0x80, 0xeb, 0xf7);
}
END_TEST

/* Code that ends its process has not been measured. */
START_TEST(survives_exit)
{
	FAILS(0, "the code ended its process", 0xb8, 60, 0, 0, 0, 0x0f, 0x05);
	FAILS(0, "the code ended its process", 0xb8, 231, 0, 0, 0, 0x0f, 0x05);
}
END_TEST

/* Faults are told with their instruction: privileged, undefined, traps. */
START_TEST(names_the_fault)
{
	FAILS(0,
	      "rsb_round+0x1: hlt touches memory that is not its own, or may only run in a "
	      "kernel",
	      0x90, 0xf4);
	FAILS(0, "rsb_round: ud2 is no instruction here", 0x0f, 0x0b);
	FAILS(0, "rsb_round: int3 is a trap", 0xcc);
	FAILS(0, "rsb_round: cli", 0xfa);
	FAILS(0, "rsb_round: wrmsr", 0x0f, 0x30);
	FAILS(0, "divides by zero", 0x31, 0xc9, 0xf7, 0xf1); /* xor ecx, ecx; div ecx */
}
END_TEST

/* A stack that is smashed, overrun or not there ends the child only. */
START_TEST(survives_a_ruined_stack)
{
	FAILS(0, "signal", 0x31, 0xe4, 0xc3);                   /* xor esp, esp; ret */
	FAILS(0, "signal", 0x50, 0xeb, 0xfd);                   /* push rax, for ever */
	FAILS(0, "signal", 0x48, 0x31, 0xc0, 0x50, 0xc3);       /* a return to 0 */
	FAILS(0, "signal", 0x58, 0x58, 0x58, 0x58, 0xeb, 0xfa); /* pop rax, for ever */
}
END_TEST

/*
 * rbx has what the runner counts by. Rounds written off never end, and a start of the clock that is
 * written over is seen, as no child can have had so many ticks.
 */
START_TEST(survives_its_own_counters)
{
	/* and qword [rbx + 64], 0; ret */
	FAILS(0.2, "not done after", 0x48, 0x83, 0x63, 64, 0, 0xc3);
	/* and qword [rbx + 56], 0; ret */
	FAILS(0, "wrote over what the runner measured", 0x48, 0x83, 0x63, 56, 0, 0xc3);
}
END_TEST

/* Images that a process cannot hold are refused before anything runs, with the reason. */
START_TEST(refuses_what_does_not_fit)
{
	static const uint8_t code[] = { 0xc3 };
	static const struct {
		uint64_t at;
		unsigned access;
		const char *why;
	} cases[] = {
		{ UINT64_C(0xffffffff81000000), RSB_READ | RSB_EXECUTE, "a kernel's addresses" },
		{ 0x1000, RSB_READ | RSB_EXECUTE, "no process can have" },
		{ CODE, RSB_READ | RSB_WRITE | RSB_EXECUTE, "both written and executed" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rsb_image *image = make_at(cases[i].at, cases[i].access, code, sizeof(code));
		struct rsb_error error;

		ck_assert(!rsb_native_fits(image, &error));
		ck_assert_msg(strstr(error.text, cases[i].why), "%s", error.text);
		ck_assert(!run(image, 0, &error));
		rsb_image_free(image);
	}
}
END_TEST

/* What this process itself has mapped is not written over. */
START_TEST(keeps_what_is_taken)
{
	static const uint8_t code[] = { 0xc3 };
	struct rsb_image *image = make_at((uint64_t)(uintptr_t)&samples & ~UINT64_C(0xfff),
					  RSB_READ | RSB_EXECUTE, code, sizeof(code));
	struct rsb_error error;

	ck_assert(!run(image, 0, &error));
	ck_assert_msg(strstr(error.text, "cannot be mapped"), "%s", error.text);
	rsb_image_free(image);
}
END_TEST

/* Why nothing can be run here; NULL: it can. */
static const char *find_reason(void)
{
	static struct rsb_error error;
	const char *preload = getenv("LD_PRELOAD");

	if (preload && strstr(preload, "valgrind"))
		return "valgrind's own system calls would end its child";
	return rsb_native_available(&error) ? NULL : error.text;
}

int main(void)
{
	const TTest *const tests[] = {
		runs_a_function,           calls_as_often_as_asked, sets_the_bases,
		survives_endless_loops,    survives_system_calls,   survives_exit,
		names_the_fault,           survives_a_ruined_stack, survives_its_own_counters,
		refuses_what_does_not_fit, keeps_what_is_taken,
	};
	const char *reason = find_reason();

	if (reason) {
		printf("skipped: %s\n", reason);
		return 77;
	}
	return unit_run("native runner", tests, sizeof(tests) / sizeof(*tests));
}
