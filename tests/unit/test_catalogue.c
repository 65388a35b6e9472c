/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every layout of a catalogue of trampolines for x86-64, run as instructions. The catalogue was
 * written apart from this program: each layout as a list of pushes and pops, replayed by hand. What
 * it found, by its own names, is the first half of each row, and net (pushes minus pops) and out8
 * (how many of the next eight returns miss) have to come out of the code, too.
 *
 * The list counts a helper that is called as one push and one pop, whatever that calls itself, and
 * some of it leaves out the caller's own call and the return to it. So what the code calls, returns
 * and misses is counted anew below 8 callers, one call a round, with the reason where it differs.
 */
#include "tests/unit/scored.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

struct row {
	const char *name;           /* in the catalogue */
	int push, pop, in, out8;    /* there; net is push - pop */
	const char *layout, *set;   /* the code: a built-in layout, or a family and what is set */
	int calls, returns, inside; /* of the code, expected */
};

/* Nested calls of helpers, as counted on Linux 6.12: 3 where a program starts, 1 for itself, 3
 * where it ends, 2 each to enter and to leave the trampoline. */
#define PROGRAM 7
#define ENTER   2
#define LEAVE   2

/* What is left out of a row: the caller's call, and the return to it. */
#define OWN 1

static const struct row rows[] = {
	{ "x86 plain call", 1, 1, 0, 0, "plain-call", NULL, 1, 1, 0 },
	{ "x86 fentry only (call)", 3, 3, 0, 0, "bpf-fentry", NULL, 2 + PROGRAM, 2 + PROGRAM, 0 },
	/* The site, the body, the caller's own. */
	{ "x86 fexit SKIP_FRAME", 5, 4, 1, 8, "bpf-fexit-skip", NULL, 3 + ENTER + PROGRAM + LEAVE,
	  2 + ENTER + PROGRAM + LEAVE, 1 },
	{ "x86 fmod_ret!=0 SKIP_FRAME", 4, 3, 1, 8, "bpf-fmod-ret-skip", NULL,
	  2 + ENTER + PROGRAM + LEAVE, 1 + ENTER + PROGRAM + LEAVE, 1 },
	{ "x86 fexit double ret", 5, 5, 1, 0, "bpf-fexit-double-ret", NULL,
	  3 + ENTER + PROGRAM + LEAVE, 3 + ENTER + PROGRAM + LEAVE, 1 },
	{ "x86 fexit JMP mode", 4, 4, 0, 0, "bpf-fexit-jmp", NULL, 2 + ENTER + PROGRAM + LEAVE,
	  2 + ENTER + PROGRAM + LEAVE, 0 },
	/* The caller's, the site's and the handler's; the trampoline is reached by a return. */
	{ "x86 regs_caller+fentry 6.1", 4, 5, 3, 8, "ftrace-regs-fentry-6.1", NULL, 3 + PROGRAM,
	  4 + PROGRAM, 3 },
	{ "x86 regs_caller+fentry 6.2+", 5, 5, 1, 0, "ftrace-regs-fentry-6.2", NULL, 4 + PROGRAM,
	  4 + PROGRAM, 1 },
	{ "x86 regs_caller+SKIP 6.1", 4, 4, 1, 0, "ftrace-regs-fexit-6.1", NULL,
	  4 + ENTER + PROGRAM + LEAVE, 4 + ENTER + PROGRAM + LEAVE, 1 },
	{ "x86 regs_caller+SKIP 6.2+", 5, 4, 2, 8, "ftrace-regs-fexit-6.2", NULL,
	  5 + ENTER + PROGRAM + LEAVE, 4 + ENTER + PROGRAM + LEAVE, 2 },
	{ "x86 regs_caller+jmp bit 6.19", 4, 4, 1, 0, "ftrace-regs-fexit-6.19", NULL,
	  4 + ENTER + PROGRAM + LEAVE, 4 + ENTER + PROGRAM + LEAVE, 1 },
	{ "x86 ftrace_caller (no ip chg)", 3, 3, 0, 0, "ftrace-caller", NULL, 3, 3, 0 },
	{ "x86 livepatch via ftrace", 3, 3, 1, 0, "livepatch-ftrace", NULL, 3, 3, 1 },
	{ "x86 livepatch via JMP tramp", 4, 4, 0, 0, "livepatch-bpf-jmp", NULL, 2 + ENTER + LEAVE,
	  2 + ENTER + LEAVE, 0 },
	{ "x86 fgraph return_to_handler", 5, 5, 2, 0, "ftrace-graph", NULL, 5, 5, 2 },
	{ "x86 fgraph w/o Ldo_rop call", 4, 5, 2, 8, "ftrace-graph-no-dummy-call", NULL, 4, 5, 2 },
	{ "x86 rethook/kretprobe", 4, 5, 2, 8, "kretprobe", NULL, 4, 5, 2 },
	{ "x86 kprobe optimised", 2, 2, 0, 0, "kprobe-optimised", NULL, 2, 2, 0 },
	{ "x86 retpoline call", 2, 2, 1, 0, "retpoline-call", NULL, 2 + OWN, 2 + OWN, 1 },
	/* The caller's is what the tail jump's function returns by. */
	{ "x86 retpoline jmp (tail)", 2, 2, 1, 0, "retpoline-jmp", NULL, 2, 2, 1 },
	{ "x86 SRSO return (one level)", 2, 1, 1, 8, "return-thunk-srso", NULL, 2, 1, 1 },
	{ "x86 its/retbleed thunk", 1, 1, 0, 0, "plain-call", "return_thunk=its", 1, 1, 0 },
	{ "x86 its/retbleed thunk", 1, 1, 0, 0, "plain-call", "return_thunk=retbleed", 1, 1, 0 },
	{ "x86 call-depth thunk, no stuff", 1, 1, 0, 0, "plain-call", "return_thunk=call-depth", 1,
	  1, 0 },
	{ "x86 call-depth thunk, stuff", 17, 1, 1, 8, "return-thunk-refill", NULL, 17, 1, 1 },
	/*
	 * in is 0 there: the filler alone misses nothing. But it stands in a function that was
	 * called and returns, and below that return's entry nothing is as it was: it misses first.
	 */
	{ "x86 RSB fill 32", 32, 0, 0, 8, "rsb-fill-32", NULL, 32 + OWN, OWN, OWN },
	{ "x86 uretprobe int3", 1, 1, 1, 0, "uretprobe-int3", NULL, 1, 1, 1 },
	{ "x86 uretprobe syscall", 1, 2, 2, 8, "uretprobe-syscall", NULL, 1, 2, 2 },
	{ "x86 uprobe nop5->call", 2, 2, 0, 0, "uprobe-nop5", NULL, 2, 2, 0 },
	/*
	 * The handler's return takes the entry of the caller's call, whose own return misses too.
	 */
	{ "x86 signal frame", 0, 1, 1, 8, "signal-frame", NULL, OWN, 1 + OWN, 1 + OWN },
	{ "glibc lazy PLT", 2, 2, 0, 0, "plt-lazy", NULL, 2, 2, 0 },
	/* The function that longjmp() came back to returns itself, and misses. */
	{ "glibc setjmp/longjmp", 4, 1, 0, 8, "longjmp-2", NULL, 4 + OWN, 1 + OWN, OWN },
	/*
	 * Switches are made there and back. The catalogue's text says of swapcontext() that all
	 * enclosing returns miss; its list says that none does. The code agrees with the list: each
	 * switch pops what its call pushed, so that a caller who is switched back to finds his
	 * entries. The text is about the other context's, which were never pushed while it ran.
	 */
	{ "glibc swapcontext switch", 1, 1, 1, 0, "swapcontext", NULL, 2, 2, 2 },
	{ "boost jump_fcontext", 1, 0, 0, 8, "fcontext", NULL, 2, 0, 0 },
	{ "fibers push+ret", 1, 1, 1, 0, "fiber-push-ret", NULL, 2, 2, 2 },
	{ "call+0;pop (pushed)", 2, 1, 1, 8, "call-pop", NULL, 2, 1, 1 },
	/* The call is made all the same. */
	{ "call+0;pop (not pushed)", 1, 1, 0, 0, "call-pop", NULL, 2, 1, 0 },
	{ "get_pc_thunk", 2, 2, 0, 0, "pc-thunk", NULL, 2, 2, 0 },
	{ "frida attach onLeave", 3, 4, 2, 8, "frida-attach", NULL, 3, 4, 2 },
	{ "detours", 2, 2, 0, 0, "detours", NULL, 2, 2, 0 },
	{ "split-stack __morestack", 5, 5, 0, 0, "split-stack", NULL, 5, 5, 0 },
	/* The return to where the signal came takes the entry of the caller's call. */
	{ "go sigpanic/asyncPreempt push", 1, 2, 1, 8, "go-async-preempt", NULL, 1 + OWN, 2 + OWN,
	  1 + OWN },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static bool is_among(const struct row *row, const char *const *names)
{
	while (*names && strcmp(*names, row->name) != 0)
		names++;
	return *names;
}

/* How often the code does what the row does. */
static int times_of(const struct row *row)
{
	static const char *const switches[] = { "glibc swapcontext switch", "boost jump_fcontext",
						"fibers push+ret", NULL };

	return is_among(row, switches) ? 2 : 1;
}

static struct rsb_per_call score(const struct row *row, const struct rsb_profile *profile)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;

	if (row->set)
		return scored_family(row->layout, row->set, profile, &scenario);
	return scored_layout(row->layout, profile, &scenario);
}

