/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counter of mispredicted returns, as perf_event_open(2) has it. Few machines that tests run on
 * have one, so that its file is a pipe here, with what the kernel would write.
 */
#include "sim/native/child.h"
#include "sim/native/counter.h"
#include "tests/unit/unit.h"

#if RSB_NATIVE_HERE

#include <linux/perf_event.h>
#include <unistd.h>

/* The reading of a counter that wrote these words, as many as that. */
static bool reads(const uint64_t *words, size_t count, uint64_t *got)
{
	int ends[2];
	bool good;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], words, count * sizeof(*words)),
			 (ssize_t)(count * sizeof(*words)));
	close(ends[1]);
	good = rsb_counter_read(ends[0], got);
	close(ends[0]);
	return good;
}

/*
 * With both times in read_format the kernel writes the count, the time that the counter was enabled
 * and the time that it ran.
 */
START_TEST(reads_a_count)
{
	uint64_t got = 0;

	ck_assert(reads((uint64_t[]){ 42, 1000, 1000 }, 3, &got));
	ck_assert_uint_eq(got, 42);
}
END_TEST

/* A count is none that lacks a part of the time, never ran, is cut short, or is of no counter. */
START_TEST(believes_no_other)
{
	uint64_t got = 7;

	ck_assert(!reads((uint64_t[]){ 42, 1000, 999 }, 3, &got));
	ck_assert(!reads((uint64_t[]){ 0, 0, 0 }, 3, &got));
	ck_assert(!reads((uint64_t[]){ 42, 1000 }, 2, &got));
	ck_assert(!reads((uint64_t[]){ 0 }, 0, &got)); /* an event in error: end of file */
	ck_assert(!rsb_counter_read(-1, &got));
	ck_assert_uint_eq(got, 7);
}
END_TEST

/* It counts at once, the process's own code alone, and no child's. */
START_TEST(asks_for_the_raw_event)
{
	struct perf_event_attr event;

	rsb_counter_event(&event, 0x8c5);
	ck_assert_uint_eq(event.type, PERF_TYPE_RAW);
	ck_assert_uint_eq(event.size, sizeof(event));
	ck_assert_uint_eq(event.config, 0x8c5);
	ck_assert_uint_eq(event.read_format,
			  PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	ck_assert(!event.disabled && !event.inherit && !event.enable_on_exec);
	ck_assert(event.exclude_kernel && event.exclude_hv && !event.exclude_user);
}
END_TEST

/* Where the kernel has a counter, it can be opened and read; where it has none, it says -1. */
START_TEST(opens_or_says_no)
{
	int file = rsb_counter_open(getpid());

	ck_assert_int_ge(file, -1);
	if (file >= 0)
		close(file);
}
END_TEST

UNIT_MAIN("native counter", reads_a_count, believes_no_other, asks_for_the_raw_event,
	  opens_or_says_no)

#else

int main(void)
{
	return 77;
}

#endif
