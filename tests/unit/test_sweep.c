/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sweeps: the grid, the rows, the knee, traces, and threads that make no difference. */
#include "sim/sweep/jobs.h"
#include "sim/sweep/sweep.h"
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct rsb_grid *grid, const char *text)
{
	struct rsb_error error;

	ck_assert_msg(rsb_grid_add(grid, text, &error), "%s", error.text);
}

/* Lists and ranges, with steps, in the order given. */
START_TEST(values_are_lists_and_ranges)
{
	static const char *const expected[] = { "7", "1", "2", "3", "8", "12", "16", "20" };
	struct rsb_grid grid = { .count = 0 };

	add(&grid, "counter_max=7,1..3,8..18:4,0x14");
	ck_assert_uint_eq(rsb_grid_size(&grid), 8);
	for (size_t i = 0; i < 8; i++)
		ck_assert_str_eq(rsb_grid_value(&grid, i, 0), expected[i]);
	rsb_grid_clear(&grid);
}
END_TEST

/* The last parameter varies fastest, and the depth is the last wherever it was given. */
START_TEST(the_depth_varies_fastest)
{
	struct rsb_grid grid = { .count = 0 };

	add(&grid, "depth=1..3");
	add(&grid, "underflow=stale,none");
	add(&grid, "quirk=false,true");
	ck_assert_uint_eq(rsb_grid_size(&grid), 12);
	ck_assert_str_eq(rsb_grid_depths(&grid)->parameter, "depth");
	ck_assert_str_eq(rsb_grid_value(&grid, 1, 2), "2");
	ck_assert_str_eq(rsb_grid_value(&grid, 3, 1), "true");
	ck_assert_str_eq(rsb_grid_value(&grid, 5, 0), "stale");
	ck_assert_str_eq(rsb_grid_value(&grid, 6, 0), "none");
	rsb_grid_clear(&grid);
}
END_TEST

/* What is no list of values is refused, and what is too much is before there is a value of it. */
START_TEST(bad_values_are_refused)
{
	static const char *const bad[][2] = {
		{ "depth", "expected parameter=values" },
		{ "=1", "expected parameter=values" },
		{ "depth=", "values between commas" },
		{ "depth=1,,2", "values between commas" },
		{ "depth=4..1", "expected a range" },
		{ "depth=1..", "expected a range" },
		{ "depth=1..x", "expected a range" },
		{ "depth=1..8:0", "expected a range" },
		{ "depth=1..8:2:2", "expected a range" },
		{ "depth=1..99999999999999999999", "expected a range" },
		{ "depth=1..100001", "more than 100000 values" },
		{ "depth=-9223372036854775808..9223372036854775807", "more than 100000 values" },
		{ "depth=1..4,3", "3 is given twice" },
		{ "depth=0x2,2", "2 is given twice" },
		{ "depth=1..4,underflow=stale", "one --set for each parameter" },
	};
	struct rsb_error error;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct rsb_grid grid = { .count = 0 };

		ck_assert_msg(!rsb_grid_add(&grid, bad[i][0], &error), "%s", bad[i][0]);
		ck_assert_msg(strstr(error.text, bad[i][1]), "%s: %s", bad[i][0], error.text);
		rsb_grid_clear(&grid);
	}
}
END_TEST

static struct rsb_profile *profile_new(void)
{
	struct rsb_error error;
	struct rsb_profile *profile =
		rsb_profile_of_model(rsb_model_type_find("ring", &error), "ring", &error);

	ck_assert_ptr_nonnull(profile);
	return profile;
}

static const struct rsb_sweep_subject trace = { .name = "t" };

/* A sweep of a trace on a ring, over these values, its rows empty. */
static struct rsb_sweep *sweep_new(struct rsb_profile *const *profile, const char *values)
{
	struct rsb_error error;
	struct rsb_grid grid = { .count = 0 };
	struct rsb_sweep *sweep;
	char text[256], *rest = text, *word;

