/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces as text: what is written is read back to the byte, and a line that is wrong is told. */
#include "traces/text.h"

#include "tests/unit/trace_bytes.h"
#include "tests/unit/unit.h"
#include "traces/import/importer.h"

#include <stdlib.h>
#include <string.h>

static struct rsb_error error;

/* Imports a text. False: error. */
static bool import(const char *text, struct trace_bytes *file)
{
	struct rsb_import import = { .sites = rsb_sites_new() };
	const struct rsb_importer *importer = rsb_importer_find("text", &error);
	bool good;

	import.input = rsb_input_memory("t.txt", text, strlen(text), &error);
	trace_bytes_open(file);
	import.writer = rsb_trace_writer_new(file->out, import.sites, &error);
	good = importer->run(&import, &error);
	if (good)
		good = rsb_trace_writer_end(import.writer, &error);
	else
		rsb_trace_writer_free(import.writer);
	trace_bytes_close(file);
	rsb_input_free(import.input);
	rsb_sites_free(import.sites);
	return good;
}

/* The text of events first up to end. */
static char *dump(const struct trace_bytes *file, uint64_t first, uint64_t end)
{
	struct rsb_input *input = rsb_input_memory("t", file->bytes, file->size, &error);
	struct rsb_trace_reader *reader = rsb_trace_reader_new(input, &error);
	const struct rsb_text_range range = { first, end };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(reader);
	ck_assert_int_eq(rsb_trace_text(reader, range, out, &error), RSB_TRACE_END);
	ck_assert_int_eq(fclose(out), 0);
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	return text;
}

/* Every word that rsbsim-trace(5) has, once at least. */
static const char all[] = "rsbsim-trace 1\n"
			  "about arch x86_64\n"
			  "about note of  two blanks\n"
			  "mark:round 0x400000 -> 0x400000\n"
			  "mark:traced-call 0x401000 -> 0x401000\n"
			  "call 0x401000+5 -> 0x402000 ; main+0x10\n"
			  "call 0x401005+5 -> 0x40100a zero-call\n"
			  "call 0x40100a+3 -> 0x402000 indirect\n"
			  "call 0x402100+5 -> 0x402107 for-jump\n"
			  "call 0x402110+5 -> 0x402117 for-return\n"
			  "call 0x402120+5 -> 0x402127 for-fill miss ; fill; and more\n"
			  "return 0x402004+1 -> 0x401005 hit ; f+0x4\n"
			  "mark:landing 0x401005 -> 0x401005\n"
			  "swap 0x402005+2 -> 0x401005\n"
			  "jump 0x402007+2 -> 0x402000\n"
			  "indirect-jump 0x402009+2 -> 0x402000\n"
			  "taken-branch 0x40200b+2 -> 0x402000\n"
			  "not-taken-branch 0x40200b+2 -> 0x40200d\n"
			  "far-call 0x40200d+7 -> 0x402000\n"
			  "far-return 0x402014+1 -> 0x402000\n"
			  "syscall 0x402015+2 -> 0xffffffff81000000\n"
			  "sysret 0xffffffff81000100+3 -> 0x402017\n"
			  "interrupt 0x402017+1 -> 0xffffffff81000000\n"
			  "iret 0xffffffff81000200+2 -> 0x402017\n"
			  "speculate 0x402017 -> 0x402017\n"
			  "squash 0x402017 -> 0x402017\n"
			  "instructions 77\n"
			  "round 77 70 1\n"
			  "thread 18446744073709551615\n"
			  "environment:clear 0x0 -> 0x0\n"
			  "environment:fill 0x0 -> 0x0 count=32\n"
			  "environment:ibpb 0x0 -> 0x0\n"
			  "environment:switch 0x0 -> 0x0\n"
			  "environment:cr3 0x0 -> 0x0\n"
			  "mark:gap 0x0 -> 0x0\n";

/* The text of what a text says is that text. */
START_TEST(writes_what_it_read)
{
	struct trace_bytes file;
	char *text;

	ck_assert_msg(import(all, &file), "%s", error.text);
	text = dump(&file, 0, UINT64_MAX);
	ck_assert_str_eq(text, all);
	free(text);
	trace_bytes_free(&file);
}
END_TEST

/* Of what a trace says about itself, a word without a value says nothing, and is not kept. */
START_TEST(keeps_no_empty_word)
{
	struct trace_bytes file;
	char *text;

	ck_assert_msg(import("rsbsim-trace 1\nabout empty \nabout arch x86_64\n", &file), "%s",
		      error.text);
	text = dump(&file, 0, UINT64_MAX);
	ck_assert_str_eq(text, "rsbsim-trace 1\nabout arch x86_64\n");
	free(text);
	trace_bytes_free(&file);
}
END_TEST

/* And the file of that text is the same to the byte. */
START_TEST(gives_the_same_file)
{
	struct trace_bytes first, second;
	char *text;

	ck_assert(import(all, &first));
	text = dump(&first, 0, UINT64_MAX);
	ck_assert(import(text, &second));
	ck_assert_uint_eq(first.size, second.size);
	ck_assert(!memcmp(first.bytes, second.bytes, first.size));
	free(text);
	trace_bytes_free(&first);
	trace_bytes_free(&second);
}
END_TEST

