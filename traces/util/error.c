/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing messages into error values. */
#include "traces/util/error.h"

#include <stdarg.h>
#include <stdio.h>

/*
 * Names and keys in a message come from files that are not trusted, and may hold what a terminal
 * takes for a command. UTF-8 writes the controls U+0080 to U+009F as c2 80 to c2 9f.
 */
static void mask(char *text)
{
	unsigned char *at;

	for (at = (unsigned char *)text; *at; at++) {
		if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f)
			at[0] = at[1] = '?';
		else if (*at < 0x20 || *at == 0x7f)
			*at = '?';
	}
}

/* Written aside first, because the arguments may be the old message. */
__attribute__((format(printf, 2, 0))) static void write_message(struct rsb_error *error,
								const char *format, va_list args)
{
	struct rsb_error message;

	message.text[0] = '\0';
	vsnprintf(message.text, sizeof(message.text), format, args);
	mask(message.text);
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
