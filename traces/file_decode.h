/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking a chunk of events apart, a batch at a time. */
#ifndef RSB_TRACES_FILE_DECODE_H
#define RSB_TRACES_FILE_DECODE_H

#include "traces/file_chunk.h"
#include "traces/file_guess.h"

#define RSB_BATCH_EVENTS 4096 /* what the host's caches hold, beside the models that replay it */

struct rsb_decoder {
	struct rsb_guess guess;
	struct rsb_unread from;
	uint64_t total;  /* events of the file that were handed out */
	uint32_t left;   /* events of the chunk that were not */
	uint64_t thread; /* of what follows */
	struct rsb_trace_round round;
	struct rsb_event events[RSB_BATCH_EVENTS];
	uint8_t verdicts[RSB_BATCH_EVENTS];
};

/* Begins a chunk. */
void rsb_decode_start(struct rsb_decoder *decoder, const struct rsb_chunk *chunk);

/* Has the chunk been taken apart? */
bool rsb_decode_ended(const struct rsb_decoder *decoder);

/* The next events of it. False: error says what is wrong, and at which event. */
bool rsb_decode_batch(struct rsb_decoder *decoder, struct rsb_trace_batch *batch,
		      struct rsb_error *error);

#endif
