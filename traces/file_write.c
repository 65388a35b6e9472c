/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a trace: events become bytes at once, and a chunk is written when it is full. Nothing is
 * written before the first chunk, so that input that is refused early leaves nothing in a pipe.
 */
#include "traces/file_define.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_EVENTS 65536
#define CHUNK_BYTES  (4u << 20)  /* a chunk is full with that many bytes as well */
#define INDEX_MAX    (12u << 20) /* bytes of the index; a longer one is left out */

struct rsb_trace_writer {
	struct rsb_chunk_writer *chunks;
	struct rsb_definer definer;
	struct rsb_guess guess;
	struct rsb_bytes about, events, index;
	uint32_t about_count, event_count; /* in what is not written yet */

	uint64_t total;                /* events in the chunks before */
	uint64_t thread;               /* of what follows */
	uint64_t written_thread;       /* of what the chunk has so far */
	uint64_t pending_instructions; /* of thread, not in the chunk yet */

	bool shared;               /* threads are written as one ... */
	struct rsb_event switched; /* ... with this where another goes on */
	uint64_t shared_thread;

	bool started, failed;
	struct rsb_error error;
};

static void fail(struct rsb_trace_writer *writer, const char *why)
{
	if (!writer->failed)
		rsb_error_set(&writer->error, "%s", why);
	writer->failed = true;
}

struct rsb_trace_writer *rsb_trace_writer_new(FILE *out, const struct rsb_sites *sites,
					      struct rsb_error *error)
{
	struct rsb_trace_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return rsb_error_null(error, "out of memory");
	writer->definer.sites = sites;
	writer->definer.table = rsb_sites_new();
	writer->chunks = rsb_chunk_writer_new(out);
	if (writer->definer.table && writer->chunks)
		return writer;
	rsb_trace_writer_free(writer);
	return rsb_error_null(error, "out of memory");
}

void rsb_trace_writer_free(struct rsb_trace_writer *writer)
{
	if (!writer)
		return;
	rsb_chunk_writer_free(writer->chunks);
	rsb_definer_clear(&writer->definer);
	rsb_guess_clear(&writer->guess);
	rsb_bytes_clear(&writer->about);
	rsb_bytes_clear(&writer->events);
	rsb_bytes_clear(&writer->index);
	free(writer);
}

bool rsb_trace_writer_failed(const struct rsb_trace_writer *writer)
{
	return writer->failed;
}

