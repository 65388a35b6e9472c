/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trace files in memory, for tests: written, and taken apart into their chunks. */
#ifndef RSB_TESTS_TRACE_BYTES_H
#define RSB_TESTS_TRACE_BYTES_H

#include "traces/file.h"

/* A file that is being written, and its bytes once it is closed. */
struct trace_bytes {
	FILE *out;
	char *bytes;
	size_t size;
};

void trace_bytes_open(struct trace_bytes *file);
void trace_bytes_close(struct trace_bytes *file);
void trace_bytes_free(struct trace_bytes *file);

/* What reading it comes to: how it ends, and how many events there are. */
struct trace_ending {
	enum rsb_trace_got got;
	uint64_t events;
	struct rsb_error error;
};
struct trace_ending trace_bytes_read(const void *bytes, size_t size);

/*
 * Where the first chunk of that kind ("EVNT") begins, from offset from on; size if there is none.
 */
size_t trace_bytes_find(const struct trace_bytes *file, const char *kind, size_t from);

/* A site with its address, interned. */
uint32_t trace_site(struct rsb_sites *sites, enum rsb_kind kind, uint64_t pc, unsigned length,
		    const char *label);

/*
 * Writes a file of calls nested in one another, as deep as one may wish, and their returns, so many
 * times.
 */
void trace_bytes_nest(struct trace_bytes *file, unsigned depth, unsigned times);

#endif
