/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Importing a trace in memory. */
#include "tests/unit/importing.h"

#include "tests/unit/trace_bytes.h"
#include "tests/unit/unit.h"
#include "traces/text.h"

#include <stdlib.h>
#include <string.h>

struct code {
	uint64_t address;
	const char *bytes;
	size_t size;
};

static size_t read_code(void *context, uint64_t address, uint8_t *bytes, size_t size)
{
	const struct code *code = context;
	size_t at = address - code->address;

	if (address < code->address || at >= code->size)
		return 0;
	if (size > code->size - at)
		size = code->size - at;
	memcpy(bytes, code->bytes + at, size);
	return size;
}

/* The trace as text. */
static char *write_text(const struct trace_bytes *trace)
{
	const struct rsb_text_range all = { 0, UINT64_MAX };
	struct rsb_error error;
	struct rsb_input *input = rsb_input_memory("t", trace->bytes, trace->size, &error);
	struct rsb_trace_reader *reader = rsb_trace_reader_new(input, &error);
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(reader);
	ck_assert_int_eq(rsb_trace_text(reader, all, out, &error), RSB_TRACE_END);
	ck_assert_int_eq(fclose(out), 0);
	memmove(text, strchr(text, '\n') + 1, strlen(strchr(text, '\n')));
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	return text;
}

static char *run_importer(const char *format, const void *bytes, size_t size, struct code *code)
{
	struct rsb_error error;
	const struct rsb_importer *importer = rsb_importer_find(format, &error);
	struct rsb_import import = { .input = rsb_input_memory("in", bytes, size, &error),
				     .sites = rsb_sites_new(),
				     .code = code ? read_code : NULL,
				     .code_context = code };
	struct trace_bytes trace;
	char *text;

	ck_assert_ptr_nonnull(importer);
	trace_bytes_open(&trace);
	import.writer = rsb_trace_writer_new(trace.out, import.sites, &error);
	if (importer->run(&import, &error)) {
		ck_assert(rsb_trace_writer_end(import.writer, &error));
		trace_bytes_close(&trace);
		text = write_text(&trace);
	} else {
		rsb_trace_writer_free(import.writer);
		trace_bytes_close(&trace);
		rsb_error_prefix(&error, "error");
		text = strdup(error.text);
	}
	trace_bytes_free(&trace);
	rsb_input_free(import.input);
	rsb_sites_free(import.sites);
	return text;
}

char *import_text(const char *format, const void *bytes, size_t size)
{
	return run_importer(format, bytes, size, NULL);
}

char *import_text_with_code(const char *format, const void *bytes, size_t size, uint64_t address,
			    const char *code, size_t code_size)
{
	struct code known = { address, code, code_size };

	return run_importer(format, bytes, size, &known);
}

void import_expect(const char *format, const void *bytes, size_t size, const char *expected)
{
	char *text = import_text(format, bytes, size);

	ck_assert_str_eq(text, expected);
	free(text);
}
