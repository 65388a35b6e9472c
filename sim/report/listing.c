/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the instructions of the functions that a run touches. */
#include "sim/report/listing.h"

#include "traces/util/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Code without a symbol is one region as long as what is touched in it is no further apart. */
#define GAP 128

/*
 * A symbol's code, or code without one (symbol is NULL); last is the highest address in it that
 * the run touches.
 */
struct region {
	uint64_t start, end, last;
	const char *symbol;
};

struct regions {
	struct region *all;
	size_t count;
};

static bool touch(struct regions *regions, const struct rsb_image *image, uint64_t address)
{
	struct region region = { .last = address };

	region.symbol = rsb_image_symbol_at(image, address, &region.start, &region.end);
	if (!region.symbol)
		region.start = address;
	for (size_t i = 0; i < regions->count; i++) {
		struct region *old = &regions->all[i];

		if (old->start == region.start) {
			old->last = old->last > address ? old->last : address;
			return true;
		}
	}
	if (!RSB_GROW(regions->all, regions->count))
		return false;
	regions->all[regions->count++] = region;
	return true;
}

static int compare_regions(const void *a, const void *b)
{
	const struct region *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Joins what has no symbol. */
static void join_regions(struct regions *regions)
{
	size_t kept = 0;

	for (size_t i = 0; i < regions->count; i++) {
		struct region *region = &regions->all[i];
		struct region *before = kept ? &regions->all[kept - 1] : NULL;

		if (!region->symbol)
			region->end = region->last + RSB_INSTRUCTION_MAX;
		if (!region->symbol && before && !before->symbol &&
		    region->start - before->last <= GAP) {
			before->last = region->last;
			before->end = region->end;
		} else {
			regions->all[kept++] = *region;
		}
	}
	regions->count = kept;
}

/* Marks the sites and the addresses of all events; of a whole program, of those in its spans. */
static void mark_events(const struct rsb_image *image, const struct rsb_run *run, bool *sites,
			bool *addresses)
{
	size_t count;
	const struct rsb_site *all = rsb_sites_array(rsb_run_sites(run), &count);
	bool whole = rsb_image_program(image);

	for (size_t kind = 0; kind < rsb_run_sequences(run); kind++) {
		const struct rsb_sequence *sequence = rsb_run_sequence(run, kind);
		bool inside = !whole;

		for (size_t i = 0; i < sequence->count; i++) {
			const struct rsb_site *site = &all[sequence->events[i].site];

			if (whole && site->kind == RSB_MARK)
				inside = site->detail == RSB_MARK_TRACED_CALL;
			if (!inside)
				continue;
			sites[sequence->events[i].site] = true;
			addresses[sequence->events[i].target] = true;
		}
	}
}

/* Where transfers are, and where they go. */
static bool find_regions(struct regions *regions, const struct rsb_image *image,
			 const struct rsb_run *run)
{
	size_t site_count, address_count;
	const struct rsb_sites *sites = rsb_run_sites(run);
	const struct rsb_site *all = rsb_sites_array(sites, &site_count);
	const uint64_t *addresses = rsb_sites_addresses(sites, &address_count);
	bool *marks = calloc(site_count + address_count + 1, sizeof(*marks));
	bool good = marks != NULL;

	if (good)
		mark_events(image, run, marks, marks + site_count);
	for (size_t i = 0; good && i < site_count; i++)
		if (marks[i] && all[i].kind != RSB_MARK)
			good = touch(regions, image, all[i].pc);
	for (size_t i = 0; good && i < address_count; i++)
		if (marks[site_count + i])
			good = touch(regions, image, addresses[i]);
	free(marks);
	return good;
}

static struct rsb_listing_line *add_line(struct rsb_listing *listing)
{
	if (!RSB_GROW(listing->lines, listing->count))
		return NULL;
	memset(&listing->lines[listing->count], 0, sizeof(*listing->lines));
	return &listing->lines[listing->count++];
}

/* As many bytes as can be read, up to the longest instruction. */
static size_t read_bytes(const struct rsb_image *image, uint64_t pc, uint64_t end,
			 uint8_t bytes[RSB_INSTRUCTION_MAX])
{
	size_t size = end - pc < RSB_INSTRUCTION_MAX ? end - pc : RSB_INSTRUCTION_MAX;
	struct rsb_error error;

	while (size && !rsb_image_read(image, pc, bytes, size, &error))
		size--;
	return size;
}

/* What fills the room between functions: int3, or nothing at all. */
static bool is_filler(const uint8_t *bytes)
{
	return bytes[0] == 0xcc || bytes[0] == 0x00;
}

static void fill_line(struct rsb_listing_line *line, const struct rsb_image *image,
		      const struct rsb_disassembler *disassembler, size_t size)
{
	line->length = (uint8_t)rsb_instruction_decode(disassembler, line->bytes, size, line->pc,
						       line->text);
	line->mitigation = rsb_image_mitigation(image, line->pc);
	if (line->length) {
		line->transfer = rsb_transfer_x86_64(line->bytes, line->length, line->pc);
		return;
	}
	line->length = 1;
	snprintf(line->text, sizeof(line->text), ".byte 0x%02x", line->bytes[0]);
}

static bool list_region(struct rsb_listing *listing, const struct region *region,
			const struct rsb_disassembler *disassembler)
{
	uint64_t pc = region->start;
	bool joined = listing->count && listing->lines[listing->count - 1].pc +
							listing->lines[listing->count - 1].length ==
						pc;

	while (pc < region->end) {
		uint8_t bytes[RSB_INSTRUCTION_MAX] = { 0 };
		size_t size = read_bytes(listing->image, pc, region->end, bytes);
		struct rsb_listing_line *line;

		if (!size || (pc > region->last && (!region->symbol || is_filler(bytes))))
			break;
		line = add_line(listing);
		if (!line)
			return false;
		line->pc = pc;
		line->symbol = pc == region->start ? region->symbol : NULL;
		line->joined = joined;
		memcpy(line->bytes, bytes, sizeof(bytes));
		fill_line(line, listing->image, disassembler, size);
		pc += line->length;
		joined = true;
	}
	return true;
}

static bool list_regions(struct rsb_listing *listing, struct regions *regions)
{
	struct rsb_disassembler disassembler;
	bool good = true;

	if (regions->count)
		qsort(regions->all, regions->count, sizeof(*regions->all), compare_regions);
	join_regions(regions);
	if (!rsb_disassembler_open(&disassembler))
		return false;
	for (size_t i = 0; good && i < regions->count; i++)
		good = list_region(listing, &regions->all[i], &disassembler);
	rsb_disassembler_close(&disassembler);
	return good;
}

/* Lists the regions, which are not needed afterwards; found says whether all of them are there. */
static struct rsb_listing *list(const struct rsb_image *image, struct regions *regions, bool found,
				struct rsb_error *error)
{
	struct rsb_listing *listing = found ? calloc(1, sizeof(*listing)) : NULL;
	bool good = listing != NULL;

	if (good) {
		listing->image = image;
		good = list_regions(listing, regions);
	}
	free(regions->all);
	if (good)
		return listing;
	rsb_listing_free(listing);
	return rsb_error_null(error, "out of memory");
}

struct rsb_listing *rsb_listing_new(const struct rsb_image *image, const struct rsb_run *run,
				    struct rsb_error *error)
{
	struct regions regions = { NULL, 0 };
	bool found = find_regions(&regions, image, run);

	return list(image, &regions, found, error);
}

struct rsb_listing *rsb_listing_of(const struct rsb_image *image, const uint64_t *addresses,
				   size_t count, struct rsb_error *error)
{
	struct regions regions = { NULL, 0 };
	bool found = true;

	for (size_t i = 0; found && i < count; i++)
		found = touch(&regions, image, addresses[i]);
	return list(image, &regions, found, error);
}

void rsb_listing_free(struct rsb_listing *listing)
{
	if (!listing)
		return;
	free(listing->lines);
	free(listing);
}

/* What a kind of transfer does to a return stack. */
static const char *name_effect(enum rsb_kind kind)
{
	switch (kind) {
	case RSB_RETURN:
		return "pops";
	case RSB_CALL_FAR:
		return "far: pushes nothing that is known";
	case RSB_RETURN_FAR:
	case RSB_IRET:
		return "far: pops nothing that is known";
	case RSB_SYSCALL:
	case RSB_SYSRET:
		return "no effect of its own";
	case RSB_INTERRUPT:
		return "";
	default:
		return "no effect";
	}
}

void rsb_listing_effect(const struct rsb_listing *listing, const struct rsb_listing_line *line,
			char *out, size_t size)
{
	const struct rsb_transfer *transfer = &line->transfer;
	char where[256];

	if (!transfer->transfers) {
		*out = '\0';
		return;
	}
	if (transfer->kind != RSB_CALL) {
		snprintf(out, size, "%s", name_effect(transfer->kind));
		return;
	}
	rsb_image_describe(listing->image, line->pc + line->length, where, sizeof(where));
	snprintf(out, size, "pushes %s%s", where,
		 transfer->flags & RSB_SITE_ZERO_CALL
			 ? " (not where a call to the next instruction is not counted)"
			 : "");
}

const char *rsb_mitigation_name(enum rsb_mitigation mitigation)
{
	static const char *const names[] = { "", "retpoline", "return thunk", "RSB fill" };

	return names[mitigation];
}
