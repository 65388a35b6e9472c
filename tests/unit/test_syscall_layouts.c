/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page table isolation in the generated system calls. Writes of CR3 and flushes follow from the
 * listings of arch/x86/entry/calling.h: one write each way; with PCID both keep the TLB, because
 * no page tables are marked to be flushed; without it each flushes. The flag TIF_DISABLE_PTI_NOW
 * takes the write on the way out, and the one on the way in only where the entry looks, too.
 */
#include "sim/image/layout.h"
#include "sim/score/score.h"

#include "tests/unit/listing.h"
#include "tests/unit/scored.h"
#include "tests/unit/unit.h"

static const struct row {
	const char *layout;
	int writes, flushes;
} rows[] = {
	{ "syscall-pti-off", 0, 0 },
	{ "syscall-pti-pcid", 2, 0 },
	{ "syscall-pti-no-pcid", 2, 2 },
	{ "syscall-pti-flag-exit-pcid", 1, 0 },
	{ "syscall-pti-flag-exit-no-pcid", 1, 1 },
	{ "syscall-pti-flag-both-pcid", 0, 0 },
	{ "syscall-pti-flag-both-no-pcid", 0, 0 },
	{ "syscall-pti-flag-clear-pcid", 2, 0 },
	{ "syscall-pti-flag-clear-no-pcid", 2, 2 },
	{ "syscall-iret", 2, 0 },
	{ "syscall-trampoline-4.15", 2, 0 },
	{ "syscall-trampoline-4.15-retpoline", 2, 0 },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static struct rsb_error error;

static struct rsb_run *run_layout(const char *name, const char *thunk)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_BENCH;
	const struct rsb_run_options options = { .kinds = RSB_KIND_ALL };
	struct rsb_layout *layout = rsb_layout_load(name, &error);
	struct rsb_image *image;
	struct rsb_run *run;

	ck_assert_msg(layout && rsb_layout_set_form(layout, "return_thunk", thunk, &error), "%s",
		      error.text);
	image = rsb_layout_image(layout, &scenario, &error);
	run = image ? rsb_run_new(image, &options, &error) : NULL;
	ck_assert_msg(run, "%s, %s: %s", name, thunk, error.text);
	rsb_image_free(image);
	rsb_layout_free(layout);
	return run;
}

static struct rsb_score *score_run(const struct rsb_run *run)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_BENCH;
	const struct rsb_score_options options = { 0 };
	struct rsb_profile *profile = rsb_profile_load("intel-haswell", &error);
	struct rsb_score *score = rsb_score_new(run, "test", profile, &scenario, &options, &error);

	ck_assert_msg(score, "%s", error.text);
	rsb_profile_free(profile);
	return score;
}

/* As often as the rows say, and pages are counted behind a flush alone. */
START_TEST(writes_cr3_and_flushes)
{
	for (size_t i = 0; i < ROWS; i++) {
		struct rsb_run *run = run_layout(rows[i].layout, "none");
		struct rsb_score *score = score_run(run);
		const struct rsb_per_call *got = &score->per_call;

		ck_assert_msg(got->cr3_writes == rows[i].writes &&
				      got->tlb_flushes == rows[i].flushes,
			      "%s: %g writes, %g flushes", rows[i].layout, got->cr3_writes,
			      got->tlb_flushes);
		ck_assert_msg((got->pages_after_flush > 0) == (rows[i].flushes > 0), "%s: %g pages",
			      rows[i].layout, got->pages_after_flush);
		ck_assert(score->steady == RSB_STEADY_PROVED);
		rsb_score_free(score);
		rsb_run_free(run);
	}
}
END_TEST

/* Of a layout's round, how many events there are of a kind. */
static size_t count(const struct rsb_run *run, enum rsb_kind kind)
{
	const struct rsb_sequence *sequence = rsb_run_sequence(run, rsb_run_round(run, 1));
	size_t size, found = 0;
	const struct rsb_site *sites = rsb_sites_array(rsb_run_sites(run), &size);

	for (size_t i = 0; i < sequence->count; i++)
		found += sites[sequence->events[i].site].kind == kind;
	return found;
}

