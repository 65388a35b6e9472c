/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trace files: what is written is read. rsbsim-trace(5) is the source of the bytes. */
#include "traces/file.h"

#include "tests/unit/trace_bytes.h"
#include "tests/unit/unit.h"
#include "traces/bytes.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS 70000 /* of the random trace: two chunks */

static struct rsb_error error;

/* An event of the random trace, as a reader must see it. */
struct expected {
	struct rsb_site site;
	char label[16];
	uint64_t target, thread;
	uint8_t verdict;
};

static struct rsb_site random_site(void)
{
	struct rsb_site site = {
		.pc = UINT64_C(0xffffffff81000000) + (uint64_t)(rand() % 3000) * 16,
		.kind = (uint8_t)(rand() % RSB_KINDS),
		.length = (uint8_t)(1 + rand() % 15),
		.mitigation = (uint8_t)(rand() % 4),
		.flags = (uint8_t)(rand() % 4),
	};

	if (site.kind == RSB_MARK)
		site.detail = (uint8_t)(rand() % (RSB_MARK_GAP + 1));
	if (site.kind == RSB_ENVIRONMENT) {
		site.detail = (uint8_t)(rand() % (RSB_ENVIRONMENT_CR3 + 1));
		site.count = (uint32_t)rand();
	}
	return site;
}

static void write_random(struct trace_bytes *file, struct expected *expected)
{
	struct rsb_sites *sites = rsb_sites_new();
	struct rsb_trace_writer *writer;
	uint64_t thread = 0;

	trace_bytes_open(file);
	writer = rsb_trace_writer_new(file->out, sites, &error);
	ck_assert_ptr_nonnull(writer);
	for (size_t i = 0; i < EVENTS; i++) {
		struct expected *e = &expected[i];
		uint32_t id;

		e->site = random_site();
		e->site.pc += i / 40000 * 0x100000; /* new places in each chunk */
		e->target = UINT64_C(0x7fffffff0000) - (uint64_t)(rand() % 2000);
		snprintf(e->label, sizeof(e->label), "f_%x",
			 (unsigned)(e->site.pc & 0xffffff) / 16);
		e->verdict = rand() % 4 ? RSB_VERDICT_NONE : (uint8_t)(1 + rand() % 2);
		if (rand() % 100 == 0)
			thread = (uint64_t)(rand() % 5) << 40;
		e->thread = thread;
		id = rsb_sites_intern(sites, &e->site, e->label);
		rsb_trace_write_thread(writer, thread);
		rsb_trace_write_instructions(writer, 3);
		rsb_trace_write_verdict(writer, id, rsb_sites_address(sites, e->target),
					e->verdict);
	}
	ck_assert_msg(rsb_trace_writer_end(writer, &error), "%s", error.text);
	trace_bytes_close(file);
	rsb_sites_free(sites);
}

static bool same_site(const struct rsb_site *a, const struct rsb_site *b)
{
	return a->pc == b->pc && a->kind == b->kind && a->length == b->length &&
	       a->detail == b->detail && a->mitigation == b->mitigation && a->flags == b->flags &&
	       a->count == b->count;
}

/* One assertion for a batch: each costs more than the reading. */
static void check_batch(const struct rsb_trace_batch *batch, const struct rsb_sites *table,
			const struct expected *expected)
{
	size_t count, right = 0;
	const struct rsb_site *sites = rsb_sites_array(table, &count);
	const uint64_t *addresses = rsb_sites_addresses(table, &count);

	for (size_t i = 0; i < batch->count; i++) {
		const struct expected *e = &expected[batch->first + i];
		const struct rsb_site *site = &sites[batch->events[i].site];
		unsigned verdict = batch->verdicts ? batch->verdicts[i] : RSB_VERDICT_NONE;

		right += same_site(site, &e->site) &&
			 site->fall_through == e->site.pc + e->site.length &&
			 !strcmp(rsb_site_label(table, batch->events[i].site), e->label) &&
			 addresses[batch->events[i].target] == e->target &&
			 batch->thread == e->thread && verdict == e->verdict;
	}
	ck_assert_uint_eq(right, batch->count);
}

