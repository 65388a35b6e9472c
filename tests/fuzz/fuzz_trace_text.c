/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes traces as text; the text of what was read must give the same text again. */
#include "traces/import/importer.h"
#include "traces/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
	char *bytes;
	size_t size;
};

static bool import(const void *text, size_t size, struct bytes *trace)
{
	struct rsb_import import = { .sites = rsb_sites_new() };
	struct rsb_error error;
	FILE *out;
	bool good;

	*trace = (struct bytes){ NULL, 0 };
	out = open_memstream(&trace->bytes, &trace->size);
	import.input = rsb_input_memory("fuzz", text, size, &error);
	import.writer = rsb_trace_writer_new(out, import.sites, &error);
	good = rsb_importer_find("text", &error)->run(&import, &error);
	good = rsb_trace_writer_end(import.writer, &error) && good;
	fclose(out);
	rsb_input_free(import.input);
	rsb_sites_free(import.sites);
	return good;
}

static void dump(const struct bytes *trace, struct bytes *text)
{
	const struct rsb_text_range all = { 0, UINT64_MAX };
	struct rsb_error error;
	struct rsb_input *input = rsb_input_memory("t", trace->bytes, trace->size, &error);
	struct rsb_trace_reader *reader = rsb_trace_reader_new(input, &error);
	FILE *out = open_memstream(&text->bytes, &text->size);

	/* More keys and values than a file may have are refused by the reader alone. */
	if (reader)
		rsb_trace_text(reader, all, out, &error);
	fclose(out);
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
}

/* The text of a text. False: it is refused. */
static bool rewrite(const void *text, size_t size, struct bytes *rewritten)
{
	struct bytes trace;
	bool good = import(text, size, &trace);

	*rewritten = (struct bytes){ NULL, 0 };
	if (good)
		dump(&trace, rewritten);
	free(trace.bytes);
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes first, second;

	if (rewrite(data, size, &first) && first.size) {
		if (!rewrite(first.bytes, first.size, &second) || second.size != first.size ||
		    memcmp(second.bytes, first.bytes, first.size))
			abort();
		free(second.bytes);
	}
	free(first.bytes);
	return 0;
}
