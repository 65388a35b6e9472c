/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code under construction: bytes, labels, the fields that wait for them, mitigations. */
#include "sim/generate/code_private.h"

#include "traces/util/grow.h"
#include "traces/util/hash.h"

#include <stdlib.h>
#include <string.h>

#define INT3           0xcc
#define DATA_ALIGNMENT 16

struct rsb_code *rsb_code_new(uint64_t base)
{
	struct rsb_code *code = calloc(1, sizeof(*code));

	if (code)
		code->base = base;
	return code;
}

void rsb_code_free(struct rsb_code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i < code->label_count; i++)
		free(code->labels[i].name);
	free(code->labels);
	free(code->fixups);
	free(code->spans);
	free(code->returns);
	free(code->bytes);
	free(code);
}

/* The first error is kept: the ones after it are mostly its consequences. */
static void fail_memory(struct rsb_code *code)
{
	if (!code->failed)
		rsb_error_set(&code->error, "out of memory");
	code->failed = true;
}

/* Makes room for size more bytes. */
static bool reserve(struct rsb_code *code, size_t size)
{
	size_t wanted = code->size_room ? code->size_room : 64;
	uint8_t *grown;

	if (code->size + size <= code->size_room)
		return true;
	while (wanted < code->size + size)
		wanted *= 2;
	grown = realloc(code->bytes, wanted);
	if (!grown) {
		fail_memory(code);
		return false;
	}
	code->bytes = grown;
	code->size_room = wanted;
	return true;
}

uint64_t rsb_code_here(const struct rsb_code *code)
{
	return code->base + code->size;
}

/* Appends size bytes that the caller fills in; NULL when there is no memory. */
static uint8_t *append(struct rsb_code *code, size_t size)
{
	if (!reserve(code, size))
		return NULL;
	code->size += size;
	return code->bytes + code->size - size;
}

void rsb_code_bytes(struct rsb_code *code, const void *bytes, size_t size)
{
	uint8_t *room = append(code, size);

	if (room)
		memcpy(room, bytes, size);
}

void rsb_code_fill(struct rsb_code *code, size_t size, uint8_t filler)
{
	uint8_t *room = append(code, size);

	if (room)
		memset(room, filler, size);
}

void rsb_code_align(struct rsb_code *code, unsigned alignment, uint8_t filler)
{
	uint64_t past = rsb_code_here(code) % alignment;

	if (past)
		rsb_code_fill(code, alignment - past, filler);
}

/*
 * Takes over the label's name. Without memory there is no new label: 0 stands for it, and the code
 * has failed.
 */
static rsb_label add_label(struct rsb_code *code, struct rsb_code_label label)
{
	if (!RSB_GROW(code->labels, code->label_count)) {
		free(label.name);
		fail_memory(code);
		return 0;
	}
	code->labels[code->label_count] = label;
	return code->label_count++;
}

rsb_label rsb_code_label(struct rsb_code *code)
{
	return add_label(code, (struct rsb_code_label){ 0 });
}

rsb_label rsb_code_external(struct rsb_code *code, uint64_t address)
{
	return add_label(code, (struct rsb_code_label){ .address = address, .placed = true });
}

static void place(struct rsb_code *code, rsb_label label, uint64_t address)
{
	struct rsb_code_label *row = code->labels + label;

	if (code->failed)
		return;
	if (row->placed) {
		rsb_error_set(&code->error, "the label %s is placed twice",
			      row->name ? row->name : "without a name");
		code->failed = true;
		return;
	}
	row->placed = true;
	row->address = address;
}

void rsb_code_place(struct rsb_code *code, rsb_label label)
{
	place(code, label, rsb_code_here(code));
}

rsb_label rsb_code_named(struct rsb_code *code, const char *name)
{
	struct rsb_code_label label = { .hash = rsb_hash_bytes(RSB_HASH_START, name,
							       strlen(name)) };

	for (size_t i = 0; i < code->label_count; i++) {
		const struct rsb_code_label *known = code->labels + i;

		if (known->name && known->hash == label.hash && !strcmp(known->name, name))
			return i;
	}
	label.name = strdup(name);
	if (!label.name) {
		fail_memory(code);
		return 0;
	}
	return add_label(code, label);
}

rsb_label rsb_code_data(struct rsb_code *code, const char *name, size_t size)
{
	rsb_label label = rsb_code_named(code, name);

	place(code, label, RSB_CODE_DATA_BASE + code->data_size);
	code->data_size += (size + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT;
	return label;
}

void rsb_code_function(struct rsb_code *code, const char *name)
{
	rsb_code_align(code, 16, INT3);
	rsb_code_place(code, rsb_code_named(code, name));
}

/* Appends a field of width bytes for the label. */
static void add_fixup(struct rsb_code *code, rsb_label label, uint8_t width, bool relative,
		      unsigned after)
{
	if (!RSB_GROW(code->fixups, code->fixup_count)) {
		fail_memory(code);
		return;
	}
	code->fixups[code->fixup_count++] =
		(struct rsb_code_fixup){ code->size, label, width, relative, after };
	rsb_code_fill(code, width, 0);
}

void rsb_code_relative32(struct rsb_code *code, rsb_label label, unsigned after)
{
	add_fixup(code, label, 4, true, after);
}

void rsb_code_relative8(struct rsb_code *code, rsb_label label)
{
	add_fixup(code, label, 1, true, 0);
}

void rsb_code_absolute64(struct rsb_code *code, rsb_label label)
{
	add_fixup(code, label, 8, false, 0);
}

void rsb_code_mitigation(struct rsb_code *code, enum rsb_mitigation kind)
{
	if (code->span_count)
		code->spans[code->span_count - 1].end = code->size;
	if (!RSB_GROW(code->spans, code->span_count)) {
		fail_memory(code);
		return;
	}
	code->spans[code->span_count++] =
		(struct rsb_code_span){ .start = code->size, .kind = kind };
}

size_t rsb_code_return(struct rsb_code *code)
{
	if (!RSB_GROW(code->returns, code->return_count)) {
		fail_memory(code);
		return 0;
	}
	code->returns[code->return_count] = rsb_code_here(code);
	return code->return_count++;
}

void rsb_code_set_forms(struct rsb_code *code, const struct rsb_forms *forms)
{
	code->forms = *forms;
}

const struct rsb_forms *rsb_code_forms(const struct rsb_code *code)
{
	return &code->forms;
}