static void check(const struct row *row, const char *cpu, const char *figure, double got,
		  double want)
{
	ck_assert_msg(got > want - 1e-9 && got < want + 1e-9, "%s (%s on %s): %s is %g, not %g",
		      row->name, row->layout, cpu, figure, got, want);
}

static void check_row(const struct row *row, const char *cpu)
{
	struct rsb_profile *profile = scored_profile(cpu);
	const bool pushed = !strcmp(row->name, "call+0;pop (pushed)");
	struct rsb_error error = { "" };
	struct rsb_per_call got;

	ck_assert(rsb_profile_set(profile, "zero_call_pushes", pushed ? "true" : "false", &error));
	got = score(row, profile);
	check(row, cpu, "net", got.balance, times_of(row) * (row->push - row->pop));
	check(row, cpu, "out8", got.misses_callers, row->out8);
	check(row, cpu, "calls", got.calls, row->calls);
	check(row, cpu, "returns", got.returns, row->returns);
	check(row, cpu, "misses inside", got.misses_inside, row->inside);
	rsb_profile_free(profile);
}

/* On a ring of 16 and on one of 32. */
START_TEST(every_row)
{
	for (size_t i = 0; i < ROWS; i++) {
		check_row(rows + i, "intel-haswell");
		check_row(rows + i, "amd-zen4");
	}
}
END_TEST

/*
 * Misses inside differ from the catalogue's only by what it leaves out, and in what is done twice.
 */
START_TEST(misses_inside)
{
	static const char *const partial[] = { "x86 RSB fill 32", "x86 signal frame",
					       "glibc setjmp/longjmp",
					       "go sigpanic/asyncPreempt push", NULL };

	for (size_t i = 0; i < ROWS; i++) {
		const struct row *row = rows + i;
		bool left_out = is_among(row, partial);

		ck_assert_msg(row->inside == times_of(row) * row->in + (left_out ? OWN : 0), "%s",
			      row->name);
	}
}
END_TEST

/* The catalogue's rows are all here: 41 from "x86 plain call" on, one of them for two thunks. */
START_TEST(complete)
{
	ck_assert_uint_eq(ROWS, 41 + 1);
	ck_assert_str_eq(rows[0].name, "x86 plain call");
	ck_assert_str_eq(rows[ROWS - 1].name, "go sigpanic/asyncPreempt push");
}
END_TEST

UNIT_MAIN("the catalogue", every_row, misses_inside, complete)