	snprintf(text, sizeof(text), "%s", values);
	while ((word = strtok_r(rest, " ", &rest)))
		add(&grid, word);
	sweep = rsb_sweep_new(&trace, 1, profile, 1, &grid, &error);
	ck_assert_msg(sweep != NULL, "%s", error.text);
	rsb_grid_clear(&grid);
	return sweep;
}

/*
 * The knee is where misses begin to fall no more; one that only the deepest reaches is none, nor is
 * there one where they never fall.
 */
START_TEST(the_knee_is_where_misses_fall_no_more)
{
	static const struct {
		double misses[5];
		const char *knee;
	} cases[] = {
		{ { 9, 7, 4, 4, 4 }, "3" },  { { 4, 4, 4, 4, 4 }, NULL },
		{ { 9, 8, 7, 6, 5 }, NULL }, { { 9, 3, 4, 3, 3 }, "4" },
		{ { 9, 3, 4, 4, 5 }, "2" },  { { 3, 3, 4, 4, 4 }, NULL },
	};
	struct rsb_profile *profile = profile_new();
	struct rsb_sweep *sweep = sweep_new(&profile, "depth=1..5");

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *knee;

		for (size_t k = 0; k < 5; k++)
			sweep->rows[k].misses = cases[i].misses[k];
		knee = rsb_sweep_knee(sweep, 0);
		ck_assert(!knee == !cases[i].knee);
		if (knee)
			ck_assert_str_eq(knee, cases[i].knee);
	}
	rsb_sweep_free(sweep);
	rsb_profile_free(profile);
}
END_TEST

/*
 * Where misses begin, from deep stacks to shallow ones, how many they get, and whether that is all
 * there is to come.
 */
START_TEST(the_curve_begins_and_saturates)
{
	static const struct {
		double misses[5];
		const char *begins, *most;
		enum rsb_sweep_trend trend;
		bool saturates;
	} cases[] = {
		{ { 9, 9, 5, 4, 4 }, "3", "2", RSB_SWEEP_KNEE, true },
		{ { 9, 7, 5, 4, 4 }, "3", "1", RSB_SWEEP_KNEE, false },
		{ { 9, 7, 5, 4, 3 }, "4", "1", RSB_SWEEP_FALLING, false },
		{ { 4, 4, 4, 4, 4 }, NULL, NULL, RSB_SWEEP_FLAT, false },
		{ { 8, 9, 9, 3, 3 }, "3", "3", RSB_SWEEP_KNEE, false },
		{ { 9, 9, 9, 9, 3 }, "4", "4", RSB_SWEEP_FALLING, true },
		{ { 1, 1, 2, 3, 9 }, NULL, NULL, RSB_SWEEP_RISING, false },
	};
	struct rsb_profile *profile = profile_new();
	struct rsb_sweep *sweep = sweep_new(&profile, "depth=1..5");

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rsb_sweep_curve curve;

		for (size_t k = 0; k < 5; k++)
			sweep->rows[k].misses = cases[i].misses[k];
		ck_assert(rsb_sweep_curve(sweep, 0, &curve));
		ck_assert_int_eq(curve.trend, cases[i].trend);
		ck_assert(curve.deepest.misses == cases[i].misses[4]);
		ck_assert_int_eq(curve.saturates, cases[i].saturates);
		ck_assert_pstr_eq(curve.begins.depth, cases[i].begins);
		ck_assert_pstr_eq(curve.most.depth, cases[i].most);
	}
	rsb_sweep_free(sweep);
	rsb_profile_free(profile);
}
END_TEST

