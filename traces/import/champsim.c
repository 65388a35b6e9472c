/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ChampSim traces: records of one size without a header, one for each instruction. What kind of
 * branch one is, the registers tell, as in ChampSim's own inc/instruction.h; where it goes, the
 * next record; how long a call is, its return (traces/import/pending.h).
 */
#include "traces/bytes.h"
#include "traces/import/importers.h"
#include "traces/import/pending.h"
#include "traces/import/records.h"
#include "traces/import/threads.h"

#include <inttypes.h>

/* Registers with a meaning, in inc/trace_instruction.h. */
#define REGISTER_STACK   6
#define REGISTER_FLAGS   25
#define REGISTER_POINTER 26 /* of the instruction */

#define RECORD_MAX 96

/* A variant: the size of a record, and where its fields are. */
struct form {
	uint8_t size;
	uint8_t destinations, destination_count;
	uint8_t sources, source_count;
	uint8_t space; /* offset of the address space's number, of two bytes; 0: none */
	const char *other;
};

static const struct form champsim = { 64, 10, 2, 12, 4, 0, "champsim-cloudsuite" };
static const struct form cloudsuite = { 96, 10, 4, 14, 4, 88, "champsim" };

struct state {
	struct rsb_records records;
	const struct form *form;
	struct rsb_pending *pending;
	struct rsb_threads *branches;
	uint64_t branch_count, other; /* branches; those that fit no kind */
};

/* What an address space's last branch was: it waits for its target. */
struct branch {
	struct rsb_found found;
	bool waits, conditional;
};

static bool contains(const uint8_t *registers, size_t count, uint8_t one)
{
	for (size_t i = 0; i < count; i++)
		if (registers[i] == one)
			return true;
	return false;
}

/* 0 stands for no register. */
static bool contains_other(const uint8_t *registers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (registers[i] && registers[i] != REGISTER_STACK &&
		    registers[i] != REGISTER_FLAGS && registers[i] != REGISTER_POINTER)
			return true;
	return false;
}

/* False: no branch. The kind is RSB_KINDS where it fits none. */
static bool classify(const struct form *form, const uint8_t *record, struct rsb_found *found)
{
	const uint8_t *to = record + form->destinations, *from = record + form->sources;
	bool writes_stack = contains(to, form->destination_count, REGISTER_STACK);
	bool reads_stack = contains(from, form->source_count, REGISTER_STACK);
	bool reads_flags = contains(from, form->source_count, REGISTER_FLAGS);
	bool reads_pointer = contains(from, form->source_count, REGISTER_POINTER);
	bool reads_other = contains_other(from, form->source_count);

	found->kind = RSB_KINDS;
	if (!contains(to, form->destination_count, REGISTER_POINTER))
		return false;
	if (reads_stack && writes_stack && !reads_pointer) {
		found->kind = RSB_RETURN;
	} else if (reads_stack && writes_stack && !reads_flags) {
		found->kind = RSB_CALL;
		found->flags = reads_other ? RSB_SITE_INDIRECT : 0;
	} else if (!reads_stack && !reads_flags && !reads_other) {
		found->kind = RSB_JUMP;
	} else if (!reads_stack && !reads_flags && !reads_pointer) {
		found->kind = RSB_JUMP_INDIRECT;
	} else if (!reads_stack && reads_pointer && !writes_stack) {
		found->kind = RSB_BRANCH_TAKEN;
	}
	return true;
}

/* The record that follows a branch says where it went. */
static bool finish(struct state *state, struct branch *branch, uint64_t next,
		   struct rsb_error *error)
{
	if (!branch->waits)
		return true;
	branch->waits = false;
	branch->found.target = next;
	return rsb_pending_write(state->pending, &branch->found, NULL, error);
}

static bool read_record(struct state *state, struct rsb_error *error)
{
	const struct form *form = state->form;
	uint8_t record[RECORD_MAX];
	uint64_t pc, space = 0;
	struct branch *branch;

	if (!rsb_records_read(&state->records, record, form->size, error))
		return false;
	pc = rsb_get_u64(record);
	if (!pc || record[8] > 1 || record[9] > 1)
		return rsb_records_error(&state->records, error,
					 "expected an address and two flags that are 0 or 1, found "
					 "0x%" PRIx64
					 ", %u and %u; is this a trace of another form "
					 "(%s)?",
					 pc, record[8], record[9], form->other);
	if (form->space)
		space = record[form->space] | (uint64_t)record[form->space + 1] << 8;
	branch = rsb_threads_find(state->branches, space, error);
	if (!branch || !rsb_pending_thread(state->pending, space, error) ||
	    !finish(state, branch, pc, error))
		return false;
	rsb_pending_instructions(state->pending, 1);
	branch->found = (struct rsb_found){ .pc = pc };
	if (!classify(form, record, &branch->found))
		return true;
	state->branch_count++;
	state->other += branch->found.kind == RSB_KINDS;
	branch->waits = branch->found.kind != RSB_KINDS;
	if (branch->found.kind == RSB_BRANCH_TAKEN && !record[9])
		branch->found.kind = RSB_BRANCH_NOT_TAKEN;
	return true;
}

static void write_notes(const struct state *state, struct rsb_trace_writer *writer)
{
	if (!state->branch_count)
		rsb_trace_write_about(writer, "note",
				      "there is no branch among %" PRIu64 " records",
				      state->records.number);
	if (state->other)
		rsb_trace_write_about(writer, "note",
				      "%" PRIu64 " of %" PRIu64
				      " branches could not be classified: their registers fit no "
				      "kind",
				      state->other, state->branch_count);
}

static bool read_all(struct state *state, const struct rsb_import *import, struct rsb_error *error)
{
	bool end;

	while (!rsb_trace_writer_failed(import->writer)) {
		if (!rsb_records_next(&state->records, &end, error))
			return false;
		if (end && !state->records.number)
			return rsb_error_set(error, "%s: it is empty: expected records of %u bytes",
					     rsb_input_name(import->input), state->form->size);
		if (end)
			break;
		if (!read_record(state, error))
			return false;
	}
	if (!rsb_pending_end(state->pending, error))
		return false;
	write_notes(state, import->writer);
	return true;
}

static bool run(const struct rsb_import *import, const struct form *form, struct rsb_error *error)
{
	struct state state = {
		.records = { .input = import->input },
		.form = form,
		.pending = rsb_pending_new(import),
		.branches = rsb_threads_new(sizeof(struct branch)),
	};
	bool good;

	if (state.pending && state.branches)
		good = read_all(&state, import, error);
	else
		good = rsb_error_set(error, "out of memory");
	rsb_pending_free(state.pending);
	rsb_threads_free(state.branches);
	return good;
}

static bool run_champsim(const struct rsb_import *import, struct rsb_error *error)
{
	return run(import, &champsim, error);
}

static bool run_cloudsuite(const struct rsb_import *import, struct rsb_error *error)
{
	return run(import, &cloudsuite, error);
}

const struct rsb_importer rsb_import_champsim = {
	.name = "champsim",
	.summary = "ChampSim, records of 64 bytes",
	.arch = "",
	.run = run_champsim,
};

const struct rsb_importer rsb_import_champsim_cloudsuite = {
	.name = "champsim-cloudsuite",
	.summary = "ChampSim, the larger records of CloudSuite traces",
	.arch = "",
	.run = run_cloudsuite,
};
