/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace files: what is written is read, and what is damaged is refused. rsbsim-trace(5) is the
 * source of the bytes.
 */
#include "traces/file.h"

#include "tests/unit/trace_bytes.h"
#include "tests/unit/unit.h"
#include "traces/bytes.h"
#include "traces/file_chunk.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS 70000 /* of the random trace: two chunks */

static struct rsb_error error;

/* ---- what is written is read ---- */

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

/* Calls nested in one another, as deep as one may wish, and their returns, so many times. */
static void write_nest(struct trace_bytes *file, unsigned depth, unsigned times)
{
	struct rsb_sites *sites = rsb_sites_new();
	struct rsb_trace_writer *writer;

	trace_bytes_open(file);
	writer = rsb_trace_writer_new(file->out, sites, &error);
	rsb_trace_write_about(writer, "arch", "x86_64");
	for (unsigned i = 0; i < times * 2 * depth; i++) {
		unsigned at = i % (2 * depth), level = at < depth ? at : 2 * depth - 1 - at;
		uint64_t pc = 0x401000 + 64 * level;
		bool calls = at < depth;
		uint32_t site = calls ? trace_site(sites, RSB_CALL, pc, 5, "f")
				      : trace_site(sites, RSB_RETURN, pc + 64 + 9, 1, NULL);

		rsb_trace_write(writer, site,
				rsb_sites_address(sites, calls ? pc + 64 - 8 : pc + 5));
	}
	ck_assert_msg(rsb_trace_writer_end(writer, &error), "%s", error.text);
	trace_bytes_close(file);
	rsb_sites_free(sites);
}

/* A return to where the stack of calls says, from where it was the first time, is one byte. */
START_TEST(costs_a_byte_for_what_can_be_guessed)
{
	struct trace_bytes file;
	size_t at;

	write_nest(&file, 20, 100);
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

/* ---- the index ---- */

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

/* ---- damage ---- */

/* Wherever a file is cut, whole chunks are read, and it is said that there should be more. */
START_TEST(reads_a_cut_file_up_to_its_last_whole_chunk)
{
	struct trace_bytes file;
	size_t events;

	write_nest(&file, 5, 3);
	events = trace_bytes_find(&file, "EVNT", 0);
	events += 20 + rsb_get_u32((uint8_t *)file.bytes + events + 12);
	for (size_t size = 0; size < file.size; size++) {
		struct trace_ending ending = trace_bytes_read(file.bytes, size);

		ck_assert_msg(ending.got == RSB_TRACE_CUT || size < 100, "cut at %zu: %s", size,
			      ending.error.text);
		ck_assert_msg(ending.got != RSB_TRACE_END, "cut at %zu", size);
		ck_assert_msg(ending.events == (size >= events ? 30u : 0), "cut at %zu", size);
	}
	trace_bytes_free(&file);
}
END_TEST

/* No byte can be changed without it being noticed. */
START_TEST(notices_each_damaged_byte)
{
	struct trace_bytes file;

	write_nest(&file, 5, 3);
	for (size_t at = 0; at < file.size; at++) {
		struct trace_ending ending;

		file.bytes[at] ^= 0x10;
		ending = trace_bytes_read(file.bytes, file.size);
		file.bytes[at] ^= 0x10;
		ck_assert_msg(ending.got == RSB_TRACE_BAD || ending.got == RSB_TRACE_CUT,
			      "byte %zu", at);
	}
	ck_assert_int_eq(trace_bytes_read(file.bytes, file.size).got, RSB_TRACE_END);
	trace_bytes_free(&file);
}
END_TEST

struct start {
	const char *bytes;
	size_t size;
	const char *message;
};

static const struct start starts[] = {
	{ "", 0, "t: byte 0: the file is empty: expected a trace of rsbsim" },
	{ "\x7f"
	  "ELF\2\1\1\0",
	  8, "t: byte 0: this is no trace of rsbsim" },
	/* As text, with its line end changed. */
	{ "\x89rsbt\n\x1a\4\3\2\1\1\0\0\0", 15, "t: byte 0: this is no trace of rsbsim" },
	{ "\x89rsbt\r\n\x1a\1\2\3\4\0\0\0\1", 16,
	  "t: byte 0: the trace was written in the wrong byte order" },
	{ "\x89rsbt\r\n\x1a\4\3\2\1\2\0\0\0", 16, "t: byte 12: version 2 of the format" },
	{ "\x89rsbt\r\n\x1a\4\3\2", 11, "t: byte 0: the file ends within its first 16 bytes" },
};

/* What is no trace of ours is told by its first bytes, and how. */
START_TEST(tells_what_is_no_trace)
{
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		struct trace_ending ending = trace_bytes_read(starts[i].bytes, starts[i].size);

		ck_assert_int_eq(ending.got, RSB_TRACE_BAD);
		ck_assert_msg(
			!strncmp(ending.error.text, starts[i].message, strlen(starts[i].message)),
			"%s", ending.error.text);
	}
}
END_TEST

