/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Input that may be compressed: gzip, xz, zstd and bzip2 are undone, and the members of a zip file
 * are read one after the other, so that a reader sees plain bytes whatever the file is. Nothing is
 * kept but what is being read, and a pipe will do.
 */
#ifndef RSB_TRACES_INPUT_H
#define RSB_TRACES_INPUT_H

#include "traces/util/error.h"

#include <stdint.h>

#define RSB_INPUT_LINE_MAX (1u << 20) /* bytes of a line; a longer one is refused */

struct rsb_input;

/* A path, or "-" for standard input. NULL: error. */
struct rsb_input *rsb_input_open(const char *path, struct rsb_error *error);

/* Bytes in memory, which must outlive the input; name stands for the path in messages. */
struct rsb_input *rsb_input_memory(const char *name, const void *bytes, size_t size,
				   struct rsb_error *error);
void rsb_input_free(struct rsb_input *input);

/* The path, or "standard input". */
const char *rsb_input_name(const struct rsb_input *input);

/* Plain bytes that were read; and lines. */
uint64_t rsb_input_offset(const struct rsb_input *input);
uint64_t rsb_input_lines(const struct rsb_input *input);

/*
 * Reads size bytes; fewer, also none, only at the end. False: the file cannot be read or is damaged
 * where it is compressed, and error says so; what was read before that is good.
 */
bool rsb_input_read(struct rsb_input *input, void *to, size_t size, size_t *got,
		    struct rsb_error *error);

/*
 * The next size bytes without reading them; *bytes is NULL where fewer are left. size is at most
 * 65536. False: error, as above.
 */
bool rsb_input_peek(struct rsb_input *input, size_t size, const void **bytes,
		    struct rsb_error *error);

/*
 * The next line, without its newline (and carriage return), ended by a NUL, until the next call;
 * *line is NULL at the end. A NUL inside a line becomes a '?'. False: error.
 */
bool rsb_input_line(struct rsb_input *input, char **line, struct rsb_error *error);

/* Sets "name: byte N: message", or "name:LINE: message" where lines are read; always false. */
bool rsb_input_error(const struct rsb_input *input, struct rsb_error *error, const char *format,
		     ...) __attribute__((format(printf, 3, 4)));

#endif
