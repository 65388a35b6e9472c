/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trace files in memory. */
#include "tests/unit/trace_bytes.h"

#include "tests/unit/unit.h"
#include "traces/bytes.h"

#include <stdlib.h>
#include <string.h>

void trace_bytes_open(struct trace_bytes *file)
{
	*file = (struct trace_bytes){ .out = NULL };
	file->out = open_memstream(&file->bytes, &file->size);
	ck_assert_ptr_nonnull(file->out);
}

void trace_bytes_close(struct trace_bytes *file)
{
	ck_assert_int_eq(fclose(file->out), 0);
}

void trace_bytes_free(struct trace_bytes *file)
{
	free(file->bytes);
}

struct trace_ending trace_bytes_read(const void *bytes, size_t size)
{
	struct trace_ending ending = { .got = RSB_TRACE_BAD };
	struct rsb_input *input = rsb_input_memory("t", bytes, size, &ending.error);
	struct rsb_trace_reader *reader;
	struct rsb_trace_batch batch;

	ck_assert_ptr_nonnull(input);
	reader = rsb_trace_reader_new(input, &ending.error);
	while (reader && (ending.got = rsb_trace_reader_next(reader, &batch, &ending.error)) ==
				 RSB_TRACE_BATCH)
		ending.events += batch.count;
	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	return ending;
}

size_t trace_bytes_find(const struct trace_bytes *file, const char *kind, size_t from)
{
	/* rsbsim-trace(5): the start is of 16 bytes, a chunk's header of 20 with its size at 12. */
	for (size_t at = 16; at + 20 <= file->size;
	     at += 20 + rsb_get_u32((uint8_t *)file->bytes + at + 12))
		if (at >= from && !memcmp(file->bytes + at, kind, 4))
			return at;
	return file->size;
}

uint32_t trace_site(struct rsb_sites *sites, enum rsb_kind kind, uint64_t pc, unsigned length,
		    const char *label)
{
	const struct rsb_site site = {
		.pc = pc,
		.length = (uint8_t)length,
		.kind = (uint8_t)kind,
	};

	return rsb_sites_intern(sites, &site, label);
}

void trace_bytes_nest(struct trace_bytes *file, unsigned depth, unsigned times)
{
	struct rsb_sites *sites = rsb_sites_new();
	struct rsb_trace_writer *writer;
	struct rsb_error error;

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
