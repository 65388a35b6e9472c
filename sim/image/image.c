/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An image: segments, symbols, the parts that are mitigations, and who owns what is behind them. */
#include "sim/image/image.h"

#include "sim/image/segments.h"
#include "sim/image/symbols.h"
#include "traces/util/grow.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct region {
	uint64_t start, end;
	enum rsb_mitigation kind;
};

struct owned {
	struct owned *next;
	void *context;
	void (*release)(void *context);
};

struct rsb_image {
	struct rsb_segments *segments;
	struct rsb_symbols *symbols;
	struct region *regions; /* in the order of entering */
	size_t region_count;
	uint64_t *returns; /* in the order of entering, too */
	size_t return_count;
	struct owned *owned;
	uint64_t gs_base, fs_base;
	unsigned cet;
	bool stack_executable, keeps, has_system, is_program;
	struct rsb_system system;
	struct rsb_start start;
	struct rsb_program program;
	char return_thunk[32];
	struct rsb_incident incidents[RSB_INCIDENTS_MAX];
	size_t incident_count;
	char **notes; /* ended by NULL; NULL: none */
	size_t note_count;
};

struct rsb_image *rsb_image_new(void)
{
	struct rsb_image *image = calloc(1, sizeof(*image));

	if (!image)
		return NULL;
	rsb_image_set_return_thunk(image, "none");
	image->segments = rsb_segments_new();
	image->symbols = rsb_symbols_new();
	if (!image->segments || !image->symbols) {
		rsb_image_free(image);
		return NULL;
	}
	return image;
}

void rsb_image_free(struct rsb_image *image)
{
	if (!image)
		return;
	rsb_segments_free(image->segments);
	rsb_symbols_free(image->symbols);
	free(image->regions);
	free(image->returns);
	for (size_t i = 0; i < image->note_count; i++)
		free(image->notes[i]);
	free(image->notes);
	while (image->owned) {
		struct owned *owned = image->owned;

		image->owned = owned->next;
		owned->release(owned->context);
		free(owned);
	}
	free(image);
}

bool rsb_image_map(struct rsb_image *image, const char *name, uint64_t address, uint64_t size,
		   unsigned access, const void *bytes, size_t given, struct rsb_error *error)
{
	return rsb_segments_map(image->segments, name, address, size, access, bytes, given, error);
}

bool rsb_image_back(struct rsb_image *image, const char *name, uint64_t address, uint64_t size,
		    unsigned access, rsb_image_reader *reader, void *context,
		    struct rsb_error *error)
{
	return rsb_segments_back(image->segments, name, address, size, access, reader, context,
				 error);
}

bool rsb_image_own(struct rsb_image *image, void *context, void (*release)(void *context))
{
	struct owned *owned = malloc(sizeof(*owned));

	if (!owned)
		return false;
	*owned = (struct owned){ image->owned, context, release };
	image->owned = owned;
	return true;
}

bool rsb_image_page(const struct rsb_image *image, uint64_t address, uint8_t page[RSB_PAGE],
		    unsigned *access, struct rsb_error *error)
{
	return rsb_segments_page(image->segments, address, page, access, error);
}

bool rsb_image_read(const struct rsb_image *image, uint64_t address, void *out, size_t size,
		    struct rsb_error *error)
{
	uint8_t page[RSB_PAGE], *to = out;
	unsigned access;

	while (size) {
		size_t offset = address & (RSB_PAGE - 1);
		size_t length = size < RSB_PAGE - offset ? size : RSB_PAGE - offset;

		if (!rsb_image_page(image, address, page, &access, error))
			return false;
		memcpy(to, page + offset, length);
		address += length;
		to += length;
		size -= length;
	}
	return true;
}

bool rsb_image_patch(struct rsb_image *image, uint64_t address, const void *bytes, size_t size,
		     struct rsb_error *error)
{
	return rsb_segments_patch(image->segments, address, bytes, size, error);
}

bool rsb_image_segment_next(const struct rsb_image *image, size_t *index, const char **name,
			    uint64_t *address, uint64_t *size, unsigned *access)
{
	return rsb_segments_next(image->segments, index, name, address, size, access);
}

void rsb_image_keep(struct rsb_image *image, struct rsb_patches *kept)
{
	image->keeps = kept;
	rsb_segments_keep(image->segments, kept);
}

bool rsb_image_keeps(const struct rsb_image *image)
{
	return image->keeps;
}

uint64_t rsb_image_gap(const struct rsb_image *image, uint64_t near, uint64_t size)
{
	return rsb_segments_gap(image->segments, near, size);
}

bool rsb_image_symbol(struct rsb_image *image, const char *name, uint64_t address, uint64_t size,
		      struct rsb_error *error)
{
	return rsb_symbols_add(image->symbols, name, strlen(name), address, size) ||
	       rsb_error_set(error, "out of memory");
}

bool rsb_image_find(const struct rsb_image *image, const char *name, uint64_t *address,
		    struct rsb_error *error)
{
	return rsb_symbols_find(image->symbols, name, address, error);
}

const char *rsb_image_symbol_at(const struct rsb_image *image, uint64_t address, uint64_t *start,
				uint64_t *end)
{
	return rsb_symbols_at(image->symbols, address, start, end);
}