/* Depths are compared as numbers, in whatever order they are given. */
START_TEST(the_knee_does_not_depend_on_the_order)
{
	static const double misses[] = { 4, 9, 4, 7 };
	struct rsb_profile *profile = profile_new();
	struct rsb_sweep *sweep = sweep_new(&profile, "depth=10,1,9,2");

	for (size_t k = 0; k < 4; k++)
		sweep->rows[k].misses = misses[k];
	ck_assert_str_eq(rsb_sweep_knee(sweep, 0), "9");
	rsb_sweep_free(sweep);
	rsb_profile_free(profile);
}
END_TEST

/* Shards are all rows, each once, whatever their number. */
START_TEST(shards_are_a_partition)
{
	struct rsb_profile *profile = profile_new();
	struct rsb_sweep *sweep = sweep_new(&profile, "depth=1..13");

	for (size_t shards = 1; shards < 20; shards++) {
		size_t at = 0;

		for (size_t index = 1; index <= shards; index++) {
			rsb_sweep_shard(sweep, index, shards);
			ck_assert_uint_eq(sweep->from, at);
			at = sweep->end;
		}
		ck_assert_uint_eq(at, sweep->count);
	}
	rsb_sweep_free(sweep);
	rsb_profile_free(profile);
}
END_TEST

/* More rows than are allowed, and values that the model does not take, are refused. */
START_TEST(bad_sweeps_are_refused)
{
	static const char *const bad[][2] = {
		{ "depth=1..4096 fixed_target=1..25", "more than 100000 configurations" },
		{ "depth=1..5000", "depth" },
		{ "underflow=stale,nothing", "nothing" },
		{ "dept=1..4", "dept" },
	};
	struct rsb_profile *profile = profile_new();
	struct rsb_error error;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct rsb_grid grid = { .count = 0 };
		char text[256], *rest = text, *word;

		snprintf(text, sizeof(text), "%s", bad[i][0]);
		while ((word = strtok_r(rest, " ", &rest)))
			add(&grid, word);
		ck_assert_ptr_null(rsb_sweep_new(&trace, 1, &profile, 1, &grid, &error));
		ck_assert_msg(strstr(error.text, bad[i][1]), "%s: %s", bad[i][0], error.text);
		rsb_grid_clear(&grid);
	}
	rsb_profile_free(profile);
}
END_TEST

/* A trace in memory: two threads that take turns, with a gap in the first. */
struct file {
	char *bytes;
	size_t size;
};

static void write_stream(struct rsb_trace_writer *writer, const struct stream *stream, size_t from,
			 size_t end)
{
	for (size_t i = from; i < end && i < stream->trace.count; i++)
		rsb_trace_write(writer, stream->trace.events[i].site,
				stream->trace.events[i].target);
}

static struct file write_trace(struct stream *stream)
{
	struct rsb_error error;
	struct file file;
	FILE *out = open_memstream(&file.bytes, &file.size);
	const struct rsb_site gap = { .kind = RSB_MARK, .detail = RSB_MARK_GAP };
	struct rsb_trace_writer *writer;
	uint32_t site = rsb_sites_intern(stream->sites, &gap, NULL);
	uint32_t address = rsb_sites_address(stream->sites, 0);

	ck_assert_ptr_nonnull(out);
	writer = rsb_trace_writer_new(out, stream->sites, &error);
	ck_assert_msg(writer != NULL, "%s", error.text);
	rsb_trace_write_about(writer, "arch", "x86_64");
	for (size_t at = 0; at < stream->trace.count; at += 700) {
		rsb_trace_write_thread(writer, at / 700 % 2);
		if (at == 2800)
			rsb_trace_write(writer, site, address);
		write_stream(writer, stream, at, at + 700);
	}
	ck_assert_msg(rsb_trace_writer_end(writer, &error), "%s", error.text);
	fclose(out);
	return file;
}

