/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scores of traces from elsewhere, against counts by hand and against a stack written down here. */
#include "sim/score/trace_score.h"

#include "tests/unit/trace_bytes.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct rsb_error error;

/* A trace that is being made, with a few functions that call each other. */
struct maker {
	struct trace_bytes file;
	struct rsb_sites *sites;
	struct rsb_trace_writer *writer;
};

static void begin(struct maker *maker)
{
	trace_bytes_open(&maker->file);
	maker->sites = rsb_sites_new();
	maker->writer = rsb_trace_writer_new(maker->file.out, maker->sites, &error);
}

static void end(struct maker *maker)
{
	ck_assert_msg(rsb_trace_writer_end(maker->writer, &error), "%s", error.text);
	trace_bytes_close(&maker->file);
	rsb_sites_free(maker->sites);
}

static void call(struct maker *maker, uint64_t pc, enum rsb_verdict verdict)
{
	rsb_trace_write_verdict(maker->writer, trace_site(maker->sites, RSB_CALL, pc, 5, NULL),
				rsb_sites_address(maker->sites, 0x9000), verdict);
}

static void give_back(struct maker *maker, uint64_t pc, uint64_t to, enum rsb_verdict verdict)
{
	rsb_trace_write_verdict(maker->writer, trace_site(maker->sites, RSB_RETURN, pc, 1, "f"),
				rsb_sites_address(maker->sites, to), verdict);
}

static void mark_gap(struct maker *maker)
{
	const struct rsb_site gap = { .kind = RSB_MARK, .detail = RSB_MARK_GAP };

	rsb_trace_write(maker->writer, rsb_sites_intern(maker->sites, &gap, NULL),
			rsb_sites_address(maker->sites, 0));
}

static struct rsb_trace_scores *score(const struct maker *maker, const char *cpu)
{
	struct rsb_input *input =
		rsb_input_memory("t", maker->file.bytes, maker->file.size, &error);
	struct rsb_trace_reader *reader = rsb_trace_reader_new(input, &error);
	struct rsb_profile *profile = rsb_profile_load(cpu, &error);
	struct rsb_trace_scores *scores;
	enum rsb_trace_got got;

	scores = rsb_trace_scores_new(reader, &profile, 1, &got, &error);
	ck_assert_msg(scores != NULL, "%s", error.text);
	ck_assert_int_eq(got, RSB_TRACE_END);
	rsb_profile_free(profile);
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	return scores;
}

/* Two calls, and three returns to where the last call says: the third has nothing to go by. */
START_TEST(counts_by_hand)
{
	struct rsb_trace_scores *scores;
	struct maker maker;

	begin(&maker);
	call(&maker, 0x1000, RSB_VERDICT_NONE);
	call(&maker, 0x2000, RSB_VERDICT_NONE);
	give_back(&maker, 0x3000, 0x2005, RSB_VERDICT_NONE);
	give_back(&maker, 0x4000, 0x1005, RSB_VERDICT_NONE);
	give_back(&maker, 0x4000, 0x1005, RSB_VERDICT_NONE);
	rsb_trace_write_instructions(maker.writer, 500);
	end(&maker);
	scores = score(&maker, "ideal");
	ck_assert_uint_eq(scores->events, 5);
	ck_assert_uint_eq(scores->calls, 2);
	ck_assert_uint_eq(scores->returns, 3);
	ck_assert_uint_eq(scores->scores[0].counts.misses, 1);
	ck_assert_uint_eq(scores->scores[0].counts.empty, 1);
	ck_assert_double_eq(rsb_trace_rate_instructions(1, scores->instructions), 2);
	ck_assert_uint_eq(scores->scores[0].site_count, 2);
	/* The one that missed stands first. */
	ck_assert_uint_eq(scores->scores[0].sites[0].pc, 0x4000);
	ck_assert_uint_eq(scores->scores[0].sites[0].counts.returns, 2);
	ck_assert_uint_eq(scores->scores[0].sites[0].counts.misses, 1);
	ck_assert_uint_eq(scores->scores[0].sites[1].counts.misses, 0);
	ck_assert(isnan(rsb_trace_rate_instructions(1, 0)));
	rsb_trace_scores_free(scores);
	trace_bytes_free(&maker.file);
}
END_TEST

/* Calls of two threads in turn: each thread's returns find its own calls. */
START_TEST(keeps_threads_apart)
{
	struct rsb_trace_scores *scores;
	struct maker maker;

	begin(&maker);
	for (uint64_t thread = 1; thread <= 2; thread++) {
		rsb_trace_write_thread(maker.writer, thread);
		call(&maker, 0x1000 * thread, RSB_VERDICT_NONE);
	}
	for (uint64_t thread = 1; thread <= 2; thread++) {
		rsb_trace_write_thread(maker.writer, thread);
		give_back(&maker, 0x4000, 0x1000 * thread + 5, RSB_VERDICT_NONE);
		rsb_trace_write_instructions(maker.writer, 10 * thread);
	}
	end(&maker);
	scores = score(&maker, "ideal");
	ck_assert_uint_eq(scores->scores[0].counts.misses, 0);
	ck_assert_uint_eq(scores->scores[0].thread_count, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(scores->scores[0].threads[i].id, i + 1);
		ck_assert_uint_eq(scores->scores[0].threads[i].counts.returns, 1);
		ck_assert_uint_eq(scores->scores[0].threads[i].instructions, 10 * (i + 1));
	}
	rsb_trace_scores_free(scores);
	trace_bytes_free(&maker.file);
}
END_TEST