void rsb_image_describe(const struct rsb_image *image, uint64_t address, char *out, size_t size)
{
	uint64_t start, end;
	const char *name = rsb_image_symbol_at(image, address, &start, &end);

	if (!name)
		snprintf(out, size, "0x%" PRIx64, address);
	else if (address == start)
		snprintf(out, size, "%s", name);
	else
		snprintf(out, size, "%s+0x%" PRIx64, name, address - start);
}

bool rsb_image_symbol_next(const struct rsb_image *image, size_t *index, const char **name,
			   uint64_t *address)
{
	return rsb_symbols_next(image->symbols, index, name, address);
}

/* A pattern may name a whole kernel's functions: neighbours of one kind become one region. */
static bool extend(struct rsb_image *image, uint64_t start, uint64_t end, enum rsb_mitigation kind)
{
	struct region *last;

	if (!image->region_count)
		return false;
	last = &image->regions[image->region_count - 1];
	if (last->kind != kind || last->end != start)
		return false;
	last->end = end;
	return true;
}

bool rsb_image_mitigate(struct rsb_image *image, uint64_t start, uint64_t end,
			enum rsb_mitigation kind)
{
	if (extend(image, start, end, kind))
		return true;
	if (!RSB_GROW(image->regions, image->region_count))
		return false;
	image->regions[image->region_count++] = (struct region){ start, end, kind };
	return true;
}

/* Of regions that overlap, the last entered counts: a layout file may overrule a kernel's names. */
enum rsb_mitigation rsb_image_mitigation(const struct rsb_image *image, uint64_t pc)
{
	for (size_t i = image->region_count; i-- > 0;) {
		const struct region *region = &image->regions[i];

		if (pc >= region->start && pc < region->end)
			return region->kind;
	}
	return RSB_MITIGATION_NONE;
}

bool rsb_image_add_return(struct rsb_image *image, uint64_t address)
{
	if (!RSB_GROW(image->returns, image->return_count))
		return false;
	image->returns[image->return_count++] = address;
	return true;
}

const uint64_t *rsb_image_returns(const struct rsb_image *image, size_t *count)
{
	*count = image->return_count;
	return image->returns;
}

void rsb_image_set_return_thunk(struct rsb_image *image, const char *word)
{
	snprintf(image->return_thunk, sizeof(image->return_thunk), "%s", word);
}

const char *rsb_image_return_thunk(const struct rsb_image *image)
{
	return image->return_thunk;
}

bool rsb_image_note(struct rsb_image *image, const char *format, ...)
{
	char **notes = realloc(image->notes, (image->note_count + 2) * sizeof(*notes));
	struct rsb_error text; /* masks what a terminal would take for a command */
	char raw[sizeof(text.text)];
	va_list arguments;

	if (!notes)
		return false;
	image->notes = notes;
	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	rsb_error_set(&text, "%s", raw);
	notes[image->note_count] = strdup(text.text);
	if (!notes[image->note_count])
		return false;
	notes[++image->note_count] = NULL;
	return true;
}

const char *const *rsb_image_notes(const struct rsb_image *image)
{
	static const char *const none[] = { NULL };

	return image->notes ? (const char *const *)image->notes : none;
}

void rsb_image_add_incident(struct rsb_image *image, const struct rsb_incident *incident)
{
	if (image->incident_count < RSB_INCIDENTS_MAX)
		image->incidents[image->incident_count++] = *incident;
}

const struct rsb_incident *rsb_image_incidents(const struct rsb_image *image, size_t *count)
{
	*count = image->incident_count;
	return image->incidents;
}

void rsb_image_set_gs_base(struct rsb_image *image, uint64_t base)
{
	image->gs_base = base;
}

uint64_t rsb_image_gs_base(const struct rsb_image *image)
{
	return image->gs_base;
}

void rsb_image_set_system(struct rsb_image *image, const struct rsb_system *system)
{
	image->system = *system;
	image->has_system = true;
}

const struct rsb_system *rsb_image_system(const struct rsb_image *image)
{
	return image->has_system ? &image->system : NULL;
}

void rsb_image_set_cet(struct rsb_image *image, unsigned cet)
{
	image->cet = cet;
}

unsigned rsb_image_cet(const struct rsb_image *image)
{
	return image->cet;
}

void rsb_image_set_stack_executable(struct rsb_image *image)
{
	image->stack_executable = true;
}

bool rsb_image_stack_executable(const struct rsb_image *image)
{
	return image->stack_executable;
}

void rsb_image_set_fs_base(struct rsb_image *image, uint64_t base)
{
	image->fs_base = base;
}

uint64_t rsb_image_fs_base(const struct rsb_image *image)
{
	return image->fs_base;
}

void rsb_image_set_start(struct rsb_image *image, const struct rsb_start *start)
{
	image->start = *start;
}

const struct rsb_start *rsb_image_start(const struct rsb_image *image)
{
	return &image->start;
}

void rsb_image_set_program(struct rsb_image *image, const struct rsb_program *program)
{
	image->is_program = true;
	image->program = *program;
}

const struct rsb_program *rsb_image_program(const struct rsb_image *image)
{
	return image->is_program ? &image->program : NULL;
}