/* A file of chunks with right checksums, whatever is in them. */
struct forged {
	const char *kind;
	uint32_t count;
	const char *bytes;
	size_t size;
};

static struct trace_ending read_forged(const struct forged *chunks, size_t count)
{
	struct trace_ending ending;
	struct rsb_chunk_writer *writer;
	struct trace_bytes file;

	trace_bytes_open(&file);
	writer = rsb_chunk_writer_new(file.out);
	ck_assert(rsb_chunk_write_start(writer));
	for (size_t i = 0; i < count; i++) {
		struct rsb_bytes bytes = { .bytes = NULL };

		rsb_put(&bytes, chunks[i].bytes, chunks[i].size);
		ck_assert(rsb_chunk_write(writer, rsb_get_u32((const uint8_t *)chunks[i].kind),
					  chunks[i].count, &bytes));
		rsb_bytes_clear(&bytes);
	}
	rsb_chunk_writer_free(writer);
	trace_bytes_close(&file);
	ending = trace_bytes_read(file.bytes, file.size);
	trace_bytes_free(&file);
	return ending;
}

#define BYTES(text) text, sizeof(text) - 1
#define ABOUT                        \
	{                            \
		"ABOU", 0, BYTES("") \
	}
#define DONE(events)                                                      \
	{                                                                 \
		"DONE", 0, BYTES(events "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") \
	}
#define SITE                                               \
	{                                                  \
		"SITE", 1, BYTES("\0\5\0\0\0\0\x20\0\0\0") \
	} /* a call at 0x10 */