void rsb_trace_write_about(struct rsb_trace_writer *writer, const char *key, const char *format,
			   ...)
{
	char value[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(value, sizeof(value), format, arguments);
	va_end(arguments);
	if (!*value)
		return;
	rsb_put_text(&writer->about, key);
	rsb_put_text(&writer->about, value);
	writer->about_count++;
}

/* ---- chunks ---- */

static void write_chunk(struct rsb_trace_writer *writer, uint32_t kind, uint32_t count,
			const struct rsb_bytes *bytes)
{
	if (!writer->failed && !rsb_chunk_write(writer->chunks, kind, count, bytes))
		fail(writer, strerror(errno));
}

/* Writes a chunk that the index knows. */
static void write_indexed(struct rsb_trace_writer *writer, uint32_t kind, uint32_t count,
			  const struct rsb_bytes *bytes)
{
	if (writer->index.size < INDEX_MAX) {
		rsb_put_u32(&writer->index, kind);
		rsb_put_u64(&writer->index, rsb_chunk_writer_offset(writer->chunks));
		rsb_put_u64(&writer->index, writer->total);
	}
	write_chunk(writer, kind, count, bytes);
}

/* Brings the instructions that are known into the chunk. */
static void settle(struct rsb_trace_writer *writer);

static void flush(struct rsb_trace_writer *writer)
{
	struct rsb_definer *definer = &writer->definer;

	settle(writer);
	if (!writer->started && !rsb_chunk_write_start(writer->chunks))
		fail(writer, strerror(errno));
	writer->started = true;
	/* A file begins with this one, also if there is nothing to say. */
	if (writer->about_count || !writer->index.size)
		write_indexed(writer, RSB_CHUNK_ABOUT, writer->about_count, &writer->about);
	if (definer->count) {
		rsb_define_guesses(definer, &writer->guess);
		write_indexed(writer, RSB_CHUNK_SITES, definer->count, &definer->bytes);
	}
	if (writer->events.size)
		write_indexed(writer, RSB_CHUNK_EVENTS, writer->event_count, &writer->events);
	writer->total += writer->event_count;
	writer->about_count = writer->event_count = 0;
	writer->about.size = writer->events.size = 0;
	rsb_define_restart(definer);
}

/* ---- events ---- */

/* Before anything is put into a chunk of events: the thread is the right one. */
static void begin(struct rsb_trace_writer *writer)
{
	if (writer->events.size && writer->written_thread == writer->thread)
		return;
	if (writer->events.size)
		rsb_put_number(&writer->events, RSB_CODE_THREAD);
	rsb_put_number(&writer->events, writer->thread);
	writer->written_thread = writer->thread;
	rsb_guess_restart(&writer->guess);
}

static void settle(struct rsb_trace_writer *writer)
{
	if (!writer->pending_instructions)
		return;
	begin(writer);
	rsb_put_number(&writer->events, RSB_CODE_INSTRUCTIONS);
	rsb_put_number(&writer->events, writer->pending_instructions);
	writer->pending_instructions = 0;
}

void rsb_trace_writer_share(struct rsb_trace_writer *writer, uint32_t site, uint32_t target)
{
	writer->shared = true;
	writer->switched = (struct rsb_event){ site, target };
}

static void write_switch(struct rsb_trace_writer *writer, uint64_t thread)
{
	bool begun = writer->total || writer->event_count;

	if (begun && thread != writer->shared_thread)
		rsb_trace_write(writer, writer->switched.site, writer->switched.target);
	writer->shared_thread = thread;
}

void rsb_trace_write_thread(struct rsb_trace_writer *writer, uint64_t thread)
{
	if (writer->shared) {
		write_switch(writer, thread);
		return;
	}
	if (thread == writer->thread)
		return;
	settle(writer);
	writer->thread = thread;
}

void rsb_trace_write_instructions(struct rsb_trace_writer *writer, uint64_t count)
{
	writer->pending_instructions += count;
}

void rsb_trace_write_round(struct rsb_trace_writer *writer, const struct rsb_trace_round *round)
{
	settle(writer);
	begin(writer);
	rsb_put_number(&writer->events, RSB_CODE_ROUND);
	rsb_put_number(&writer->events, round->instructions);
	rsb_put_number(&writer->events, round->traced_instructions);
	rsb_put_number(&writer->events, round->traced_calls);
}

/* What is seen first of a new site, or after a new address, is what will be guessed. */
static void learn(struct rsb_trace_writer *writer, uint32_t site, uint32_t target)
{
	struct rsb_guess *guess = &writer->guess;

	if (site >= writer->definer.first_site && guess->sites[site].usual == RSB_GUESS_NONE)
		guess->sites[site].usual = target;
	if (guess->last != RSB_GUESS_NONE && guess->last >= writer->definer.first_address &&
	    guess->followers[guess->last] == RSB_GUESS_NONE)
		guess->followers[guess->last] = site;
}

static void put_event(struct rsb_trace_writer *writer, uint32_t site, uint32_t target)
{
	struct rsb_guess *guess = &writer->guess;
	bool next = rsb_guess_next(guess) == site;
	bool usual = rsb_guess_target(guess, site) == target;

	if (next)
		rsb_put_number(&writer->events, usual ? RSB_CODE_NEXT : RSB_CODE_NEXT_TO);
	else
		rsb_put_number(&writer->events, RSB_CODE_SITE + 2 * (uint64_t)site + !usual);
	if (!usual)
		rsb_put_number(&writer->events, target);
	rsb_guess_follow(guess, site, target);
	writer->event_count++;
}

/* Replaces ids by numbers; what is new is defined. */
static bool number_event(struct rsb_trace_writer *writer, uint32_t *site, uint32_t *target)
{
	struct rsb_definer *definer = &writer->definer;
	uint32_t before = definer->count;

	*site = rsb_define_site(definer, *site);
	*target = *site == RSB_GUESS_NONE ? RSB_GUESS_NONE : rsb_define_address(definer, *target);
	if (*target == RSB_GUESS_NONE)
		fail(writer, definer->trouble);
	else if (definer->count != before && !rsb_guess_grow(&writer->guess, definer->table))
		fail(writer, "out of memory");
	return !writer->failed;
}

void rsb_trace_write_verdict(struct rsb_trace_writer *writer, uint32_t site, uint32_t target,
			     enum rsb_verdict verdict)
{
	if (writer->event_count == CHUNK_EVENTS || writer->events.size >= CHUNK_BYTES ||
	    writer->definer.bytes.size >= CHUNK_BYTES)
		flush(writer);
	if (writer->failed || !number_event(writer, &site, &target))
		return;
	begin(writer);
	if (verdict != RSB_VERDICT_NONE)
		rsb_put_number(&writer->events,
			       verdict == RSB_VERDICT_HIT ? RSB_CODE_HIT : RSB_CODE_MISS);
	learn(writer, site, target);
	put_event(writer, site, target);
}

void rsb_trace_write(struct rsb_trace_writer *writer, uint32_t site, uint32_t target)
{
	rsb_trace_write_verdict(writer, site, target, RSB_VERDICT_NONE);
}

/* ---- the end ---- */

/* Without an index where it would be too long, or is not whole for want of memory. */
static void write_end(struct rsb_trace_writer *writer)
{
	bool indexed = writer->index.size < INDEX_MAX && !writer->index.failed;
	struct rsb_bytes done = { .bytes = NULL };

	rsb_put_u64(&done, writer->total);
	rsb_put_u64(&done, indexed ? rsb_chunk_writer_offset(writer->chunks) : 0);
	if (indexed)
		write_chunk(writer, RSB_CHUNK_INDEX, 0, &writer->index);
	write_chunk(writer, RSB_CHUNK_DONE, 0, &done);
	rsb_bytes_clear(&done);
}

bool rsb_trace_writer_end(struct rsb_trace_writer *writer, struct rsb_error *error)
{
	bool good;

	if (!writer)
		return true;
	flush(writer);
	write_end(writer);
	good = !writer->failed ||
	       rsb_error_set(error, "the trace cannot be written: %s", writer->error.text);
	rsb_trace_writer_free(writer);
	return good;
}
