/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a file of records. */
#include "traces/import/records.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool rsb_records_next(struct rsb_records *records, bool *end, struct rsb_error *error)
{
	const void *byte;

	if (!rsb_input_peek(records->input, 1, &byte, error))
		return false;
	*end = !byte;
	records->start = rsb_input_offset(records->input);
	records->number += !*end;
	return true;
}

bool rsb_records_read(struct rsb_records *records, void *to, size_t size, struct rsb_error *error)
{
	size_t got;

	if (!rsb_input_read(records->input, to, size, &got, error))
		return false;
	return got == size ||
	       rsb_records_error(records, error, "the file ends in it: expected %zu bytes more",
				 size - got);
}

bool rsb_records_error(const struct rsb_records *records, struct rsb_error *error,
		       const char *format, ...)
{
	char message[sizeof(error->text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	return rsb_error_set(error, "%s: byte %" PRIu64 ": record %" PRIu64 ": %s",
			     rsb_input_name(records->input), records->start, records->number,
			     message);
}
