/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DynamoRIO's drmemtrace: records of instructions, of their data, and markers. A zip file has them
 * in members that follow one another; files of cores hold parts of many threads.
 */
#include "traces/import/drmemtrace_form.h"

#include "traces/bytes.h"
#include "traces/import/flow.h"
#include "traces/import/importers.h"
#include "traces/import/records.h"

#include <inttypes.h>

struct record {
	unsigned type, size;
	uint64_t address;
	uint8_t bytes[8]; /* the address as it is stored */
};

/* What there is to a thread beside its flow. */
struct own {
	uint64_t target; /* of the branch that comes, if targeted */
	bool targeted;
	bool windowed; /* window is known */
	uint64_t window;
};

struct state {
	const struct rsb_import *import;
	struct rsb_records records;
	struct rsb_flows flows;
	struct rsb_threads *owns;
	struct own *own;
	uint64_t version;
	size_t address_size; /* 8, or 4 in traces of 32-bit programs */
	bool filtered;       /* instructions are missing until FILTER_END */
	bool arched;         /* the architecture has been said */
	uint64_t left_out;   /* filtered instructions */
};

static bool set_thread(struct state *state, uint64_t thread, struct rsb_error *error)
{
	state->own = rsb_threads_find(state->owns, thread, error);
	return state->own && rsb_flows_thread(&state->flows, thread, error);
}

/* ---- instructions ---- */

static const struct {
	uint8_t kind, flags;
	bool indirect;
} branches[DRMEMTRACE_TYPES] = {
	[DRMEMTRACE_JUMP] = { RSB_JUMP, 0, false },
	[DRMEMTRACE_JUMP_INDIRECT] = { RSB_JUMP_INDIRECT, 0, true },
	[DRMEMTRACE_CONDITIONAL] = { RSB_BRANCH_TAKEN, 0, false },
	[DRMEMTRACE_CALL] = { RSB_CALL, 0, false },
	[DRMEMTRACE_CALL_INDIRECT] = { RSB_CALL, RSB_SITE_INDIRECT, true },
	[DRMEMTRACE_RETURN] = { RSB_RETURN, 0, true },
	[DRMEMTRACE_TAKEN] = { RSB_BRANCH_TAKEN, 0, false },
	[DRMEMTRACE_UNTAKEN] = { RSB_BRANCH_NOT_TAKEN, 0, false },
};

static bool is_branch(unsigned type)
{
	return (type >= DRMEMTRACE_JUMP && type <= DRMEMTRACE_RETURN) || type == DRMEMTRACE_TAKEN ||
	       type == DRMEMTRACE_UNTAKEN;
}

static bool read_branch(struct state *state, const struct record *record, struct rsb_error *error)
{
	const uint64_t *target = NULL;

	if (branches[record->type].indirect && state->own->targeted)
		target = &state->own->target;
	else if (record->type == DRMEMTRACE_UNTAKEN)
		target = &state->flows.flow->next;
	return rsb_flow_branch(&state->flows, branches[record->type].kind,
			       branches[record->type].flags, record->type == DRMEMTRACE_CONDITIONAL,
			       target, error);
}

static bool read_instruction(struct state *state, const struct record *record,
			     struct rsb_error *error)
{
	const struct rsb_flow *flow = state->flows.flow;
	bool good = true;

	/* Without a size it only says to which instruction the data after it belong. */
	if (!record->size)
		return true;
	if (record->size > UINT8_MAX)
		return rsb_records_error(&state->records, error,
					 "an instruction has %u bytes: expected at most %u",
					 record->size, UINT8_MAX);
	if (state->filtered) {
		state->left_out++;
		return true;
	}
	if (record->type == DRMEMTRACE_MAYBE_FETCH && flow->follows && flow->pc == record->address)
		return true;
	if (!rsb_flow_step(&state->flows, record->address, (uint8_t)record->size, error))
		return false;
	if (is_branch(record->type))
		good = read_branch(state, record, error);
	state->own->targeted = false;
	return good;
}

static bool read_bundle(struct state *state, const struct record *record, struct rsb_error *error)
{
	struct rsb_flow *flow = state->flows.flow;

	if (state->filtered)
		return true;
	if (!flow->follows || flow->branches || !record->size || record->size > state->address_size)
		return rsb_records_error(&state->records, error,
					 "expected 1 to %zu instructions after one that does not "
					 "branch, found %u",
					 state->address_size, record->size);
	for (unsigned i = 0; i < record->size; i++)
		if (!rsb_flow_step(&state->flows, flow->next, record->bytes[i], error))
			return false;
	return true;
}

/* ---- markers ---- */

