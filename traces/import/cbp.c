/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The traces of the championships in branch prediction (2025) and value prediction (CVP-1):
 * records of varying length, one for each instruction of 4 bytes, of arm64. The older form has no
 * types for calls and returns; there the link register tells them.
 */
#include "traces/bytes.h"
#include "traces/import/found.h"
#include "traces/import/importers.h"
#include "traces/import/records.h"

#include <inttypes.h>

#define INSTRUCTION_LENGTH 4
#define REGISTER_LINK      30
#define REGISTER_VECTORS   32 /* from here on, with values of 16 bytes, ... */
#define REGISTER_FLAGS     64 /* ... up to here */

enum type {
	TYPE_LOAD = 1,
	TYPE_STORE = 2,
	TYPE_CONDITIONAL = 3,
	TYPE_JUMP = 4,
	TYPE_JUMP_INDIRECT = 5,
	TYPE_CALL = 9,
	TYPE_CALL_INDIRECT = 10,
	TYPE_RETURN = 11,
};

struct form {
	uint8_t types;         /* how many there are */
	uint8_t load, store;   /* bytes after the type of one */
	uint8_t last_register; /* the greatest number of one */
	bool typed;            /* there are types for calls and returns */
};

static const struct form cbp = { 12, 10, 11, 65, true };
static const struct form cvp = { 9, 9, 9, 64, false };

struct state {
	const struct rsb_import *import;
	const struct form *form;
	struct rsb_records records;
	uint64_t next; /* where the flow should go on; 0: not known */
	uint64_t gaps;
};

/* The registers of an instruction, as far as they matter. */
struct registers {
	uint8_t inputs, outputs;
	bool reads_link, writes_link;
};

static bool is_branch(uint8_t type)
{
	return (type >= TYPE_CONDITIONAL && type <= TYPE_JUMP_INDIRECT) || type >= TYPE_CALL;
}

static bool read_count(struct state *state, uint8_t *count, bool *link, uint8_t *names,
		       struct rsb_error *error)
{
	*link = false;
	if (!rsb_records_read(&state->records, count, 1, error) ||
	    !rsb_records_read(&state->records, names, *count, error))
		return false;
	for (unsigned i = 0; i < *count; i++) {
		if (names[i] > state->form->last_register)
			return rsb_records_error(&state->records, error,
						 "expected registers up to %u, found %u",
						 state->form->last_register, names[i]);
		*link |= names[i] == REGISTER_LINK;
	}
	return true;
}

static bool read_registers(struct state *state, struct registers *registers,
			   struct rsb_error *error)
{
	uint8_t names[UINT8_MAX], value[16];

	if (!read_count(state, &registers->inputs, &registers->reads_link, names, error) ||
	    !read_count(state, &registers->outputs, &registers->writes_link, names, error))
		return false;
	for (unsigned i = 0; i < registers->outputs; i++) {
		bool vector = names[i] >= REGISTER_VECTORS && names[i] < REGISTER_FLAGS;

		if (!rsb_records_read(&state->records, value, vector ? 16 : 8, error))
			return false;
	}
	return true;
}

static bool read_branch(struct state *state, struct rsb_found *found, struct rsb_error *error)
{
	uint8_t taken, target[8];

	if (!rsb_records_read(&state->records, &taken, 1, error))
		return false;
	if (taken > 1)
		return rsb_records_error(&state->records, error,
					 "expected 0 or 1 for taken, found %u", taken);
	found->target = found->pc + INSTRUCTION_LENGTH;
	if (!taken) {
		found->kind = RSB_BRANCH_NOT_TAKEN;
		return true;
	}
	found->kind = RSB_BRANCH_TAKEN;
	if (!rsb_records_read(&state->records, target, sizeof(target), error))
		return false;
	found->target = rsb_get_u64(target);
	return true;
}

