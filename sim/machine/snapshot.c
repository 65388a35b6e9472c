/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots: registers and the memory that may change. Pieces are never moved or dropped, so
 * that those a snapshot knows are the first ones of the machine.
 */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"

#include <stdlib.h>
#include <string.h>

struct rsb_snapshot {
	struct rsb_registers registers;
	size_t pieces;  /* that were there */
	uint8_t *bytes; /* theirs, one after the other */
	size_t room;
	uint64_t phases[RSB_INCIDENTS_MAX]; /* of the incidents, which are state as well */
	uint64_t touched; /* digest of the pages touched since the TLB was flushed */
};

/* Walks the pages of a machine that may change, beside what they held at a snapshot. */
struct walk {
	const struct rsb_memory *memory;
	const struct rsb_snapshot *snapshot;
	size_t piece;
	uint64_t offset;      /* in the piece */
	const uint8_t *saved; /* of the next piece that the snapshot has */
	uint8_t original[RSB_PAGE];
	uint64_t address; /* of the page */
	const uint8_t *now, *then;
};

/* May its bytes change? Those of the shadow stack do, though no store reaches them. */
static bool may_change(const struct rsb_memory *memory, const struct rsb_piece *piece)
{
	return piece->access & RSB_WRITE ||
	       rsb_memory_place(memory, piece->address) == RSB_PLACE_SHADOW;
}

static const uint8_t *original(struct walk *walk, uint64_t address)
{
	struct rsb_error ignored;
	unsigned access;

	/* It was read once, or there would be no piece; if it cannot be read now it is unequal. */
	return rsb_memory_original(walk->memory, address, walk->original, &access, &ignored)
		       ? walk->original
		       : NULL;
}

/* The next page; false: no more. */
static bool next_page(struct walk *walk)
{
	const struct rsb_memory *memory = walk->memory;
	const struct rsb_piece *piece;

	while (walk->piece < memory->count && (!may_change(memory, &memory->pieces[walk->piece]) ||
					       walk->offset == memory->pieces[walk->piece].size)) {
		walk->piece++;
		walk->offset = 0;
	}
	if (walk->piece == memory->count)
		return false;
	piece = &memory->pieces[walk->piece];
	walk->address = piece->address + walk->offset;
	walk->now = piece->bytes + walk->offset;
	if (walk->piece < walk->snapshot->pieces) {
		walk->then = walk->saved;
		walk->saved += RSB_PAGE;
	} else {
		walk->then = original(walk, walk->address);
	}
	walk->offset += RSB_PAGE;
	return true;
}

static struct walk begin(const struct rsb_machine *machine, const struct rsb_snapshot *snapshot)
{
	return (struct walk){
		.memory = &machine->memory,
		.snapshot = snapshot,
		.saved = snapshot->bytes,
	};
}

static size_t changing_size(const struct rsb_memory *memory)
{
	size_t size = 0;

	for (size_t i = 0; i < memory->count; i++)
		if (may_change(memory, &memory->pieces[i]))
			size += memory->pieces[i].size;
	return size;
}

static bool make_room(struct rsb_snapshot *snapshot, size_t size)
{
	uint8_t *bytes;

	if (size <= snapshot->room)
		return true;
	bytes = realloc(snapshot->bytes, size);
	if (!bytes)
		return false;
	snapshot->bytes = bytes;
	snapshot->room = size;
	return true;
}

struct rsb_snapshot *rsb_machine_snapshot(const struct rsb_machine *machine,
					  struct rsb_snapshot *old)
{
	struct rsb_snapshot *snapshot = old ? old : calloc(1, sizeof(*snapshot));
	const struct rsb_memory *memory = &machine->memory;
	uint8_t *at;

	if (!snapshot)
		return NULL;
	if (!make_room(snapshot, changing_size(memory))) {
		rsb_snapshot_free(snapshot);
		return NULL;
	}
	rsb_registers_read(machine->engine, &snapshot->registers);
	at = snapshot->bytes;
	for (size_t i = 0; i < memory->count; i++) {
		const struct rsb_piece *piece = &memory->pieces[i];

		if (!may_change(memory, piece))
			continue;
		memcpy(at, piece->bytes, piece->size);
		at += piece->size;
	}
	snapshot->pieces = memory->count;
	memcpy(snapshot->phases, machine->phases, sizeof(snapshot->phases));
	snapshot->touched = machine->system.pages.digest;
	return snapshot;
}

void rsb_snapshot_free(struct rsb_snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->bytes);
	free(snapshot);
}

bool rsb_machine_same(const struct rsb_machine *machine, const struct rsb_snapshot *snapshot)
{
	struct walk walk = begin(machine, snapshot);
	struct rsb_registers now;

	rsb_registers_read(machine->engine, &now);
	if (memcmp(&now, &snapshot->registers, sizeof(now)) != 0 ||
	    memcmp(machine->phases, snapshot->phases, sizeof(snapshot->phases)) != 0 ||
	    machine->system.pages.digest != snapshot->touched)
		return false;
	while (next_page(&walk))
		if (!walk.then || memcmp(walk.now, walk.then, RSB_PAGE) != 0)
			return false;
	return true;
}

size_t rsb_machine_changes(const struct rsb_machine *machine, const struct rsb_snapshot *snapshot,
			   uint64_t *words, size_t room)
{
	struct walk walk = begin(machine, snapshot);
	size_t count = 0;

	while (next_page(&walk)) {
		for (unsigned i = 0; i < RSB_PAGE; i += 8) {
			if (walk.then && memcmp(walk.now + i, walk.then + i, 8) == 0)
				continue;
			if (count < room)
				words[count] = walk.address + i;
			count++;
		}
	}
	return count;
}
