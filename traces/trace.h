/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace in memory: a growing array of events. The site table is kept beside it by whoever
 * records. */
#ifndef RSB_TRACES_TRACE_H
#define RSB_TRACES_TRACE_H

#include "traces/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct rsb_trace {
	struct rsb_event *events;
	size_t count;
	size_t capacity;
};

/* Makes room for more events. False: no memory; the trace is as it was. */
bool rsb_trace_reserve(struct rsb_trace *trace, size_t more);

/* Frees the events and empties the trace, which can be used again. */
void rsb_trace_clear(struct rsb_trace *trace);

/* Appends one event; inline because the machine does it in its block hook. */
static inline bool rsb_trace_add(struct rsb_trace *trace, uint32_t site, uint32_t target)
{
	if (trace->count == trace->capacity && !rsb_trace_reserve(trace, 1))
		return false;
	trace->events[trace->count++] = (struct rsb_event){ site, target };
	return true;
}

#endif
