/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following threads from instruction to instruction. */
#include "traces/import/flow.h"

#include <inttypes.h>

bool rsb_flows_thread(struct rsb_flows *flows, uint64_t thread, struct rsb_error *error)
{
	flows->flow = rsb_threads_find(flows->threads, thread, error);
	flows->thread = thread;
	return flows->flow;
}

static bool write_found(const struct rsb_flows *flows, const struct rsb_found *found,
			struct rsb_error *error)
{
	rsb_trace_write_thread(flows->import->writer, flows->thread);
	return rsb_found_write(flows->import, found, NULL, error);
}

static bool write_gap(const struct rsb_flows *flows, struct rsb_error *error)
{
	rsb_trace_write_thread(flows->import->writer, flows->thread);
	return rsb_found_gap(flows->import, error);
}

/* The branch that waits went to target. */
static bool finish_branch(struct rsb_flows *flows, uint64_t target, struct rsb_error *error)
{
	struct rsb_flow *flow = flows->flow;

	flow->branches = false;
	flow->branch.target = target;
	if (flow->conditional && target == flow->branch.pc + flow->branch.length)
		flow->branch.kind = RSB_BRANCH_NOT_TAKEN;
	return write_found(flows, &flow->branch, error);
}

/* Nothing tells where the branch went. What a call pushed is known all the same. */
static bool lose_branch(struct rsb_flows *flows, struct rsb_error *error)
{
	struct rsb_flow *flow = flows->flow;

	if (!flow->branches)
		return true;
	flow->branches = false;
	flows->lost++;
	if (flow->branch.kind == RSB_RETURN)
		return write_gap(flows, error);
	return flow->branch.kind != RSB_CALL || write_found(flows, &flow->branch, error);
}

/* The thread is at pc: what has been waiting for that can be written. */
static bool arrive(struct rsb_flows *flows, uint64_t pc, struct rsb_error *error)
{
	struct rsb_flow *flow = flows->flow;

	if (flow->branches) {
		if (!finish_branch(flows, pc, error))
			return false;
	} else if (flow->restarts || (flow->follows && flow->next != pc)) {
		flows->gaps += !flow->restarts;
		flow->restarts = false;
		if (!write_gap(flows, error))
			return false;
	}
	if (!flow->enters)
		return true;
	flow->enters = false;
	flow->entrance.target = pc;
	return write_found(flows, &flow->entrance, error);
}

bool rsb_flow_step(struct rsb_flows *flows, uint64_t pc, uint8_t length, struct rsb_error *error)
{
	struct rsb_flow *flow = flows->flow;

	if (!arrive(flows, pc, error))
		return false;
	rsb_trace_write_thread(flows->import->writer, flows->thread);
	rsb_trace_write_instructions(flows->import->writer, 1);
	flow->pc = pc;
	flow->length = length;
	flow->next = pc + length;
	flow->follows = true;
	return true;
}

bool rsb_flow_branch(struct rsb_flows *flows, enum rsb_kind kind, uint8_t flags, bool conditional,
		     const uint64_t *target, struct rsb_error *error)
{
	struct rsb_flow *flow = flows->flow;

	flow->branch = (struct rsb_found){
		.pc = flow->pc, .length = flow->length, .kind = (uint8_t)kind, .flags = flags
	};
	flow->branches = true;
	flow->conditional = conditional;
	if (!target)
		return true;
	flow->next = *target;
	return finish_branch(flows, *target, error);
}

bool rsb_flow_enter(struct rsb_flows *flows, enum rsb_kind kind, uint64_t pc,
		    const uint64_t *resumed, struct rsb_error *error)
{
	struct rsb_flow *flow = flows->flow;

	if (flow->branches && resumed && !finish_branch(flows, *resumed, error))
		return false;
	if (!rsb_flow_break(flows, error))
		return false;
	flow->enters = true;
	flow->entrance = (struct rsb_found){ .kind = (uint8_t)kind, .pc = pc };
	return true;
}

bool rsb_flow_break(struct rsb_flows *flows, struct rsb_error *error)
{
	flows->flow->follows = flows->flow->enters = false;
	return lose_branch(flows, error);
}

bool rsb_flow_gap(struct rsb_flows *flows, struct rsb_error *error)
{
	return rsb_flow_break(flows, error) && write_gap(flows, error);
}

bool rsb_flow_end(struct rsb_flows *flows, struct rsb_error *error)
{
	if (!rsb_flow_break(flows, error))
		return false;
	flows->flow->restarts = true;
	return true;
}

void rsb_flows_note(const struct rsb_flows *flows)
{
	struct rsb_trace_writer *writer = flows->import->writer;

	if (flows->gaps)
		rsb_trace_write_about(writer, "note",
				      "%" PRIu64
				      " times a thread went on elsewhere without a branch: gaps",
				      flows->gaps);
	if (flows->lost)
		rsb_trace_write_about(writer, "note", "where %" PRIu64 " branches went is not told",
				      flows->lost);
}
