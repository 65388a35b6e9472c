/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing messages into error values. */
#include "traces/util/error.h"

#include "traces/util/clean.h"

#include <stdarg.h>
#include <stdio.h>

/* Written aside first, because the arguments may be the old message. */
__attribute__((format(printf, 2, 0))) static void write_message(struct rsb_error *error,
								const char *format, va_list args)
{
	struct rsb_error message;

	message.text[0] = '\0';
	vsnprintf(message.text, sizeof(message.text), format, args);
	/* Names and keys in a message come from files that are not trusted. */
	rsb_clean(message.text);
	*error = message;
}

bool rsb_error_set(struct rsb_error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_message(error, format, args);
	va_end(args);
	return false;
}

void *rsb_error_null(struct rsb_error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_message(error, format, args);
	va_end(args);
	return NULL;
}

bool rsb_error_prefix(struct rsb_error *error, const char *format, ...)
{
	struct rsb_error prefix;
	va_list args;

	va_start(args, format);
	write_message(&prefix, format, args);
	va_end(args);
	return rsb_error_set(error, "%s: %s", prefix.text, error->text);
}
