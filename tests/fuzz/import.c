/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Importing an input of a fuzzer. */
#include "tests/fuzz/import.h"

#include "traces/import/importer.h"

#include <stdlib.h>
#include <string.h>

/* Every address has the input's bytes as code. */
struct code {
	const uint8_t *bytes;
	size_t size;
};

static size_t read_code(void *context, uint64_t address, uint8_t *bytes, size_t size)
{
	const struct code *code = context;
	size_t at = code->size ? address % code->size : 0;
	size_t known = code->size - at < size ? code->size - at : size;

	memcpy(bytes, code->bytes + at, known);
	return known;
}

/* What an importer took must be a whole trace, unless it has more places than a trace can. */
static void read_trace(const char *bytes, size_t size)
{
	struct rsb_error error;
	struct rsb_input *input = rsb_input_memory("trace", bytes, size, &error);
	struct rsb_trace_reader *reader = rsb_trace_reader_new(input, &error);
	struct rsb_trace_batch batch;
	enum rsb_trace_got got;

	if (!reader)
		abort();
	do {
		got = rsb_trace_reader_next(reader, &batch, &error);
	} while (got == RSB_TRACE_BATCH);
	if (got != RSB_TRACE_END)
		abort();
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
}

static void import_once(const struct rsb_importer *importer, const uint8_t *data, size_t size,
			struct code *code)
{
	struct rsb_error error;
	struct rsb_import import = { .input = rsb_input_memory("fuzz", data, size, &error) };
	char *bytes = NULL;
	size_t bytes_size;
	FILE *out;
	bool good;

	if (!import.input)
		return;
	out = open_memstream(&bytes, &bytes_size);
	import.sites = rsb_sites_new();
	import.writer = rsb_trace_writer_new(out, import.sites, &error);
	import.code = code ? read_code : NULL;
	import.code_context = code;
	good = importer->run(&import, &error);
	good = rsb_trace_writer_end(import.writer, &error) && good;
	fclose(out);
	if (good)
		read_trace(bytes, bytes_size);
	free(bytes);
	rsb_input_free(import.input);
	rsb_sites_free(import.sites);
}

void fuzz_import(const char *name, const uint8_t *data, size_t size)
{
	struct code code = { data, size };
	struct rsb_error error;
	const struct rsb_importer *importer = rsb_importer_find(name, &error);

	import_once(importer, data, size, NULL);
	import_once(importer, data, size, &code);
}
