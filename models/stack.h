/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine of the bounded return stacks: every policy that a real one is known to have, each a
 * parameter. The models "ring" and "checked" are this engine with different defaults. Facts about
 * processors named here are from their profiles in models/cpus/.
 */
#ifndef RSB_MODELS_STACK_H
#define RSB_MODELS_STACK_H

#include "models/indirect.h"
#include "models/model.h"

#define RSB_STACK_DEPTH_MAX     4096
#define RSB_STACK_IN_FLIGHT_MAX 64

/* The rows of the parameters; they stand in models/stack_rows.h. */
enum rsb_stack_row {
	RSB_STACK_DEPTH,
	RSB_STACK_DEPTH_SMT,
	RSB_STACK_SMT,
	RSB_STACK_OVERFLOW,
	RSB_STACK_UNDERFLOW,
	RSB_STACK_FIXED_TARGET,
	RSB_STACK_ZERO_CALL_PUSHES,
	RSB_STACK_MERGE,
	RSB_STACK_COUNTER_MAX,
	RSB_STACK_REPAIR,
	RSB_STACK_QUIRK,
	RSB_STACK_SPACING,
	RSB_STACK_IN_FLIGHT,
	RSB_STACK_IBPB_CLEARS,
	RSB_STACK_INDIRECT,
	RSB_STACK_INDIRECT_ENTRIES,
	RSB_STACK_ROWS,
};

/* The choices, in the order of their texts there. */
enum rsb_stack_overflow { RSB_OVERFLOW_OVERWRITE, RSB_OVERFLOW_CLEAR, RSB_OVERFLOW_REFUSE };
enum rsb_stack_underflow {
	RSB_UNDERFLOW_STALE,
	RSB_UNDERFLOW_NONE,
	RSB_UNDERFLOW_INDIRECT,
	RSB_UNDERFLOW_FIXED,
};
enum rsb_stack_repair {
	RSB_REPAIR_NONE,
	RSB_REPAIR_POINTER,
	RSB_REPAIR_POINTER_TOP,
	RSB_REPAIR_FULL,
};

struct rsb_stack_entry {
	uint64_t address;
	uint32_t pushed_by;
	uint32_t pushes; /* that it stands for; 0: it never held anything */
};

/* A call in flight: see models/stack_flight.h. */
struct rsb_stack_flight {
	uint64_t address;
	uint32_t pushed_by;
	uint32_t returns; /* made behind it, and before the next call */
	bool taken;       /* by a return */
};

/* What a squash may put back. */
struct rsb_stack_saved {
	uint32_t top, held;
	bool shifted;
	struct rsb_stack_entry newest;
	struct rsb_stack_entry *entries; /* under repair=full; else NULL */
};

struct rsb_stack {
	uint32_t depth;
	enum rsb_stack_overflow overflow;
	enum rsb_stack_underflow underflow;
	enum rsb_stack_repair repair;
	uint64_t fixed_target;
	uint32_t counter_max; /* 1: identical addresses are not merged */
	uint32_t spacing;
	bool zero_call_pushes, quirk, ibpb_clears;
	uint64_t overflow_rows, underflow_rows; /* exercised by a push that meets a full stack,
						   and by a pop that meets an empty one */

	struct rsb_stack_entry *entries;  /* depth of them; a pop leaves its entry there */
	uint32_t top;                     /* index of the newest */
	uint32_t held;                    /* entries that were pushed and not popped yet */
	bool shifted;                     /* quirk: the pointer is one too high */
	uint32_t wrong_paths;             /* open ones, one inside another */
	struct rsb_stack_saved saved;     /* when the outermost began */
	uint32_t in_flight;               /* calls that can be; 0: each pushes at once */
	struct rsb_stack_flight *flights; /* a ring of in_flight */
	uint32_t first, flying, untaken; /* the oldest's index; how many there are, and of them, how
					    many no return has taken */
	uint32_t below; /* of the entries held, the newest that returns in flight have taken */
	uint32_t shown; /* slot that the newest is shown in, while there can be calls in flight */
	struct rsb_indirect *indirect; /* NULL: none */
	uint64_t exercised;
	uint64_t *packed; /* depth of them: room for stack_run.c, not part of the state */
};

static inline uint64_t rsb_stack_row_bit(enum rsb_stack_row row)
{
	return UINT64_C(1) << row;
}

/*
 * An entry of its own for the address, unless the stack is full and refuses; and a return's pop,
 * whatever was predicted.
 */
void rsb_stack_enter(struct rsb_stack *stack, uint64_t address, uint32_t pushed_by);
void rsb_stack_pop(struct rsb_stack *stack);

/* The entry so far below the newest, which is less than the depth, whether or not it was popped. */
static inline const struct rsb_stack_entry *rsb_stack_entry_at(const struct rsb_stack *stack,
							       uint32_t below)
{
	uint32_t wrap = below > stack->top ? stack->depth : 0;

	return &stack->entries[stack->top + wrap - below];
}

/* The functions of struct rsb_model_type. */
void *rsb_stack_create(const int64_t *values, struct rsb_error *error);
void rsb_stack_destroy(void *state);
uint32_t rsb_stack_predicts(const int64_t *values);
struct rsb_prediction rsb_stack_predict(const void *state, const struct rsb_step *step);
void rsb_stack_update(void *state, const struct rsb_step *step, uint64_t target);
void *rsb_stack_checkpoint(const void *state);
bool rsb_stack_restore(void *state, const void *checkpoint);
bool rsb_stack_same(const void *a, const void *b, size_t depth);
uint64_t rsb_stack_exercised(const void *state);
size_t rsb_stack_slots(const void *state, struct rsb_slot *slots, size_t room, size_t *top);
void rsb_stack_replay(struct rsb_lane *lanes, size_t count, const struct rsb_batch *batch);

#define RSB_STACK_KINDS                                                               \
	(RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN) | RSB_KIND_BIT(RSB_SWAP) | \
	 RSB_KIND_BIT(RSB_JUMP_INDIRECT) | RSB_KIND_BIT(RSB_ENVIRONMENT) |            \
	 RSB_KIND_BIT(RSB_SPECULATE) | RSB_KIND_BIT(RSB_SQUASH))

/* Of these, what is predicted without and with an indirect predictor. */
#define RSB_STACK_RETURNS (RSB_KIND_BIT(RSB_RETURN) | RSB_KIND_BIT(RSB_SWAP))
#define RSB_STACK_PREDICTS \
	(RSB_STACK_RETURNS | RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_JUMP_INDIRECT))

/* The rest of a row of struct rsb_model_type. */
#define RSB_STACK_TYPE                                                                          \
	.version = RSB_MODEL_VERSION, .kinds = RSB_STACK_KINDS, .predicts = RSB_STACK_PREDICTS, \
	.create = rsb_stack_create, .destroy = rsb_stack_destroy,                               \
	.predicts_with = rsb_stack_predicts, .predict = rsb_stack_predict,                      \
	.update = rsb_stack_update, .checkpoint = rsb_stack_checkpoint,                         \
	.restore = rsb_stack_restore, .same = rsb_stack_same, .exercised = rsb_stack_exercised, \
	.replay = rsb_stack_replay, .slots = rsb_stack_slots

#endif