/* Some of the events, with what stands behind the last of them only if that is the batch's last. */
START_TEST(writes_a_range)
{
	struct trace_bytes file;
	char *text;

	ck_assert(import(all, &file));
	text = dump(&file, 2, 4);
	ck_assert_str_eq(text, "rsbsim-trace 1\n"
			       "about arch x86_64\n"
			       "about note of  two blanks\n"
			       "call 0x401000+5 -> 0x402000 ; main+0x10\n"
			       "call 0x401005+5 -> 0x40100a zero-call\n");
	free(text);
	trace_bytes_free(&file);
}
END_TEST

/* A person may leave out what is not needed, and write more blanks, and remarks. */
START_TEST(reads_what_a_person_writes)
{
	struct trace_bytes file;
	char *text;

	ck_assert_msg(import("rsbsim-trace 1\r\n"
			     "# two lines\n"
			     "\n"
			     "  call   4198400+5  ->\t0x402000;main\n"
			     "return 0x402004 -> 0x401005",
			     &file),
		      "%s", error.text);
	text = dump(&file, 0, UINT64_MAX);
	ck_assert_str_eq(text, "rsbsim-trace 1\n"
			       "call 0x401000+5 -> 0x402000 ; main\n"
			       "return 0x402004 -> 0x401005\n");
	free(text);
	trace_bytes_free(&file);
}
END_TEST

/* A label from a file can hold anything; on a line it does not end it. */
START_TEST(masks_labels)
{
	struct rsb_sites *sites = rsb_sites_new();
	struct rsb_trace_writer *writer;
	struct trace_bytes file;
	char *text;

	trace_bytes_open(&file);
	writer = rsb_trace_writer_new(file.out, sites, &error);
	rsb_trace_write(writer, trace_site(sites, RSB_RETURN, 16, 1, "a\nb\33[2J"), 0);
	ck_assert(rsb_trace_writer_end(writer, &error));
	trace_bytes_close(&file);
	text = dump(&file, 0, UINT64_MAX);
	ck_assert_str_eq(text, "rsbsim-trace 1\nreturn 0x10+1 -> 0x11 ; a?b?[2J\n");
	free(text);
	rsb_sites_free(sites);
	trace_bytes_free(&file);
}
END_TEST

static const struct {
	const char *line, *message;
} wrong[] = {
	{ "cal 0x1+5 -> 0x2", "'cal': expected call" },
	{ "mark:gab 0x1 -> 0x2", "'gab': expected gap" },
	{ "mark 0x1 -> 0x2", "'': expected round, traced-call, landing or gap" },
	{ "call:round 0x1+5 -> 0x2", "'call:round': nothing can follow 'call' but a blank" },
	{ "call 0x1 -> 0x2", "expected an address and the length of the instruction, as "
			     "0x401000+5, found '0x1'" },
	{ "call 0x1+0 -> 0x2", "found '0x1+0'" },
	{ "call 0x1+256 -> 0x2", "found '0x1+256'" },
	{ "return -1 -> 0x2", "expected an address, as 0x401000+5, found '-1'" },
	{ "return 0x10000000000000000 -> 0x2", "found '0x10000000000000000'" },
	{ "return 0x1", "expected '->', found ''" },
	{ "return 0x1 0x2", "expected '->', found '0x2'" },
	{ "return 0x1 -> x", "expected a number, found 'x'" },
	{ "return 0x1 -> 0x2 mis", "'mis': expected hit, miss, indirect" },
	{ "return 0x1 -> 0x2 count=4294967296", "'count=4294967296': expected" },
	{ "thread", "expected a number, found ''" },
	{ "thread 1 2", "expected the end of the line, found '2'" },
	{ "round 1 2", "expected a number, found ''" },
	{ "instructions 1e3", "expected a number, found '1e3'" },
	{ "about A b", "expected a key of small letters, digits and '-', found 'A'" },
};

/* Each line that is wrong is told by its number, and what should stand there. */
START_TEST(tells_what_is_wrong)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct trace_bytes file;
		char text[256];

		snprintf(text, sizeof(text), "rsbsim-trace 1\n\n%s\n", wrong[i].line);
		ck_assert_msg(!import(text, &file), "%s", wrong[i].line);
		ck_assert_msg(!strncmp(error.text, "t.txt:3: ", 9), "%s", error.text);
		ck_assert_msg(strstr(error.text, wrong[i].message) != NULL, "%s", error.text);
		trace_bytes_free(&file);
	}
}
END_TEST

/* The first line says what the text is. */
START_TEST(wants_the_first_line)
{
	struct trace_bytes file;

	ck_assert(!import("call 0x401000+5 -> 0x402000\n", &file));
	ck_assert_str_eq(error.text, "t.txt:1: expected 'rsbsim-trace 1' as the first line");
	trace_bytes_free(&file);
	ck_assert(!import("", &file));
	trace_bytes_free(&file);
}
END_TEST

UNIT_MAIN("traces as text", writes_what_it_read, keeps_no_empty_word, gives_the_same_file,
	  writes_a_range, reads_what_a_person_writes, masks_labels, tells_what_is_wrong,
	  wants_the_first_line)
