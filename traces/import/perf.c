/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of perf script: branch stacks, and the branches that it decodes from Intel PT and the
 * like. A branch stack holds the last few branches before a sample, so that each sample is a piece
 * of its own with a gap before it.
 */
#include "traces/import/importers.h"
#include "traces/import/pending.h"
#include "traces/import/perf_sample.h"
#include "traces/import/threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct thread {
	struct rsb_perf_branch *before; /* of the sample before, in the order of execution */
	size_t before_count;
	bool started;        /* it has branches with flags */
	bool stopped;        /* they end, and that is no gap if ... */
	uint64_t stopped_at; /* ... it goes on here, or ... */
	uint8_t comes_back;  /* ... by an event of this kind; RSB_KINDS: none is known */
};

struct state {
	const struct rsb_import *import;
	struct rsb_pending *pending;
	struct rsb_traced_code *code;
	struct rsb_perf_symbols *symbols;
	struct rsb_perf_chains *chains;
	struct rsb_threads *threads;
	uint64_t thread_id;
	struct rsb_perf_branch *branches; /* of the line, RSB_PERF_ENTRIES_MAX of them */

	uint64_t samples, flagged, addressless; /* lines of each form */
	uint64_t found, calls, returns;
	uint64_t unclassified, unplaced, repeated, wrong_path;
	bool made_up;      /* addresses stand for symbols */
	bool code_missing; /* of a branch that could not be classified and has an address */
};

static struct thread *current_thread(struct state *state, struct rsb_error *error)
{
	return rsb_threads_find(state->threads, state->thread_id, error);
}

static bool write_branch(struct state *state, const struct rsb_perf_branch *branch,
			 struct rsb_error *error)
{
	const struct rsb_found found = { .pc = branch->from,
					 .target = branch->to,
					 .kind = branch->kind,
					 .length = branch->length,
					 .flags = branch->flags,
					 .verdict = branch->verdict };

	state->found++;
	if (branch->kind == RSB_KINDS) {
		state->unclassified++;
		state->code_missing |= !rsb_perf_made_up(branch->from);
		return true;
	}
	state->calls += branch->kind == RSB_CALL;
	state->returns += branch->kind == RSB_RETURN;
	state->made_up |= rsb_perf_made_up(branch->from);
	/* What is pushed, or where it returns to, must be known. */
	if ((branch->kind == RSB_CALL && !branch->from) ||
	    (branch->kind == RSB_RETURN && !branch->to)) {
		state->unplaced++;
		return rsb_pending_gap(state->pending, error);
	}
	return rsb_pending_write(state->pending, &found, branch->label, error);
}

/* ---- branch stacks ---- */

static void reverse(struct rsb_perf_branch *branches, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct rsb_perf_branch swapped = branches[i];

		branches[i] = branches[count - 1 - i];
		branches[count - 1 - i] = swapped;
	}
}

/* Leaves out what was never executed. */
static size_t drop_wrong_path(struct state *state, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rsb_perf_branch *branch = &state->branches[i];

		state->wrong_path += branch->wrong_path;
		if (!branch->wrong_path && (branch->from || branch->to))
			state->branches[kept++] = *branch;
	}
	return kept;
}

static bool keep_sample(struct thread *thread, const struct rsb_perf_branch *branches, size_t count,
			struct rsb_error *error)
{
	struct rsb_perf_branch *copy = malloc(count * sizeof(*copy));

	if (!copy)
		return rsb_error_set(error, "out of memory");
	memcpy(copy, branches, count * sizeof(*copy));
	free(thread->before);
	thread->before = copy;
	thread->before_count = count;
	return true;
}

static bool take_sample(struct state *state, size_t count, struct rsb_error *error)
{
	struct rsb_perf_branch *branches = state->branches;
	struct thread *thread = current_thread(state, error);
	size_t repeated;

	if (!thread)
		return false;
	state->samples++;
	count = drop_wrong_path(state, count);
	if (!count)
		return true;
	reverse(branches, count);
	repeated = rsb_perf_sample_overlap(thread->before, thread->before_count, branches, count);
	if (!keep_sample(thread, branches, count, error) ||
	    !rsb_pending_thread(state->pending, state->thread_id, error) ||
	    (!repeated && !rsb_pending_gap(state->pending, error)))
		return false;
	state->repeated += repeated;
	rsb_perf_sample_classify(branches, count, state->code, state->symbols, state->chains);
	for (size_t i = repeated; i < count; i++)
		if (!write_branch(state, &branches[i], error))
			return false;
	return true;
}

/* ---- branches with flags ---- */

/* How a thread comes back from where this kind of branch went; RSB_KINDS: it cannot be told. */
static uint8_t way_back(uint8_t kind)
{
	if (kind == RSB_SYSCALL)
		return RSB_SYSRET;
	return kind == RSB_INTERRUPT ? RSB_IRET : RSB_KINDS;
}

/* Tracing goes on after it had stopped, or begins. */
static bool resume(struct state *state, struct thread *thread, const struct rsb_perf_branch *branch,
		   struct rsb_error *error)
{
	struct rsb_perf_branch back = *branch;
	bool stopped = thread->stopped;

	back.kind = thread->comes_back;
	thread->stopped = false;
	if (stopped && back.kind != RSB_KINDS)
		return write_branch(state, &back, error);
	return (stopped && branch->to == thread->stopped_at) ||
	       rsb_pending_gap(state->pending, error);
}