static struct rsb_sweep *sweep_file(struct rsb_profile *const *profile, const struct file *file,
				    const char *values, unsigned jobs)
{
	const struct rsb_sweep_options options = { .jobs = jobs };
	struct rsb_sweep *sweep = sweep_new(profile, values);
	struct rsb_error error;
	struct rsb_input *input = rsb_input_memory("t", file->bytes, file->size, &error);
	struct rsb_trace_reader *reader = rsb_trace_reader_new(input, &error);
	enum rsb_trace_got got;

	ck_assert_msg(reader != NULL, "%s", error.text);
	ck_assert_msg(rsb_sweep_trace(sweep, reader, &options, &got, &error), "%s", error.text);
	ck_assert_int_eq(got, RSB_TRACE_END);
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	return sweep;
}

/*
 * Each row is what a sweep of that row alone finds by a plain model; how many threads there are
 * makes no difference. Policies that go together, that do not, and depths that are too many are
 * among them.
 */
START_TEST(rows_are_those_of_models_apart)
{
	struct stream stream = stream_new();
	struct rsb_profile *profile = profile_new();
	struct rsb_sweep *one, *four;
	struct file file;
	uint64_t seed = 77;

	stream_random(&stream, 9000, &seed);
	file = write_trace(&stream);
	one = sweep_file(&profile, &file,
			 "underflow=stale,none overflow=overwrite-oldest,refuse depth=1..9,300", 1);
	four = sweep_file(&profile, &file,
			  "underflow=stale,none overflow=overwrite-oldest,refuse depth=1..9,300",
			  4);
	ck_assert_uint_eq(one->checksum, four->checksum);
	for (size_t row = 0; row < one->count; row++) {
		size_t combination = rsb_sweep_place(one, row).combination;
		char values[128];
		struct rsb_sweep *alone;

		ck_assert(one->rows[row].misses == four->rows[row].misses);
		ck_assert(one->rows[row].returns == four->rows[row].returns);
		snprintf(values, sizeof(values), "underflow=%s overflow=%s depth=%s",
			 rsb_grid_value(&one->grid, combination, 0),
			 rsb_grid_value(&one->grid, combination, 1),
			 rsb_grid_value(&one->grid, combination, 2));
		alone = sweep_file(&profile, &file, values, 1);
		ck_assert_msg(one->rows[row].misses == alone->rows[0].misses, "%s: %g, alone %g",
			      values, one->rows[row].misses, alone->rows[0].misses);
		ck_assert(alone->rows[0].misses > 0);
		rsb_sweep_free(alone);
	}
	rsb_sweep_free(one);
	rsb_sweep_free(four);
	free(file.bytes);
	rsb_profile_free(profile);
	stream_free(&stream);
}
END_TEST

struct jobs_seen {
	int runs[100];
};

static bool fail_some(void *context, size_t index, struct rsb_error *error)
{
	struct jobs_seen *seen = context;

	seen->runs[index]++;
	return index != 60 && index != 40 ? true : rsb_error_set(error, "job %zu", index);
}

/* Each job is done once; of several errors, the first in the order of the jobs is told. */
START_TEST(the_first_error_is_told)
{
	for (unsigned threads = 1; threads <= 8; threads *= 2) {
		struct jobs_seen seen = { { 0 } };
		struct rsb_jobs jobs = {
			.threads = threads, .count = 40, .job = fail_some, .context = &seen
		};
		struct rsb_error error;

		ck_assert(rsb_jobs_run(&jobs, &error));
		for (size_t i = 0; i < 100; i++)
			ck_assert_int_eq(seen.runs[i], i < 40);
		jobs.count = 100;
		ck_assert(!rsb_jobs_run(&jobs, &error));
		ck_assert_str_eq(error.text, "job 40");
	}
}
END_TEST

UNIT_MAIN("sweeps", values_are_lists_and_ranges, the_depth_varies_fastest, bad_values_are_refused,
	  the_knee_is_where_misses_fall_no_more, the_curve_begins_and_saturates,
	  the_knee_does_not_depend_on_the_order, shards_are_a_partition, bad_sweeps_are_refused,
	  rows_are_those_of_models_apart, the_first_error_is_told)