/* Every call goes back by the one instruction, 100 times a round. */
START_TEST(leaves_as_it_says)
{
	struct rsb_run *sysret = run_layout("syscall-pti-pcid", "none");
	struct rsb_run *iret = run_layout("syscall-iret", "none");

	ck_assert_uint_eq(count(sysret, RSB_SYSCALL), 100);
	ck_assert_uint_eq(count(sysret, RSB_SYSRET), 100);
	ck_assert_uint_eq(count(sysret, RSB_IRET), 0);
	ck_assert_uint_eq(count(iret, RSB_SYSCALL), 100);
	ck_assert_uint_eq(count(iret, RSB_SYSRET), 0);
	ck_assert_uint_eq(count(iret, RSB_IRET), 100);
	rsb_run_free(sysret);
	rsb_run_free(iret);
}
END_TEST

/*
 * The kernel returns by its thunk, the callers, being user code, never: the same two returns of two
 * calls, and the nine of the chain plain. A third, before them, is that of the entry's call of what
 * untrains the thunk (UNTRAIN_RET of Linux 6.12), if the thunk has such a thing.
 */
START_TEST(return_thunks_are_the_kernels)
{
	static const struct {
		const char *thunk;
		int returns;
	} thunks[] = { { "none", 2 }, { "rethunk", 2 },    { "retbleed", 3 },
		       { "srso", 3 }, { "srso-alias", 3 }, { "call-depth", 2 } };

	for (size_t i = 0; i < sizeof(thunks) / sizeof(*thunks); i++) {
		struct rsb_run *run = run_layout("syscall-pti-pcid", thunks[i].thunk);
		struct rsb_score *score = score_run(run);

		ck_assert_msg(score->per_call.balance_layout == 0 &&
				      score->per_call.returns == thunks[i].returns &&
				      score->per_call.cr3_writes == 2,
			      "%s", thunks[i].thunk);
		rsb_score_free(score);
		rsb_run_free(run);
	}
}
END_TEST

/* arch/x86/entry/entry.S of Linux 6.12, without and with X86_BUG_IBPB_NO_RET. */
#define BARRIER           \
	"mov ecx, 0x49\n" \
	"mov eax, 1\n"    \
	"xor edx, edx\n"  \
	"wrmsr\n"

/* The barrier is a write of the register, then what fills the stack. */
START_TEST(barrier_listing)
{
	struct rsb_image *image = listing_make("syscall", "ibpb=alone");

	listing_expect(image, "entry_ibpb", BARRIER "ret\n");
	rsb_image_free(image);
	image = listing_make("syscall", "ibpb=fill");
	listing_expect(image, "entry_ibpb",
		       BARRIER "mov eax, 0x10\n"
			       "call entry_ibpb+0x19\n"
			       "int3\n"
			       "call entry_ibpb+0x1f\n"
			       "int3\n"
			       "add rsp, 0x10\n"
			       "dec rax\n"
			       "jne entry_ibpb+0x13\n"
			       "lfence\n"
			       "ret\n");
	rsb_image_free(image);
}
END_TEST

/*
 * The barrier takes entry_ibpb's own entry and the eight of the callers where it clears the return
 * stack, on Intel and since Zen 4; before that it takes none, and what fills the stack covers all
 * (Linux Documentation/admin-guide/hw-vuln/rsb.rst). The two returns behind it are balanced.
 */
START_TEST(barrier_clears_or_fills)
{
	static const struct {
		const char *cpu, *layout;
		int inside, callers;
	} barriers[] = {
		{ "intel-haswell", "syscall-ibpb", 1, 8 },
		{ "amd-zen4", "syscall-ibpb", 1, 8 },
		{ "amd-zen3", "syscall-ibpb", 0, 0 },
		{ "amd-zen2", "syscall-ibpb-fill", 1, 8 },
		{ "amd-zen3", "syscall-ibpb-fill", 1, 8 },
	};
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;

	for (size_t i = 0; i < sizeof(barriers) / sizeof(*barriers); i++) {
		struct rsb_profile *profile = scored_profile(barriers[i].cpu);
		struct rsb_per_call got = scored_layout(barriers[i].layout, profile, &scenario);

		ck_assert_msg(got.misses_inside == barriers[i].inside &&
				      got.misses_callers == barriers[i].callers,
			      "%s on %s: %g inside, %g in callers", barriers[i].layout,
			      barriers[i].cpu, got.misses_inside, got.misses_callers);
		rsb_profile_free(profile);
	}
}
END_TEST

UNIT_MAIN("system calls, generated", writes_cr3_and_flushes, leaves_as_it_says,
	  return_thunks_are_the_kernels, barrier_listing, barrier_clears_or_fills)