static bool take_flagged(struct state *state, enum rsb_perf_flagged flagged,
			 const struct rsb_perf_branch *branch, struct rsb_error *error)
{
	struct thread *thread = current_thread(state, error);

	if (!thread || !rsb_pending_thread(state->pending, state->thread_id, error))
		return false;
	state->flagged++;
	if (!thread->started && flagged != RSB_PERF_START &&
	    !rsb_pending_gap(state->pending, error))
		return false;
	thread->started = true;
	if (flagged == RSB_PERF_LOST)
		return rsb_pending_gap(state->pending, error);
	if (flagged == RSB_PERF_START)
		return resume(state, thread, branch, error);
	if (flagged == RSB_PERF_STOP) {
		thread->stopped = true;
		thread->stopped_at = branch->from;
		thread->comes_back = way_back(branch->kind);
		if (branch->kind == RSB_KINDS)
			return true;
	}
	return write_branch(state, branch, error);
}

/* ---- lines ---- */

static bool read_flagged(struct state *state, char *line, bool *taken, struct rsb_error *error)
{
	struct rsb_perf_branch branch;
	enum rsb_perf_flagged flagged = rsb_perf_line_flagged(line, &branch);

	*taken = flagged != RSB_PERF_NOT_FLAGGED;
	if (flagged == RSB_PERF_NO_ADDRESS)
		state->addressless++;
	else if (*taken)
		return take_flagged(state, flagged, &branch, error);
	return true;
}

static bool read_line(struct state *state, char *line, struct rsb_error *error)
{
	uint64_t address;
	size_t count;
	bool taken;

	if (!line[strspn(line, " \t")]) {
		rsb_perf_chains_end(state->chains);
		return true;
	}
	if (*line == '#')
		return true;
	if (rsb_perf_line_thread(line, &state->thread_id))
		rsb_perf_chains_end(state->chains);
	if (!read_flagged(state, line, &taken, error) || taken)
		return taken;
	if (!rsb_perf_line_stack(line, state->symbols, state->branches, &count, error))
		return rsb_input_error(state->import->input, error, "%s", error->text);
	if (count) {
		rsb_perf_chains_end(state->chains);
		return take_sample(state, count, error);
	}
	return !rsb_perf_line_chain(line, &address) ||
	       rsb_perf_chains_add(state->chains, address) || rsb_error_set(error, "out of memory");
}

static bool read_lines(struct state *state, struct rsb_error *error)
{
	char *line;

	while (!rsb_trace_writer_failed(state->import->writer)) {
		if (!rsb_input_line(state->import->input, &line, error))
			return false;
		if (!line)
			break;
		if (!read_line(state, line, error))
			return false;
	}
	return true;
}

static bool check_lines(const struct state *state, struct rsb_error *error)
{
	const char *name = rsb_input_name(state->import->input);

	if (state->samples || state->flagged)
		return true;
	if (state->addressless)
		return rsb_error_set(error,
				     "%s: its branches have no addresses: expected perf "
				     "script with -F +ip,+addr,+flags",
				     name);
	return rsb_error_set(error,
			     "%s: no branches in it: expected perf script with -F ip,brstack "
			     "or --itrace=cre -F +flags",
			     name);
}

/* ---- notes ---- */

/* How more branches could be classified. */
static const char *remedy(const struct state *state)
{
	if (!state->code_missing)
		return "branches could not be classified: perf record -j any,save_type stores what "
		       "they are";
	if (!state->import->code)
		return "branches could not be classified; --image FILE would, and so does perf "
		       "record -j any,save_type";
	return "branches could not be classified: in no --image is their instruction at their "
	       "address";
}

static void write_notes(const struct state *state)
{
	const struct {
		uint64_t count;
		const char *text;
	} notes[] = {
		{ state->unclassified, remedy(state) },
		{ state->unplaced, "branches are at an address that perf does not know: gaps" },
		{ state->repeated, "branches are in two samples, and count once" },
		{ state->wrong_path, "branches on wrong paths are left out" },
	};
	struct rsb_trace_writer *writer = state->import->writer;

	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (notes[i].count)
			rsb_trace_write_about(
				writer, "note", "%" PRIu64 " of %" PRIu64 " %s", notes[i].count,
				state->found + state->repeated + state->wrong_path, notes[i].text);
	if (state->returns && !state->calls)
		rsb_trace_write_about(writer, "note",
				      "there are %" PRIu64
				      " returns but no calls: were they filtered out?",
				      state->returns);
	if (state->made_up)
		rsb_trace_write_about(writer, "note", "%s",
				      "the input has symbols only: the addresses are made up");
}

static void clear(struct state *state)
{
	struct thread *thread;

	for (size_t i = 0; state->threads && (thread = rsb_threads_at(state->threads, i)); i++)
		free(thread->before);
	rsb_threads_free(state->threads);
	rsb_perf_chains_free(state->chains);
	rsb_perf_symbols_free(state->symbols);
	rsb_traced_code_free(state->code);
	rsb_pending_free(state->pending);
	free(state->branches);
}

static bool run(const struct rsb_import *import, struct rsb_error *error)
{
	struct state state = {
		.import = import,
		.pending = rsb_pending_new(import),
		.code = rsb_traced_code_new(import),
		.symbols = rsb_perf_symbols_new(),
		.chains = rsb_perf_chains_new(),
		.threads = rsb_threads_new(sizeof(struct thread)),
		.branches = calloc(RSB_PERF_ENTRIES_MAX, sizeof(*state.branches)),
	};
	bool good;

	if (state.pending && state.code && state.symbols && state.chains && state.threads &&
	    state.branches)
		good = read_lines(&state, error) && check_lines(&state, error) &&
		       rsb_pending_end(state.pending, error);
	else
		good = rsb_error_set(error, "out of memory");
	if (good)
		write_notes(&state);
	clear(&state);
	return good;
}

const struct rsb_importer rsb_import_perf = {
	.name = "perf",
	.summary = "the text of perf script: branch stacks, or branches with flags",
	.arch = "",
	.run = run,
};
