/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Imbalances planted in code that is there already. */
#include "tests/unit/planted.h"

#include "sim/generate/x86.h"
#include "sim/machine/watch.h"
#include "traces/transfer.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* The symbol of the code that a plant runs. */
#define CAVE      "planted"
#define CAVE_SIZE 256u

/* What a watched round writes down. */
static void on_instruction(void *context, uint64_t pc, uint32_t size, uint64_t rsp)
{
	struct planted_path *path = context;

	(void)rsp;
	if (path->count == path->room) {
		path->room = path->room ? 2 * path->room : 1024;
		path->steps = realloc(path->steps, path->room * sizeof(*path->steps));
		ck_assert_ptr_nonnull(path->steps);
	}
	path->steps[path->count++] = (struct planted_step){ pc, size };
}

static size_t find_step(const struct planted_path *path, size_t from, uint64_t pc)
{
	while (from < path->count && path->steps[from].pc != pc)
		from++;
	return from;
}

void planted_walk(struct planted_path *path, const struct rsb_image *image)
{
	const struct rsb_machine_options options = { 0 };
	const struct rsb_watcher watcher = { .instruction = on_instruction, .context = path };
	struct rsb_sites *sites = rsb_sites_new();
	struct rsb_trace trace = { 0 };
	struct rsb_round round;
	struct rsb_error error;
	struct rsb_machine *machine = rsb_machine_new(image, sites, &options, &error);
	uint64_t call, landing;
	size_t first;

	*path = (struct planted_path){ 0 };
	ck_assert_msg(machine && rsb_machine_watch(machine, &watcher, &error) &&
			      rsb_machine_round(machine, &trace, &round, &error),
		      "%s", error.text);
	first = path->count;
	ck_assert_msg(rsb_machine_round(machine, &trace, &round, &error) &&
			      rsb_image_find(image, "rsb_traced_call", &call, &error) &&
			      rsb_image_find(image, "rsb_landing", &landing, &error),
		      "%s", error.text);
	path->first = find_step(path, first, call) + 1;
	path->end = find_step(path, path->first, landing);
	rsb_machine_free(machine);
	rsb_sites_free(sites);
	rsb_trace_clear(&trace);
}

/* Moves the start of the place back until the jump fits. */
static bool make_room(const struct planted_path *path, size_t step, struct planted_place *place)
{
	while (place->back - place->start < PLANTED_JUMP) {
		const struct planted_step *before = &path->steps[--step];

		if (step <= path->first || before->pc + before->size != place->start)
			return false;
		place->start = before->pc;
	}
	place->end = place->back;
	return true;
}

/* Is any instruction executed that begins in [from, to)? */
static bool is_executed(const struct planted_path *path, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < path->count; i++)
		if (path->steps[i].pc >= from && path->steps[i].pc < to)
			return true;
	return false;
}

/* Nothing may come into the middle of what is moved. */
static bool is_entered(const struct planted_path *path, uint64_t start, uint64_t back)
{
	for (size_t i = 0; i < path->count; i++) {
		const struct planted_step *step = &path->steps[i];

		if (step->pc > start && step->pc < back &&
		    (!i || step[-1].pc < start || step[-1].pc + step[-1].size != step->pc))
			return true;
	}
	return false;
}

/* Would this instruction do the same elsewhere? */
static bool can_move(const struct rsb_image *image, const struct rsb_disassembler *disassembler,
		     uint64_t pc, const uint8_t *bytes, size_t size, bool last)
{
	char text[RSB_INSTRUCTION_TEXT];

	if (rsb_instruction_decode(disassembler, bytes, size, pc, text) != size ||
	    strstr(text, "rip") || rsb_image_mitigation(image, pc) != RSB_MITIGATION_NONE)
		return false;
	return last || !rsb_transfer_x86_64(bytes, size, pc).transfers;
}

static bool can_move_all(const struct planted_path *path, const struct rsb_image *image,
			 const struct planted_place *place)
{
	struct rsb_disassembler disassembler;
	bool good = true;

	ck_assert(rsb_disassembler_open(&disassembler));
	for (uint64_t pc = place->start; good && pc < place->back;) {
		size_t size = path->steps[find_step(path, 0, pc)].size;

		good = can_move(image, &disassembler, pc, place->bytes + (pc - place->start), size,
				pc == place->site);
		pc += size;
	}
	rsb_disassembler_close(&disassembler);
	return good;
}

static bool is_kind(const struct planted_path *path, const struct rsb_image *image, size_t step,
		    enum rsb_kind kind)
{
	const struct planted_step *at = &path->steps[step];
	uint8_t bytes[RSB_INSTRUCTION_MAX];
	struct rsb_transfer transfer;
	struct rsb_error error;

