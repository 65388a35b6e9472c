/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the records of a jitdump. */
#include "sim/image/jitdump_read.h"

#include "traces/bytes.h"
#include "traces/util/grow.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC         UINT32_C(0x4a695444)
#define MAGIC_SWAPPED UINT32_C(0x4454694a) /* written by a big-endian machine */
#define VERSION       1

#define HEADER_SIZE 40
#define PREFIX_SIZE 16 /* of each record: its kind, its size, the time */
#define LOAD_SIZE   40 /* of a load record, up to the name */
#define MOVE_SIZE   48

#define FUNCTIONS_MAX (1u << 20)

enum { CODE_LOAD = 0, CODE_MOVE = 1, CODE_CLOSE = 3 };

/* A record that is being read. */
struct record {
	uint64_t number, at; /* from 0; where it is in the file */
	const uint8_t *body;
	size_t size;
};

static bool refuse(const struct rsb_jit *jit, const struct record *record, const char *what,
		   struct rsb_error *error)
{
	return rsb_error_set(error, "%s: record %" PRIu64 " at 0x%" PRIx64 ": %s", jit->name,
			     record->number, record->at, what);
}

static bool read_header(const struct rsb_jit *jit, size_t *end, struct rsb_error *error)
{
	uint32_t magic = jit->size >= 4 ? rsb_get_u32(jit->bytes) : 0;

	if (magic == MAGIC_SWAPPED)
		return rsb_error_set(
			error,
			"%s: expected a jitdump of x86-64, found one that a big-endian "
			"machine wrote",
			jit->name);
	if (magic != MAGIC)
		return rsb_error_set(error, "%s: is not a jitdump", jit->name);
	if (jit->size < HEADER_SIZE)
		return rsb_error_set(error,
				     "%s: is cut short: the header has %d bytes, the file %zu",
				     jit->name, HEADER_SIZE, jit->size);
	if (rsb_get_u32(jit->bytes + 4) != VERSION)
		return rsb_error_set(error, "%s: expected version %d of the format, found %" PRIu32,
				     jit->name, VERSION, rsb_get_u32(jit->bytes + 4));
	if (rsb_get_u32(jit->bytes + 12) != EM_X86_64)
		return rsb_error_set(error,
				     "%s: expected code for x86-64 (%d), found machine %" PRIu32,
				     jit->name, EM_X86_64, rsb_get_u32(jit->bytes + 12));
	*end = rsb_get_u32(jit->bytes + 8);
	if (*end < HEADER_SIZE || *end > jit->size)
		return rsb_error_set(error,
				     "%s: a header of %zu bytes does not fit in its %zu bytes",
				     jit->name, *end, jit->size);
	return true;
}

static bool check_range(const struct rsb_jit *jit, const struct record *record, uint64_t address,
			uint64_t size, struct rsb_error *error)
{
	if (!size)
		return refuse(jit, record, "expected code of at least one byte", error);
	return address + size > address ||
	       refuse(jit, record, "the code wraps around the end of memory", error);
}

static struct rsb_jit_function *add(struct rsb_jit *jit, const struct record *record,
				    struct rsb_error *error)
{
	if (jit->count == FUNCTIONS_MAX) {
		refuse(jit, record, "expected fewer functions", error);
		return NULL;
	}
	if (!RSB_GROW(jit->functions, jit->count))
		return rsb_error_null(error, "%s: out of memory", jit->name);
	return &jit->functions[jit->count];
}

/* pid, tid, vma, address, size, index, name, code. */
static bool read_load(struct rsb_jit *jit, const struct record *record, struct rsb_error *error)
{
	const uint8_t *body = record->body, *name = body + LOAD_SIZE, *end;
	struct rsb_jit_function *function;
	uint64_t size;

	end = record->size > LOAD_SIZE ? memchr(name, '\0', record->size - LOAD_SIZE) : NULL;
	if (!end)
		return refuse(jit, record, "expected the name of a function", error);
	size = rsb_get_u64(body + 24);
	if (size > (uint64_t)(body + record->size - (end + 1)))
		return refuse(jit, record, "the code is longer than the record", error);
	if (!check_range(jit, record, rsb_get_u64(body + 16), size, error))
		return false;
	function = add(jit, record, error);
	if (!function)
		return false;
	*function = (struct rsb_jit_function){
		.address = rsb_get_u64(body + 16),
		.size = size,
		.index = rsb_get_u64(body + 32),
		.name = (const char *)name,
		.code = end + 1,
		.order = record->number,
	};
	jit->count++;
	return true;
}

/* pid, tid, vma, old address, new address, size, index. */
static bool read_move(struct rsb_jit *jit, const struct record *record, struct rsb_error *error)
{
	uint64_t from, to, index;

	if (record->size < MOVE_SIZE)
		return refuse(jit, record, "is too short for code that moved", error);
	from = rsb_get_u64(record->body + 16);
	to = rsb_get_u64(record->body + 24);
	index = rsb_get_u64(record->body + 40);
	for (size_t i = jit->count; i-- > 0;) {
		struct rsb_jit_function *function = &jit->functions[i];

		if (function->index != index || function->address != from)
			continue;
		if (!check_range(jit, record, to, function->size, error))
			return false;
		function->address = to;
		function->order = record->number;
		return true;
	}
	return refuse(jit, record, "moves code that was not loaded", error);
}

static bool read_record(struct rsb_jit *jit, uint32_t kind, const struct record *record,
			struct rsb_error *error)
{
	if (kind == CODE_LOAD)
		return read_load(jit, record, error);
	if (kind == CODE_MOVE)
		return read_move(jit, record, error);
	return true; /* lines, unwinding: of no use here */
}

bool rsb_jit_read(struct rsb_jit *jit, struct rsb_error *error)
{
	struct record record = { .number = 0 };
	uint32_t kind = CODE_LOAD, size;
	size_t at = 0;

	if (!read_header(jit, &at, error))
		return false;
	for (; at < jit->size && kind != CODE_CLOSE; at += size, record.number++) {
		record.at = at;
		if (jit->size - at < PREFIX_SIZE)
			return refuse(jit, &record, "is cut short", error);
		kind = rsb_get_u32(jit->bytes + at);
		size = rsb_get_u32(jit->bytes + at + 4);
		if (size < PREFIX_SIZE)
			return refuse(jit, &record, "its size is less than that of its header",
				      error);
		if (size > jit->size - at)
			return refuse(jit, &record, "is cut short", error);
		record.body = jit->bytes + at + PREFIX_SIZE;
		record.size = size - PREFIX_SIZE;
		if (!read_record(jit, kind, &record, error))
			return false;
	}
	return jit->count || rsb_error_set(error, "%s: has no code in it", jit->name);
}
