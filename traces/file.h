/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces on disk: rsbsim-trace(5) says what each byte means. A file is written in one go and read
 * in one go, in memory that does not grow with the number of events; only the site table grows,
 * with the number of different places. A chunk of events carries the sites and addresses that are
 * new in it, so that a pipe can be read.
 *
 *	writer = rsb_trace_writer_new(stdout, sites, &error);
 *	rsb_trace_write(writer, site, target);
 *	...
 *	rsb_trace_writer_end(writer, &error);
 *
 *	while ((got = rsb_trace_reader_next(reader, &batch, &error)) == RSB_TRACE_BATCH)
 *		rsb_models_replay(..., rsb_trace_reader_sites(reader), batch.events, batch.count, ...);
 */
#ifndef RSB_TRACES_FILE_H
#define RSB_TRACES_FILE_H

#include "traces/input.h"
#include "traces/site.h"

#include <stdio.h>

/* What the processor itself said of a transfer, where the trace tells. */
enum rsb_verdict {
	RSB_VERDICT_NONE, /* not known */
	RSB_VERDICT_HIT,  /* predicted */
	RSB_VERDICT_MISS, /* mispredicted */
};

/* What the round that ended took; only recorded layouts have rounds. */
struct rsb_trace_round {
	uint64_t instructions, traced_instructions, traced_calls;
};

/* ---- writing ---- */

struct rsb_trace_writer;

/*
 * Starts a file, of which nothing is written before a chunk is full or the end. The ids of events
 * are those of sites, which may grow until the end and must outlive the writer. NULL: no memory.
 */
struct rsb_trace_writer *rsb_trace_writer_new(FILE *out, const struct rsb_sites *sites,
					      struct rsb_error *error);

/*
 * Says something about the whole trace: a key (small letters, digits and '-') with its value; the
 * same key may be said again. "arch" is "x86_64", "source" is where the trace comes from, "note" a
 * sentence that every report of it shows ("214 of 5000 branches could not be classified"). An empty
 * value is not written. Good at any time. Errors come out at the end, as of all below.
 */
void rsb_trace_write_about(struct rsb_trace_writer *writer, const char *key, const char *format,
			   ...) __attribute__((format(printf, 3, 4)));

/* What follows is of this thread, by any number of its own; before the first call, thread 0. */
void rsb_trace_write_thread(struct rsb_trace_writer *writer, uint64_t thread);

/*
 * All threads are written as one, as if one hardware thread ran them in turn: where another goes on
 * there is this event, which should be an RSB_ENVIRONMENT_SWITCH. To be said first.
 */
void rsb_trace_writer_share(struct rsb_trace_writer *writer, uint32_t site, uint32_t target);

/* One event; verdict is what the processor said of it. */
void rsb_trace_write(struct rsb_trace_writer *writer, uint32_t site, uint32_t target);
void rsb_trace_write_verdict(struct rsb_trace_writer *writer, uint32_t site, uint32_t target,
			     enum rsb_verdict verdict);

/* The thread executed so many instructions more, those that made its events included. */
void rsb_trace_write_instructions(struct rsb_trace_writer *writer, uint64_t count);

/* The round whose events were written has ended. */
void rsb_trace_write_round(struct rsb_trace_writer *writer, const struct rsb_trace_round *round);

/* Has something failed, so that going on is of no use? */
bool rsb_trace_writer_failed(const struct rsb_trace_writer *writer);

/* Ends the file and frees the writer (which may be NULL). False: something could not be written. */
bool rsb_trace_writer_end(struct rsb_trace_writer *writer, struct rsb_error *error);

/* Frees the writer of a file that is not wanted. */
void rsb_trace_writer_free(struct rsb_trace_writer *writer);

/* ---- reading ---- */

/* Events of one thread that follow one another. */
struct rsb_trace_batch {
	const struct rsb_event *events;
	const uint8_t *verdicts; /* enum rsb_verdict of each; NULL: none is known */
	size_t count;
	uint64_t first; /* number of the first of them in the file */
	uint64_t thread;
	uint64_t instructions; /* that the thread executed meanwhile, as far as known */
	const struct rsb_trace_round *round; /* the round that ends here; or NULL */
};

enum rsb_trace_got {
	RSB_TRACE_BATCH,
	RSB_TRACE_END, /* that was all */
	RSB_TRACE_CUT, /* the file ends early; all that was handed out is whole. error says where */
	RSB_TRACE_BAD, /* error says what is wrong and where */
};

struct rsb_trace_reader;

/* The input must outlive the reader. NULL: error says why this is no trace. */
struct rsb_trace_reader *rsb_trace_reader_new(struct rsb_input *input, struct rsb_error *error);
void rsb_trace_reader_free(struct rsb_trace_reader *reader);

/* The next events, good until the next call. A batch may be empty. */
enum rsb_trace_got rsb_trace_reader_next(struct rsb_trace_reader *reader,
					 struct rsb_trace_batch *batch, struct rsb_error *error);

/* The table that the ids of events index; it grows with each batch. */
const struct rsb_sites *rsb_trace_reader_sites(const struct rsb_trace_reader *reader);

/* The same table, which the caller must free; nothing more can be read after that. */
struct rsb_sites *rsb_trace_reader_take_sites(struct rsb_trace_reader *reader);

/* The name of its input. */
const char *rsb_trace_reader_name(const struct rsb_trace_reader *reader);

const char *rsb_trace_reader_arch(const struct rsb_trace_reader *reader);

/* What is said about the trace, as far as it has been read: NULL from the index on that is not
 * there. */
const char *rsb_trace_reader_about(const struct rsb_trace_reader *reader, size_t index,
				   const char **value);

/* The first value of that key, or NULL. */
const char *rsb_trace_reader_value(const struct rsb_trace_reader *reader, const char *key);

/* How much has been read: chunks of events, events, and bytes of the chunks as they are stored. */
struct rsb_trace_extent {
	uint64_t chunks, events, bytes;
};
struct rsb_trace_extent rsb_trace_reader_extent(const struct rsb_trace_reader *reader);

/*
 * Calls progress after each batch that is read, with the bytes read so far; the 0 that it gets too
 * stands for the whole, which a reader does not know. For long work that people wait for.
 */
void rsb_trace_reader_watch(struct rsb_trace_reader *reader,
			    void (*progress)(void *context, uint64_t done, uint64_t of),
			    void *context);

#endif