	if (!rsb_image_read(image, at->pc, bytes, at->size, &error))
		return false;
	transfer = rsb_transfer_x86_64(bytes, at->size, at->pc);
	return transfer.transfers && transfer.kind == kind;
}

/* Does a return come there? An address that none returns to is dropped by the code itself. */
static bool is_returned_to(const struct planted_path *path, const struct rsb_image *image,
			   uint64_t pc)
{
	for (size_t i = path->first; i < path->end; i++)
		if (path->steps[i].pc == pc && is_kind(path, image, i - 1, RSB_RETURN))
			return true;
	return false;
}

/* A call that does not depend on where it or the stack pointer is. */
static bool fits_call(const uint8_t *bytes, const struct rsb_transfer *transfer, size_t size,
		      struct planted_place *place)
{
	if (!transfer->transfers || transfer->kind != RSB_CALL ||
	    transfer->flags & RSB_SITE_ZERO_CALL)
		return false;
	place->target = transfer->direct ? transfer->target : 0;
	/* call rel32; call register */
	return transfer->direct ? size == PLANTED_JUMP && bytes[0] == 0xe8
				: bytes[size - 2] == 0xff && bytes[size - 1] >= 0xd0;
}

static bool fits_entry(const struct planted_path *path, const struct rsb_image *image, size_t step,
		       struct planted_place *place)
{
	const struct planted_step *call = &path->steps[step - 1];
	size_t again = find_step(path, step + 1, place->site);

	/* What comes next after a call is not what stands there: that one was called, once. */
	place->answer = call->pc + call->size;
	return step > path->first && is_kind(path, image, step - 1, RSB_CALL) &&
	       place->answer != place->site && again >= path->end &&
	       find_step(path, path->first, place->site) == step &&
	       is_returned_to(path, image, place->answer);
}

static bool fits(const struct planted_path *path, const struct rsb_image *image,
		 const struct planted_kind *kind, size_t step, const uint8_t *bytes,
		 struct planted_place *place)
{
	size_t size = path->steps[step].size;
	struct rsb_transfer transfer = rsb_transfer_x86_64(bytes, size, place->site);

	switch (kind->at) {
	case PLANTED_AT_CALL:
		return fits_call(bytes, &transfer, size, place) &&
		       is_returned_to(path, image, place->back);
	case PLANTED_AT_RETURN:
		return size == 1 && bytes[0] == 0xc3;
	case PLANTED_AT_ENTRY:
		return !transfer.transfers && fits_entry(path, image, step, place);
	case PLANTED_AT_ANY:
		return !transfer.transfers;
	}
	return false;
}

bool planted_find(const struct planted_path *path, const struct rsb_image *image,
		  const struct planted_kind *kind, size_t step, struct planted_place *place)
{
	const struct planted_step *site = &path->steps[step];
	struct rsb_error error;

	*place = (struct planted_place){
		.start = site->pc,
		.site = site->pc,
		.back = site->pc + site->size,
		.end = site->pc + PLANTED_JUMP,
	};
	/* What is never executed after the instruction may be written over. */
	if ((site->size >= PLANTED_JUMP || is_executed(path, place->back, place->end)) &&
	    !make_room(path, step, place))
		return false;
	if (place->back - place->start > sizeof(place->bytes) ||
	    !rsb_image_read(image, place->start, place->bytes, place->back - place->start, &error))
		return false;
	return fits(path, image, kind, step, place->bytes + (site->pc - place->start), place) &&
	       !is_entered(path, place->start, place->back) && can_move_all(path, image, place);
}

uint64_t planted_put(struct rsb_image *image, const struct planted_kind *kind,
		     const struct planted_place *place)
{
	uint64_t cave = rsb_image_gap(image, place->start, RSB_PAGE), culprit = 0;
	int32_t displacement = (int32_t)(cave - place->start - PLANTED_JUMP);
	struct rsb_code *code = rsb_code_new(cave);
	struct rsb_error error;
	uint8_t jump[PLANTED_JUMP] = { 0xe9 };

	ck_assert(cave && code);
	rsb_code_place(code, rsb_code_named(code, CAVE));
	rsb_code_bytes(code, place->bytes, place->site - place->start);
	kind->emit(code, place, &culprit);
	for (unsigned i = 0; i < 4; i++)
		jump[1 + i] = (uint8_t)((uint32_t)displacement >> 8 * i);
	ck_assert_msg(rsb_code_finish(code, image, &error) &&
			      rsb_image_patch(image, place->start, jump, sizeof(jump), &error),
		      "%s", error.text);
	rsb_code_free(code);
	return culprit;
}

bool planted_has(const struct rsb_image *image, const struct planted_place *place, uint64_t pc)
{
	struct rsb_error error;
	uint64_t cave;

	ck_assert(rsb_image_find(image, CAVE, &cave, &error));
	return (pc >= place->start && pc < place->end) || (pc >= cave && pc < cave + CAVE_SIZE);
}
