/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks files into temporary ones. */
#include "sim/image/unpack.h"

#include "traces/input.h"
#include "traces/util/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PART 65536u

const char *const rsb_unpack_extensions[] = { "gz", "xz", "zst", "bz2", NULL };

/* What such a file begins with (RFC 1952, the .xz format 1.1.0, RFC 8878, bzip2's manual). */
static const struct {
	size_t size;
	uint8_t bytes[6];
} marks[] = {
	{ 2, { 0x1f, 0x8b } },
	{ 6, { 0xfd, '7', 'z', 'X', 'Z', 0 } },
	{ 4, { 0x28, 0xb5, 0x2f, 0xfd } },
	{ 3, { 'B', 'Z', 'h' } },
};

size_t rsb_unpack_stem(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (const char *const *end = rsb_unpack_extensions; dot && *end; end++)
		if (!strcmp(dot + 1, *end))
			return (size_t)(dot - path);
	return strlen(path);
}

static bool is_packed(int file)
{
	uint8_t start[6];
	ssize_t got = pread(file, start, sizeof(start), 0);

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (got >= (ssize_t)marks[i].size && !memcmp(start, marks[i].bytes, marks[i].size))
			return true;
	return false;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
	return !bytes[0] && !memcmp(bytes, bytes + 1, size - 1);
}

/* Writes a part where it belongs; zeros are left out. */
static bool put(int to, const uint8_t *bytes, size_t size, uint64_t offset)
{
	if (is_zero(bytes, size))
		return true;
	while (size) {
		ssize_t done = pwrite(to, bytes, size, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		bytes += done;
		offset += (uint64_t)done;
		size -= (size_t)done;
	}
	return true;
}

static bool copy(struct rsb_input *input, int to, const char *path, struct rsb_error *error)
{
	uint8_t part[PART];
	uint64_t offset = 0;
	size_t got;

	do {
		if (!rsb_input_read(input, part, sizeof(part), &got, error))
			return false;
		if (offset + got > RSB_UNPACKED_MAX)
			return rsb_error_set(
				error, "%s: expected at most %" PRIu64 " bytes when it is unpacked",
				path, RSB_UNPACKED_MAX);
		if (got && !put(to, part, got, offset))
			return rsb_error_set(error, "%s: cannot be unpacked to %s: %s", path,
					     rsb_scratch_folder(), strerror(errno));
		offset += got;
	} while (got == sizeof(part));
	return ftruncate(to, (off_t)offset) == 0 ||
	       rsb_error_set(error, "%s: cannot be unpacked to %s: %s", path, rsb_scratch_folder(),
			     strerror(errno));
}

/* The descriptor of a new file without a name. -1: error. */
static int make_temporary(const char *path, struct rsb_error *error)
{
	FILE *stream = rsb_scratch_file(error);
	int file = stream ? fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0) : -1;

	if (stream && file < 0)
		rsb_error_set(error, "%s", strerror(errno));
	if (stream)
		fclose(stream);
	if (file < 0)
		rsb_error_prefix(error, "%s: cannot be unpacked", path);
	return file;
}

static int unpack(const char *path, struct rsb_error *error)
{
	struct rsb_input *input = rsb_input_open(path, error);
	int to;

	if (!input)
		return -1;
	to = make_temporary(path, error);
	if (to >= 0 && !copy(input, to, path, error)) {
		close(to);
		to = -1;
	}
	rsb_input_free(input);
	return to;
}

int rsb_unpack_open(const char *path, struct rsb_error *error)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (file < 0) {
		rsb_error_set(error, "%s: cannot be opened: %s", path, strerror(errno));
		return -1;
	}
	if (!is_packed(file))
		return file;
	close(file);
	return unpack(path, error);
}
