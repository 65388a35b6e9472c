/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of a trace. */
#include "traces/trace.h"

#define FIRST_CAPACITY 1024 /* events: 8 KiB, enough for one round of most layouts */

bool rsb_trace_reserve(struct rsb_trace *trace, size_t more)
{
	size_t limit = SIZE_MAX / 2 / sizeof(*trace->events);
	size_t capacity = trace->capacity ? trace->capacity : FIRST_CAPACITY;
	struct rsb_event *events;

	if (more > limit || trace->count > limit - more)
		return false;
	while (capacity < trace->count + more)
		capacity *= 2;
	if (capacity == trace->capacity)
		return true;
	events = realloc(trace->events, capacity * sizeof(*events));
	if (!events)
		return false;
	trace->events = events;
	trace->capacity = capacity;
	return true;
}

void rsb_trace_clear(struct rsb_trace *trace)
{
	free(trace->events);
	*trace = (struct rsb_trace){ 0 };
}