/* Every field of every event comes back, in order, over several chunks and threads. */
START_TEST(reads_what_was_written)
{
	struct expected *expected = calloc(EVENTS, sizeof(*expected));
	uint64_t events = 0, instructions = 0;
	struct rsb_trace_reader *reader;
	struct rsb_trace_batch batch;
	struct trace_bytes file;
	struct rsb_input *input;
	enum rsb_trace_got got;

	srand(7);
	write_random(&file, expected);
	input = rsb_input_memory("t", file.bytes, file.size, &error);
	reader = rsb_trace_reader_new(input, &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	while ((got = rsb_trace_reader_next(reader, &batch, &error)) == RSB_TRACE_BATCH) {
		ck_assert_uint_eq(batch.first, events);
		check_batch(&batch, rsb_trace_reader_sites(reader), expected);
		events += batch.count;
		instructions += batch.instructions;
	}
	ck_assert_msg(got == RSB_TRACE_END, "%s", error.text);
	ck_assert_uint_eq(events, EVENTS);
	ck_assert_uint_eq(instructions, 3 * EVENTS);
	ck_assert_uint_eq(rsb_trace_reader_extent(reader).chunks, 2);
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	trace_bytes_free(&file);
	free(expected);
}
END_TEST

/* A return to where the stack of calls says, from where it was the first time, is one byte. */
START_TEST(costs_a_byte_for_what_can_be_guessed)
{
	struct trace_bytes file;
	size_t at;

	trace_bytes_nest(&file, 20, 100);
	at = trace_bytes_find(&file, "EVNT", 0);
	ck_assert_uint_lt(at, file.size);
	/* The chunk before compression: its thread, its first site, and 4000 events. */
	ck_assert_uint_le(rsb_get_u32((uint8_t *)file.bytes + at + 8), 4000 + 2);
	trace_bytes_free(&file);
}
END_TEST

/* Rounds end batches, and have their figures. */
START_TEST(keeps_the_rounds)
{
	const struct rsb_trace_round rounds[] = { { 130, 78, 1 }, { 1, 0, 7 } };
	struct rsb_sites *sites = rsb_sites_new();
	uint32_t site = trace_site(sites, RSB_CALL, 16, 5, NULL);
	struct rsb_trace_reader *reader;
	struct rsb_trace_writer *writer;
	struct rsb_trace_batch batch;
	struct trace_bytes file;
	struct rsb_input *input;

	trace_bytes_open(&file);
	writer = rsb_trace_writer_new(file.out, sites, &error);
	for (size_t i = 0; i < 2; i++) {
		rsb_trace_write(writer, site, 0);
		rsb_trace_write_round(writer, &rounds[i]);
	}
	ck_assert(rsb_trace_writer_end(writer, &error));
	trace_bytes_close(&file);
	input = rsb_input_memory("t", file.bytes, file.size, &error);
	reader = rsb_trace_reader_new(input, &error);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(rsb_trace_reader_next(reader, &batch, &error), RSB_TRACE_BATCH);
		ck_assert_uint_eq(batch.count, 1);
		ck_assert_ptr_nonnull(batch.round);
		ck_assert_mem_eq(batch.round, &rounds[i], sizeof(rounds[i]));
	}
	ck_assert_int_eq(rsb_trace_reader_next(reader, &batch, &error), RSB_TRACE_END);
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	rsb_sites_free(sites);
	trace_bytes_free(&file);
}
END_TEST

/* Threads that share a return stack become one, with a switch where another goes on. */
START_TEST(writes_threads_as_one)
{
	const struct rsb_site switched = { .kind = RSB_ENVIRONMENT,
					   .detail = RSB_ENVIRONMENT_SWITCH };
	static const uint64_t threads[] = { 5, 5, 6, 6, 5 };
	struct rsb_sites *sites = rsb_sites_new();
	uint32_t site = trace_site(sites, RSB_CALL, 16, 5, NULL);
	struct rsb_trace_reader *reader;
	struct rsb_trace_writer *writer;
	struct rsb_trace_batch batch;
	struct trace_bytes file;
	struct rsb_input *input;
	char kinds[16] = "";
	size_t count;

	trace_bytes_open(&file);
	writer = rsb_trace_writer_new(file.out, sites, &error);
	rsb_trace_writer_share(writer, rsb_sites_intern(sites, &switched, NULL), 0);
	for (size_t i = 0; i < 5; i++) {
		rsb_trace_write_thread(writer, threads[i]);
		rsb_trace_write(writer, site, 0);
	}
	ck_assert(rsb_trace_writer_end(writer, &error));
	trace_bytes_close(&file);
	input = rsb_input_memory("t", file.bytes, file.size, &error);
	reader = rsb_trace_reader_new(input, &error);
	ck_assert_int_eq(rsb_trace_reader_next(reader, &batch, &error), RSB_TRACE_BATCH);
	ck_assert_uint_eq(batch.count, 7);
	for (size_t i = 0; i < batch.count; i++)
		kinds[i] = rsb_sites_array(rsb_trace_reader_sites(reader),
					   &count)[batch.events[i].site]
						   .kind == RSB_CALL
				   ? 'c'
				   : 's';
	ck_assert_str_eq(kinds, "ccsccsc");
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	rsb_sites_free(sites);
	trace_bytes_free(&file);
}
END_TEST

/* Each entry is the place of a chunk of its kind, and the end says where the index is. */
START_TEST(has_an_index)
{
	struct expected *expected = calloc(EVENTS, sizeof(*expected));
	struct trace_bytes file;
	const uint8_t *bytes;
	size_t index, entries = 0;

	srand(8);
	write_random(&file, expected);
	bytes = (const uint8_t *)file.bytes;
	index = (size_t)rsb_get_u64(bytes + file.size - 8);
	ck_assert_mem_eq(bytes + index, "indx", 4);
	ck_assert_uint_eq(rsb_get_u64(bytes + file.size - 16), EVENTS);
	/* It is stored as it is where compression would not help; else there is nothing to see. */
	for (size_t at = 16; at < index; at += 20 + rsb_get_u32(bytes + at + 12))
		entries++;
	ck_assert_uint_eq(rsb_get_u32(bytes + index + 8), 20 * entries);
	trace_bytes_free(&file);
	free(expected);
}
END_TEST

UNIT_MAIN("trace files", reads_what_was_written, costs_a_byte_for_what_can_be_guessed,
	  keeps_the_rounds, writes_threads_as_one, has_an_index)