static bool read_file_type(struct state *state, uint64_t type, struct rsb_error *error)
{
	static const struct {
		unsigned bit;
		const char *arch;
	} rows[] = {
		{ DRMEMTRACE_ARM64, "arm64" },
		{ DRMEMTRACE_ARM, "arm" },
		{ DRMEMTRACE_I386, "i386" },
		{ DRMEMTRACE_X86_64, "x86_64" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && !state->arched; i++) {
		if (type & rows[i].bit) {
			rsb_trace_write_about(state->import->writer, "arch", "%s", rows[i].arch);
			state->arched = true;
		}
	}
	state->filtered = type & (DRMEMTRACE_FILTERED | DRMEMTRACE_IFILTERED);
	if (!state->filtered || type & DRMEMTRACE_FILTERED_HEAD)
		return true;
	return rsb_records_error(&state->records, error,
				 "the trace holds only instructions that missed a cache, so calls "
				 "and returns are missing: expected one recorded without a filter");
}

static bool read_version(struct state *state, uint64_t version, struct rsb_error *error)
{
	if (!version || version > DRMEMTRACE_VERSION_NEWEST)
		return rsb_records_error(&state->records, error,
					 "the trace has version %" PRIu64 ": expected 1 to %d",
					 version, DRMEMTRACE_VERSION_NEWEST);
	state->version = version;
	return true;
}

static bool read_kernel_event(struct state *state, uint64_t pc, struct rsb_error *error)
{
	/* The older versions give an offset in a module. */
	if (state->version < DRMEMTRACE_VERSION_KERNEL_PC)
		return rsb_flow_enter(&state->flows, RSB_INTERRUPT, state->flows.flow->next, NULL,
				      error);
	return rsb_flow_enter(&state->flows, RSB_INTERRUPT, pc, &pc, error);
}

static bool read_kernel_return(struct state *state, uint64_t value, struct rsb_error *error)
{
	(void)value;
	return rsb_flow_enter(&state->flows, RSB_IRET, state->flows.flow->pc, NULL, error);
}

/* The last instruction was the system call. */
static bool read_syscall(struct state *state, uint64_t number, struct rsb_error *error)
{
	const struct rsb_flow *flow = state->flows.flow;

	(void)number;
	if (!flow->follows || flow->branches)
		return true; /* tracing began inside of it */
	return rsb_flow_branch(&state->flows, RSB_SYSCALL, 0, false, &(uint64_t){ 0 }, error) &&
	       rsb_flow_enter(&state->flows, RSB_SYSRET, 0, NULL, error);
}

static bool read_kernel_code(struct state *state, uint64_t value, struct rsb_error *error)
{
	(void)value;
	return rsb_flow_break(&state->flows, error);
}

static bool read_syscall_end(struct state *state, uint64_t number, struct rsb_error *error)
{
	(void)number;
	return rsb_flow_enter(&state->flows, RSB_SYSRET, state->flows.flow->pc, NULL, error);
}

static bool read_window(struct state *state, uint64_t window, struct rsb_error *error)
{
	struct own *own = state->own;
	bool gap = own->windowed && own->window != window;

	own->window = window;
	own->windowed = true;
	return !gap || rsb_flow_gap(&state->flows, error);
}

static bool read_filter_end(struct state *state, uint64_t value, struct rsb_error *error)
{
	(void)value;
	state->filtered = false;
	return rsb_flow_gap(&state->flows, error);
}

static bool read_target(struct state *state, uint64_t target, struct rsb_error *error)
{
	(void)error;
	state->own->target = target;
	state->own->targeted = true;
	return true;
}

static const struct {
	unsigned kind;
	bool (*read)(struct state *state, uint64_t value, struct rsb_error *error);
} markers[] = {
	{ DRMEMTRACE_KERNEL_EVENT, read_kernel_event },
	{ DRMEMTRACE_KERNEL_TRANSFER, read_kernel_return },
	{ DRMEMTRACE_FILE_TYPE, read_file_type },
	{ DRMEMTRACE_VERSION, read_version },
	{ DRMEMTRACE_WINDOW, read_window },
	{ DRMEMTRACE_FILTER_END, read_filter_end },
	{ DRMEMTRACE_SYSCALL, read_syscall },
	{ DRMEMTRACE_SYSCALL_BEGIN, read_kernel_code },
	{ DRMEMTRACE_SYSCALL_END, read_syscall_end },
	{ DRMEMTRACE_BRANCH_TARGET, read_target },
	{ DRMEMTRACE_SWITCH_BEGIN, read_kernel_code },
	{ DRMEMTRACE_SWITCH_END, read_kernel_code },
	{ DRMEMTRACE_HARDWARE_EVENT, read_kernel_event },
	{ DRMEMTRACE_HARDWARE_RETURN, read_kernel_return },
};

static bool read_marker(struct state *state, const struct record *record, struct rsb_error *error)
{
	for (size_t i = 0; i < sizeof(markers) / sizeof(*markers); i++)
		if (markers[i].kind == record->size)
			return markers[i].read(state, record->address, error);
	return true;
}

/* ---- records ---- */

static bool take_record(struct state *state, const struct record *record, struct rsb_error *error)
{
	switch (record->type) {
	case DRMEMTRACE_INSTRUCTION:
	case DRMEMTRACE_JUMP:
	case DRMEMTRACE_JUMP_INDIRECT:
	case DRMEMTRACE_CONDITIONAL:
	case DRMEMTRACE_CALL:
	case DRMEMTRACE_CALL_INDIRECT:
	case DRMEMTRACE_RETURN:
	case DRMEMTRACE_MAYBE_FETCH:
	case DRMEMTRACE_SYSENTER:
	case DRMEMTRACE_TAKEN:
	case DRMEMTRACE_UNTAKEN:
		return read_instruction(state, record, error);
	case DRMEMTRACE_BUNDLE:
		return read_bundle(state, record, error);
	case DRMEMTRACE_THREAD:
		return set_thread(state, record->address, error);
	case DRMEMTRACE_THREAD_EXIT:
		return set_thread(state, record->address, error) &&
		       rsb_flow_end(&state->flows, error);
	case DRMEMTRACE_HEADER: /* of one more trace that was put behind */
		return read_version(state, record->address, error);
	case DRMEMTRACE_MARKER:
		return read_marker(state, record, error);
	}
	return record->type < DRMEMTRACE_TYPES ||
	       rsb_records_error(&state->records, error, "expected a type of 0 to %d, found %u",
				 DRMEMTRACE_TYPES - 1, record->type);
}

static bool read_record(struct state *state, struct record *record, struct rsb_error *error)
{
	uint8_t bytes[12] = { 0 };

	if (!rsb_records_read(&state->records, bytes, 4 + state->address_size, error))
		return false;
	record->type = bytes[0] | (unsigned)bytes[1] << 8;
	record->size = bytes[2] | (unsigned)bytes[3] << 8;
	record->address = rsb_get_u64(bytes + 4);
	for (size_t i = 0; i < sizeof(record->bytes); i++)
		record->bytes[i] = bytes[4 + i];
	return true;
}

/*
 * The first record is a header with the version. Where addresses have 4 bytes, the next record
 * follows at once: no version has anything in its upper half.
 */
static bool find_address_size(struct state *state, struct rsb_error *error)
{
	const char *name = rsb_input_name(state->import->input);
	const uint8_t *bytes;
	const void *peeked;

	if (!rsb_input_peek(state->import->input, 12, &peeked, error))
		return false;
	bytes = peeked;
	if (!bytes)
		return rsb_error_set(error, "%s: expected a header of 12 bytes: it is shorter",
				     name);
	if (!bytes[0] && bytes[1] == DRMEMTRACE_HEADER)
		return rsb_error_set(error,
				     "%s: its numbers have the most significant byte first: "
				     "expected the least significant one first",
				     name);
	if (bytes[0] != DRMEMTRACE_HEADER || bytes[1])
		return rsb_error_set(error,
				     "%s: expected a header, which begins with %02x 00, "
				     "found %02x %02x; is it a raw trace, which drraw2trace "
				     "turns into one?",
				     name, DRMEMTRACE_HEADER, bytes[0], bytes[1]);
	state->address_size = rsb_get_u32(bytes + 8) ? 4 : 8;
	return true;
}

static void write_notes(const struct state *state)
{
	struct rsb_trace_writer *writer = state->import->writer;

	if (!state->arched)
		rsb_trace_write_about(writer, "arch", "%s", "");
	rsb_flows_note(&state->flows);
	if (state->left_out)
		rsb_trace_write_about(writer, "note",
				      "the trace holds only instructions that missed a cache at "
				      "first: those %" PRIu64 " are left out",
				      state->left_out);
}

static bool read_all(struct state *state, struct rsb_error *error)
{
	struct record record;
	bool end;

	rsb_trace_write_about(state->import->writer, "source", "drmemtrace %s",
			      rsb_input_name(state->import->input));
	if (!set_thread(state, 0, error) || !find_address_size(state, error))
		return false;
	while (!rsb_trace_writer_failed(state->import->writer)) {
		if (!rsb_records_next(&state->records, &end, error))
			return false;
		if (end)
			break;
		if (!read_record(state, &record, error) || !take_record(state, &record, error))
			return false;
	}
	write_notes(state);
	return true;
}

static bool run(const struct rsb_import *import, struct rsb_error *error)
{
	struct state state = {
		.import = import,
		.records = { .input = import->input },
		.flows = { .import = import, .threads = rsb_threads_new(sizeof(struct rsb_flow)) },
		.owns = rsb_threads_new(sizeof(struct own)),
	};
	bool good;

	if (state.flows.threads && state.owns)
		good = read_all(&state, error);
	else
		good = rsb_error_set(error, "out of memory");
	rsb_threads_free(state.flows.threads);
	rsb_threads_free(state.owns);
	return good;
}

const struct rsb_importer rsb_import_drmemtrace = {
	.name = "drmemtrace",
	.summary = "DynamoRIO's drmemtrace, versions 1 to 7",
	.arch = NULL,
	.run = run,
};
