/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace files that are cut, changed or forged are refused. rsbsim-trace(5) is the source of the
 * bytes.
 */
#include "tests/unit/trace_bytes.h"
#include "tests/unit/unit.h"
#include "traces/bytes.h"
#include "traces/file_chunk.h"

#include <stdlib.h>
#include <string.h>

/* Wherever a file is cut, whole chunks are read, and it is said that there should be more. */
START_TEST(reads_a_cut_file_up_to_its_last_whole_chunk)
{
	struct trace_bytes file;
	size_t events;

	trace_bytes_nest(&file, 5, 3);
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

	trace_bytes_nest(&file, 5, 3);
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

UNIT_MAIN("damaged trace files", reads_a_cut_file_up_to_its_last_whole_chunk,
	  notices_each_damaged_byte, tells_what_is_no_trace, refuses_what_does_not_fit,
	  refuses_a_huge_chunk)
