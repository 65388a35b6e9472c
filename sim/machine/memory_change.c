/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes of memory that a program asks for. The engine could unmap and protect parts of a piece,
 * but then our pieces would not be its: a piece that is changed in part is taken out, and its parts
 * are put back.
 */
#include "sim/machine/memory.h"

#include <stdlib.h>

/* What becomes of the pages of a range that are there already. */
struct change {
	uint64_t first, end;
	bool keep; /* them, with this access; else they are dropped */
	unsigned access;
};

static bool put_back(struct rsb_memory *memory, const struct rsb_piece *piece, uint64_t first,
		     uint64_t end, unsigned access, struct rsb_error *error)
{
	struct rsb_piece part = *piece;

	if (first >= end)
		return true;
	if (memory->count == RSB_MEMORY_PIECES)
		return rsb_error_set(error, "the program's memory has more than %d separate places",
				     RSB_MEMORY_PIECES);
	part.address = first;
	part.size = end - first;
	part.bytes += first - piece->address;
	part.access = access;
	return rsb_memory_add(memory, &part, error);
}

static bool is_used(const struct rsb_memory *memory, const void *buffer)
{
	for (size_t i = 0; i < memory->count; i++)
		if (memory->pieces[i].buffer == buffer)
			return true;
	return false;
}

/* Takes piece i out, and puts back what is left of it. */
static bool change_piece(struct rsb_memory *memory, size_t i, const struct change *change,
			 struct rsb_error *error)
{
	struct rsb_piece piece = memory->pieces[i];
	uint64_t end = piece.address + piece.size;
	uint64_t from = change->first > piece.address ? change->first : piece.address;
	uint64_t to = change->end < end ? change->end : end;
	bool good;

	if (uc_mem_unmap(memory->engine, piece.address, piece.size) != UC_ERR_OK)
		return rsb_error_set(error, "the engine cannot unmap 0x%llx",
				     (unsigned long long)piece.address);
	memory->pieces[i] = memory->pieces[--memory->count];
	memory->pages -= piece.size / RSB_PAGE;
	good = put_back(memory, &piece, piece.address, from, piece.access, error) &&
	       put_back(memory, &piece, to, end, piece.access, error) &&
	       (!change->keep || put_back(memory, &piece, from, to, change->access, error));
	if (!is_used(memory, piece.buffer))
		free(piece.buffer);
	return good;
}

static bool touches(const struct rsb_piece *piece, const struct change *change)
{
	return piece->address < change->end && change->first < piece->address + piece->size &&
	       !(change->keep && piece->access == change->access);
}

/* Each piece that is put back no longer touches, or is as it is to be. */
static bool change_pieces(struct rsb_memory *memory, const struct change *change,
			  struct rsb_error *error)
{
	for (size_t i = 0; i < memory->count;) {
		if (!touches(&memory->pieces[i], change))
			i++;
		else if (!change_piece(memory, i, change, error))
			return false;
	}
	return true;
}

static bool refuse(struct rsb_error *error)
{
	return rsb_error_set(error, "the program's memory has more than %d regions",
			     RSB_REGIONS_MAX);
}

bool rsb_memory_replace(struct rsb_memory *memory, const struct rsb_region *region,
			struct rsb_error *error)
{
	const struct change change = { .first = region->first, .end = region->end };

	return (rsb_regions_set(memory->regions, region) || refuse(error)) &&
	       change_pieces(memory, &change, error);
}

bool rsb_memory_protect(struct rsb_memory *memory, uint64_t first, uint64_t end, unsigned access,
			struct rsb_error *error)
{
	const struct change change = { first, end, true, access };

	return (rsb_regions_protect(memory->regions, first, end, access) || refuse(error)) &&
	       change_pieces(memory, &change, error);
}