/* What the types do not tell: a call writes the link register, and a return jumps to it. */
static uint8_t find_type(uint8_t type, const struct registers *registers)
{
	if (registers->outputs == 1 && registers->writes_link)
		return type == TYPE_JUMP ? TYPE_CALL : TYPE_CALL_INDIRECT;
	if (type == TYPE_JUMP_INDIRECT && registers->inputs == 1 && registers->reads_link)
		return TYPE_RETURN;
	return type;
}

static void classify(struct rsb_found *found, uint8_t type)
{
	switch (type) {
	case TYPE_JUMP:
		found->kind = RSB_JUMP;
		break;
	case TYPE_JUMP_INDIRECT:
		found->kind = RSB_JUMP_INDIRECT;
		break;
	case TYPE_CALL_INDIRECT:
		found->flags = RSB_SITE_INDIRECT;
		found->kind = RSB_CALL;
		break;
	case TYPE_CALL:
		found->kind = RSB_CALL;
		break;
	case TYPE_RETURN:
		found->kind = RSB_RETURN;
		break;
	}
}

/* Load and store pairs are several records of one address. */
static bool check_flow(struct state *state, uint64_t pc, struct rsb_error *error)
{
	if (!state->next || pc == state->next || pc == state->next - INSTRUCTION_LENGTH)
		return true;
	state->gaps++;
	return rsb_found_gap(state->import, error);
}

static bool read_record(struct state *state, struct rsb_error *error)
{
	const struct form *form = state->form;
	uint8_t head[9], skipped[16];
	struct registers registers;
	struct rsb_found found = { .length = INSTRUCTION_LENGTH };
	uint8_t type;

	if (!rsb_records_read(&state->records, head, sizeof(head), error))
		return false;
	found.pc = rsb_get_u64(head);
	type = head[8];
	if (type >= form->types)
		return rsb_records_error(&state->records, error,
					 "expected a type of 0 to %u, found %u", form->types - 1,
					 type);
	if (type == TYPE_LOAD || type == TYPE_STORE) {
		if (!rsb_records_read(&state->records, skipped,
				      type == TYPE_LOAD ? form->load : form->store, error))
			return false;
	} else if (is_branch(type) && !read_branch(state, &found, error)) {
		return false;
	}
	if (!read_registers(state, &registers, error) || !check_flow(state, found.pc, error))
		return false;
	rsb_trace_write_instructions(state->import->writer, 1);
	state->next = found.pc + INSTRUCTION_LENGTH;
	if (!is_branch(type))
		return true;
	state->next = found.target;
	if (!form->typed && type != TYPE_CONDITIONAL)
		type = find_type(type, &registers);
	if (found.kind == RSB_BRANCH_TAKEN)
		classify(&found, type);
	return rsb_found_write(state->import, &found, NULL, error);
}

static bool run(const struct rsb_import *import, const struct form *form, struct rsb_error *error)
{
	struct state state = { .import = import,
			       .form = form,
			       .records = { .input = import->input } };
	bool end = false;

	while (!rsb_trace_writer_failed(import->writer)) {
		if (!rsb_records_next(&state.records, &end, error))
			return false;
		if (end)
			break;
		if (!read_record(&state, error))
			return false;
	}
	if (!state.records.number)
		return rsb_error_set(error, "%s: it is empty: expected records of instructions",
				     rsb_input_name(import->input));
	if (state.gaps)
		rsb_trace_write_about(import->writer, "note",
				      "%" PRIu64
				      " times the program went on elsewhere without a branch: gaps",
				      state.gaps);
	return true;
}

static bool run_cbp(const struct rsb_import *import, struct rsb_error *error)
{
	return run(import, &cbp, error);
}

static bool run_cvp(const struct rsb_import *import, struct rsb_error *error)
{
	return run(import, &cvp, error);
}

const struct rsb_importer rsb_import_cbp = {
	.name = "cbp",
	.summary = "the championship in branch prediction of 2025",
	.arch = "arm64",
	.run = run_cbp,
};

const struct rsb_importer rsb_import_cvp = {
	.name = "cvp",
	.summary = "the championship in value prediction, CVP-1",
	.arch = "arm64",
	.run = run_cvp,
};