static const struct {
	struct forged chunks[4];
	size_t count;
	const char *message; /* NULL: it is good */
} forgeries[] = {
	{ { ABOUT, SITE, { "EVNT", 1, BYTES("\0\21\0") }, DONE("\1") }, 4, NULL },
	{ { ABOUT, DONE("\0") }, 2, NULL },
	/* A reader passes over what it does not know if its name allows it. */
	{ { ABOUT, { "newx", 3, BYTES("abc") }, DONE("\0") }, 3, NULL },
	{ { ABOUT, { "NEWX", 3, BYTES("abc") }, DONE("\0") },
	  3,
	  "this rsbsim does not know it, and it must be known" },
	{ { DONE("\0") }, 1, "the first chunk must be ABOU" },
	{ { ABOUT, DONE("\0"), ABOUT }, 3, "it comes after the end of the trace" },
	{ { ABOUT, DONE("\3") }, 2, "the file has 0 events, expected 3" },
	{ { { "ABOU", UINT32_MAX, BYTES("a\0b") } }, 1, "more than 1024 keys and values" },
	{ { { "ABOU", 1, BYTES("A\0b") } }, 1, "key 0 is not of small letters" },
	{ { { "ABOU", 2, BYTES("a\0b") } }, 1, "expected 2 keys and values" },
	{ { ABOUT, { "SITE", UINT32_MAX, BYTES("\0\5\0\0\0\0\x20\0\0\5\0\0\0\0\0\0") } },
	  2,
	  "definition 1: the site is there already" },
	{ { ABOUT, { "SITE", 9, BYTES("\0\5\0\0\0\0\x20\0") } }, 2, "definition 1: it ends early" },
	{ { ABOUT, { "SITE", 1, BYTES("\x11\5\0\0\0\0\x20\0\0\0") } }, 2, "there is no such site" },
	{ { ABOUT, { "SITE", 1, BYTES("\0\5\0\0\0\0\x20\0\7\0") } },
	  2,
	  "the guesses after the definitions do not fit them" },
	{ { ABOUT, SITE, { "EVNT", UINT32_MAX, BYTES("\0\21\0") } },
	  3,
	  "event 1: the chunk says 4294967294 events more" },
	{ { ABOUT, SITE, { "EVNT", 0, BYTES("\0\21\0") } },
	  3,
	  "event 0: there are more events than the chunk says" },
	{ { ABOUT, SITE, { "EVNT", 1, BYTES("\0\23\0") } }, 3, "event 0: its site is not defined" },
	{ { ABOUT, SITE, { "EVNT", 1, BYTES("\0\21\7") } },
	  3,
	  "event 0: its target is not defined" },
	{ { ABOUT, SITE, { "EVNT", 1, BYTES("\0\0") } }, 3, "event 0: no site can be guessed" },
	{ { ABOUT, SITE, { "EVNT", 1, BYTES("\0\20") } }, 3, "event 0: no target can be guessed" },
	{ { ABOUT, SITE, { "EVNT", 1, BYTES("\0\17") } }, 3, "event 0: its code means nothing" },
	{ { ABOUT, SITE, { "EVNT", 1, BYTES("\0\21\xff") } }, 3, "event 0: the chunk ends early" },
	{ { ABOUT, SITE, { "EVNT", 1, BYTES("") } }, 3, "event 0: the chunk ends early" },
};

/* Chunks that are whole but wrong are refused with what is wrong, and where. */
START_TEST(refuses_what_does_not_fit)
{
	for (size_t i = 0; i < sizeof(forgeries) / sizeof(*forgeries); i++) {
		struct trace_ending ending = read_forged(forgeries[i].chunks, forgeries[i].count);

		if (!forgeries[i].message) {
			ck_assert_msg(ending.got == RSB_TRACE_END, "%zu: %s", i, ending.error.text);
			continue;
		}
		ck_assert_msg(ending.got == RSB_TRACE_BAD, "%zu was taken", i);
		ck_assert_msg(strstr(ending.error.text, forgeries[i].message) != NULL, "%zu: %s", i,
			      ending.error.text);
	}
}
END_TEST

/* A header that claims more than a chunk may have is refused before anything is allocated. */
START_TEST(refuses_a_huge_chunk)
{
	static const char bytes[] = "\x89rsbt\r\n\x1a\4\3\2\1\1\0\0\0"
				    "EVNT\1\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0";
	struct trace_ending ending = trace_bytes_read(bytes, sizeof(bytes) - 1);

	ck_assert_int_eq(ending.got, RSB_TRACE_BAD);
	ck_assert_str_eq(ending.error.text,
			 "t: byte 16: a chunk of 4294967295 bytes, stored in 4294967295: expected "
			 "at most 16777216, and no more stored");
}
END_TEST

UNIT_MAIN("trace files", reads_what_was_written, costs_a_byte_for_what_can_be_guessed,
	  keeps_the_rounds, writes_threads_as_one, has_an_index,
	  reads_a_cut_file_up_to_its_last_whole_chunk, notices_each_damaged_byte,
	  tells_what_is_no_trace, refuses_what_does_not_fit, refuses_a_huge_chunk)
