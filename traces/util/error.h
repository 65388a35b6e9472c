/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors are values with one message. A function that can fail takes a struct rsb_error as its last
 * argument and returns false (or NULL); the caller shows the message or adds to it. A message names
 * the file, the place and what was expected, and ends without a full stop or a newline.
 *
 *	struct rsb_error error;
 *
 *	if (!rsb_image_map(image, 0x1000, 4096, ..., &error))
 *		fprintf(stderr, "rsbsim: %s\n", error.text);
 */
#ifndef RSB_TRACES_UTIL_ERROR_H
#define RSB_TRACES_UTIL_ERROR_H

#include <stdbool.h>
#include <stddef.h>

struct rsb_error {
	char text[1024]; /* cut short, never overrun; control characters are masked */
};

/* Writes the message; always returns false, so that `return rsb_error_set(...)` reads well. */
bool rsb_error_set(struct rsb_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same for functions that return a pointer: always NULL. */
void *rsb_error_null(struct rsb_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the message that is there; always returns false. */
bool rsb_error_prefix(struct rsb_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