/* After a gap a return whose call is missing is not judged; one whose call is there is. */
START_TEST(does_not_judge_across_a_gap)
{
	struct rsb_trace_scores *scores;
	struct maker maker;

	begin(&maker);
	mark_gap(&maker);
	give_back(&maker, 0x4000, 0x1005, RSB_VERDICT_HIT); /* not judged */
	call(&maker, 0x1000, RSB_VERDICT_HIT);
	give_back(&maker, 0x4000, 0x1005, RSB_VERDICT_HIT);
	mark_gap(&maker);
	call(&maker, 0x1000, RSB_VERDICT_HIT);
	call(&maker, 0x1000, RSB_VERDICT_HIT);
	give_back(&maker, 0x4000, 0x2005, RSB_VERDICT_MISS);
	end(&maker);
	scores = score(&maker, "ideal");
	ck_assert_uint_eq(scores->gaps, 2);
	ck_assert_uint_eq(scores->returns, 3);
	ck_assert_uint_eq(scores->scores[0].counts.unjudged, 1);
	ck_assert_uint_eq(scores->scores[0].counts.returns, 2);
	ck_assert_uint_eq(scores->scores[0].counts.misses, 1);
	ck_assert_uint_eq(scores->scores[0].counts.hardware.returns[0][0], 1);
	ck_assert_uint_eq(scores->scores[0].counts.hardware.returns[1][1], 1);
	rsb_trace_scores_free(scores);
	trace_bytes_free(&maker.file);
}
END_TEST

/* Each of the four ways in which model and hardware agree or not, a different number of times. */
START_TEST(compares_with_the_hardware)
{
	static const unsigned times[2][2] = { { 4, 3 }, { 2, 1 } }; /* [hardware][model] missed */
	struct rsb_trace_scores *scores;
	struct maker maker;

	begin(&maker);
	for (int hardware = 0; hardware < 2; hardware++)
		for (int model = 0; model < 2; model++)
			for (unsigned i = 0; i < times[hardware][model]; i++) {
				call(&maker, 0x1000, RSB_VERDICT_NONE);
				give_back(&maker, 0x4000, model ? 0x1006 : 0x1005,
					  hardware ? RSB_VERDICT_MISS : RSB_VERDICT_HIT);
			}
	call(&maker, 0x1000, RSB_VERDICT_MISS);
	give_back(&maker, 0x5000, 0x1005, RSB_VERDICT_NONE); /* no verdict, no comparison */
	end(&maker);
	scores = score(&maker, "ideal");
	for (int hardware = 0; hardware < 2; hardware++)
		for (int model = 0; model < 2; model++) {
			ck_assert_uint_eq(
				scores->scores[0].counts.hardware.returns[hardware][model],
				times[hardware][model]);
			ck_assert_uint_eq(
				scores->scores[0].sites[0].counts.hardware.returns[hardware][model],
				times[hardware][model]);
		}
	rsb_trace_scores_free(scores);
	trace_bytes_free(&maker.file);
}
END_TEST

/*
 * A ring of 16 that uses what it has popped again, written down plainly: intel-haswell. Sources:
 * see its profile.
 */
struct ring {
	uint64_t entries[16];
	unsigned top;
};

/* Over many batches and threads the misses are those of a ring for each thread. */
START_TEST(agrees_with_plain_rings)
{
	struct ring rings[3] = { 0 };
	uint64_t open[3][64], misses = 0;
	unsigned depth[3] = { 0 }, thread = 0;
	struct rsb_trace_scores *scores;
	struct maker maker;

	srand(11);
	begin(&maker);
	/* Full of calls at first, so that there is never nothing to go by. */
	for (unsigned i = 0; i < 100000; i++) {
		struct ring *ring;

		if (i % 50 == 0)
			thread = (unsigned)rand() % 3;
		rsb_trace_write_thread(maker.writer, thread);
		ring = &rings[thread];
		if (depth[thread] < 20 || (depth[thread] < 64 && rand() % 2)) {
			uint64_t pc = 0x1000 + 16 * (uint64_t)(rand() % 500);

			call(&maker, pc, RSB_VERDICT_NONE);
			open[thread][depth[thread]++] = pc + 5;
			ring->entries[++ring->top % 16] = pc + 5;
		} else {
			uint64_t to = open[thread][--depth[thread]];

			misses += ring->entries[ring->top-- % 16] != to;
			give_back(&maker, 0x8000, to, RSB_VERDICT_NONE);
		}
	}
	end(&maker);
	scores = score(&maker, "intel-haswell");
	ck_assert_uint_gt(misses, 100);
	/* At a depth of 20 or more the stack is never empty, whatever it does with that. */
	ck_assert_uint_eq(scores->scores[0].counts.misses, misses);
	rsb_trace_scores_free(scores);
	trace_bytes_free(&maker.file);
}
END_TEST

UNIT_MAIN("scores of traces", counts_by_hand, keeps_threads_apart, does_not_judge_across_a_gap,
	  compares_with_the_hardware, agrees_with_plain_rings)
