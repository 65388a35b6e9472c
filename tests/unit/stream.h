/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event streams and models for the tests of models/.
 *
 *	struct stream stream = stream_new();
 *	struct rsb_model *model = model_new("ring", "depth=4 repair=full");
 *
 *	stream_call(&stream, 0x1000);
 *	stream_return(&stream, 0x1005);
 *	ck_assert_uint_eq(stream_misses(&stream, model), 0);
 */
#ifndef RSB_TESTS_STREAM_H
#define RSB_TESTS_STREAM_H

#include "models/model.h"
#include "traces/trace.h"

#define CALL_LENGTH 5 /* of the calls that stream_call() makes */

struct stream {
	struct rsb_sites *sites;
	struct rsb_trace trace;
	struct rsb_miss *missed; /* of the last stream_misses() */
};

struct stream stream_new(void);
void stream_free(struct stream *stream);

/* Forgets the events, not the sites. */
void stream_reset(struct stream *stream);

/* Adds an event of any site. */
void stream_add(struct stream *stream, struct rsb_site site, uint64_t target);

void stream_call(struct stream *stream, uint64_t pc);

/* The pc of call site index, for tests with a site a level; and what a call there pushes. */
uint64_t stream_site(unsigned index);
uint64_t stream_behind(unsigned index);

/* From one pc, where all these returns are, or from pc. */
void stream_return(struct stream *stream, uint64_t target);
void stream_return_at(struct stream *stream, uint64_t pc, uint64_t target);

void stream_jump_indirect(struct stream *stream, uint64_t pc, uint64_t target);
void stream_kind(struct stream *stream, enum rsb_kind kind);
void stream_environment(struct stream *stream, enum rsb_environment what, uint32_t count);

/* A stream of every kind of event, from few places, so that addresses come again. */
void stream_random(struct stream *stream, size_t count, uint64_t *seed);

/* xorshift64 (Marsaglia 2003); seed must not be 0. */
uint64_t stream_draw(uint64_t *seed);

/* Values of the built-in type: its defaults but for the settings, as below. Returns the type. */
const struct rsb_model_type *model_values(const char *type, const char *settings, int64_t *values);

/* Of the built-in type, with its defaults but for the settings "name=value name=value". */
struct rsb_model *model_new(const char *type, const char *settings);

/* Replays all; returns how many missed, which are in stream->missed. */
size_t stream_misses(struct stream *stream, struct rsb_model *model);

/* How many miss on a new model of the built-in type, with the settings of model_new(). */
size_t stream_misses_of(struct stream *stream, const char *type, const char *settings);

/* As stream_misses() by predict and update alone, as models/model.h defines it. */
size_t stream_misses_plainly(struct stream *stream, const struct rsb_model_type *type,
			     const char *settings, struct rsb_miss *missed);

#endif
