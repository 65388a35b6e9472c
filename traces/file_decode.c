/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking a chunk of events apart. */
#include "traces/file_decode.h"

#include <inttypes.h>
#include <string.h>

#define ENDS_EARLY "the chunk ends early"

void rsb_decode_start(struct rsb_decoder *decoder, const struct rsb_chunk *chunk)
{
	decoder->from = rsb_unread_of(chunk->bytes, chunk->size);
	decoder->left = chunk->count;
	decoder->thread = rsb_take_number(&decoder->from);
	rsb_guess_restart(&decoder->guess);
}

bool rsb_decode_ended(const struct rsb_decoder *decoder)
{
	return decoder->from.at == decoder->from.end && !decoder->from.bad && !decoder->left;
}

/* Most numbers are of one byte or two. */
static inline uint64_t take_number(struct rsb_unread *from)
{
	const uint8_t *at = from->at;

	if (at < from->end && at[0] < 0x80) {
		from->at = at + 1;
		return at[0];
	}
	if (from->end - at > 1 && at[1] < 0x80) {
		from->at = at + 2;
		return (at[0] & 0x7fu) | (unsigned)at[1] << 7;
	}
	return rsb_take_number(from);
}

static bool refuse(const struct rsb_decoder *decoder, const struct rsb_trace_batch *batch,
		   const char *what, struct rsb_error *error)
{
	return rsb_error_set(error, "event %" PRIu64 ": %s", decoder->total + batch->count, what);
}

/* The site and the target of an event whose code was taken. NULL: it is good. */
static inline const char *take_event(struct rsb_decoder *decoder, uint64_t code,
				     struct rsb_event *event)
{
	struct rsb_guess *guess = &decoder->guess;
	bool given = code & 1;
	uint64_t site, target;

	site = code >= RSB_CODE_SITE ? (code - RSB_CODE_SITE) >> 1 : rsb_guess_next(guess);
	if (site >= guess->site_count)
		return code >= RSB_CODE_SITE ? "its site is not defined" : "no site can be guessed";
	target = rsb_guess_target(guess, (uint32_t)site);
	if (given)
		target = take_number(&decoder->from);
	if (decoder->from.bad)
		return ENDS_EARLY;
	if (target >= guess->address_count)
		return given ? "its target is not defined" : "no target can be guessed";
	*event = (struct rsb_event){ (uint32_t)site, (uint32_t)target };
	rsb_guess_follow(guess, event->site, event->target);
	return NULL;
}

static void take_round(struct rsb_decoder *decoder, struct rsb_trace_batch *batch)
{
	decoder->round.instructions = rsb_take_number(&decoder->from);
	decoder->round.traced_instructions = rsb_take_number(&decoder->from);
	decoder->round.traced_calls = rsb_take_number(&decoder->from);
	batch->round = &decoder->round;
}

/* The verdict on the event that comes next. */
static void take_verdict(struct rsb_decoder *decoder, struct rsb_trace_batch *batch, uint64_t code)
{
	if (!batch->verdicts)
		memset(decoder->verdicts, RSB_VERDICT_NONE, sizeof(decoder->verdicts));
	batch->verdicts = decoder->verdicts;
	decoder->verdicts[batch->count] = code == RSB_CODE_HIT ? RSB_VERDICT_HIT : RSB_VERDICT_MISS;
}

/*
 * What is no event. *more: the batch goes on after it. NULL: it is good. Another thread's events
 * are of another batch: the code is then left for it.
 */
static const char *take_other(struct rsb_decoder *decoder, struct rsb_trace_batch *batch,
			      const uint8_t *start, uint64_t code, bool *more)
{
	*more = true;
	switch (code) {
	case RSB_CODE_THREAD:
		if (batch->count || batch->instructions) {
			decoder->from.at = start;
			*more = false;
			return NULL;
		}
		decoder->thread = batch->thread = rsb_take_number(&decoder->from);
		rsb_guess_restart(&decoder->guess);
		return NULL;
	case RSB_CODE_INSTRUCTIONS:
		batch->instructions += rsb_take_number(&decoder->from);
		return NULL;
	case RSB_CODE_HIT:
	case RSB_CODE_MISS:
		take_verdict(decoder, batch, code);
		return NULL;
	case RSB_CODE_ROUND:
		take_round(decoder, batch);
		*more = false;
		return NULL;
	default:
		return "its code means nothing";
	}
}

bool rsb_decode_batch(struct rsb_decoder *decoder, struct rsb_trace_batch *batch,
		      struct rsb_error *error)
{
	const char *fault = NULL;
	bool more = true;

	*batch = (struct rsb_trace_batch){
		.events = decoder->events,
		.first = decoder->total,
		.thread = decoder->thread,
	};
	while (more && !fault && batch->count < RSB_BATCH_EVENTS &&
	       decoder->from.at < decoder->from.end) {
		const uint8_t *start = decoder->from.at;
		uint64_t code = take_number(&decoder->from);

		if (code < RSB_CODE_SITE && code > RSB_CODE_NEXT_TO) {
			fault = take_other(decoder, batch, start, code, &more);
			continue;
		}
		fault = take_event(decoder, code, &decoder->events[batch->count]);
		if (!fault && batch->count == decoder->left)
			fault = "there are more events than the chunk says";
		batch->count += !fault;
	}
	if (!fault && decoder->from.bad)
		fault = ENDS_EARLY;
	if (fault)
		return refuse(decoder, batch, fault, error);
	decoder->left -= (uint32_t)batch->count;
	decoder->total += batch->count;
	if (decoder->from.at == decoder->from.end && decoder->left)
		return rsb_error_set(error, "event %" PRIu64 ": the chunk says %u events more",
				     decoder->total, decoder->left);
	return true;
}
