/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiments: the round around each, and the list of them. */
#include "sim/native/experiment.h"

#include "sim/generate/x86.h"

static const struct {
	const char *name;
	rsb_experiment_emit *emit;
} rows[RSB_EXPERIMENTS] = {
	[RSB_EXPERIMENT_CHAIN] = { "chain", rsb_experiment_chain },
	[RSB_EXPERIMENT_FENCED] = { "fenced", rsb_experiment_fenced },
	[RSB_EXPERIMENT_SHARED] = { "shared", rsb_experiment_shared },
	[RSB_EXPERIMENT_RANDOM] = { "random", rsb_experiment_random },
	[RSB_EXPERIMENT_BOUNCE] = { "bounce", rsb_experiment_bounce },
	[RSB_EXPERIMENT_LEAVES] = { "leaves", rsb_experiment_leaves },
	[RSB_EXPERIMENT_LONG] = { "long", rsb_experiment_long },
	[RSB_EXPERIMENT_CALLS] = { "calls", rsb_experiment_calls },
	[RSB_EXPERIMENT_RETURNS] = { "returns", rsb_experiment_returns },
	[RSB_EXPERIMENT_FLAT] = { "flat", rsb_experiment_flat },
	[RSB_EXPERIMENT_ZERO] = { "zero", rsb_experiment_zero },
	[RSB_EXPERIMENT_REWRITTEN] = { "rewritten", rsb_experiment_rewritten },
	[RSB_EXPERIMENT_SYSCALL] = { "syscall", rsb_experiment_syscall },
};

const char *rsb_experiment_name(enum rsb_experiment_kind kind)
{
	return rows[kind].name;
}

bool rsb_experiment_takes_time(enum rsb_experiment_kind kind)
{
	return kind == RSB_EXPERIMENT_LONG;
}

/* What the ABI wants kept; and one push more makes the stack pointer a multiple of 16. */
static const enum rsb_x86_register saved[] = {
	RSB_RBX, RSB_RBP, RSB_R12, RSB_R13, RSB_R14, RSB_R15
};
#define SAVED (sizeof(saved) / sizeof(*saved))

static void emit_round(struct rsb_code *code)
{
	rsb_code_function(code, "rsb_round");
	for (size_t i = 0; i < SAVED; i++)
		rsb_x86_push(code, saved[i]);
	rsb_x86_push(code, RSB_RAX);
	rsb_code_place(code, rsb_code_named(code, "rsb_traced_call"));
	rsb_x86_call_bare(code, rsb_code_named(code, "body"));
	rsb_code_place(code, rsb_code_named(code, "rsb_landing"));
	rsb_x86_pop(code, RSB_RCX);
	for (size_t i = SAVED; i-- > 0;)
		rsb_x86_pop(code, saved[i]);
	rsb_x86_ret(code);
}

/* In the simulator a system call does nothing unless it is said to. */
static const struct rsb_incident getppid = { .kind = RSB_INCIDENT_SYSCALL, .every = 1 };

struct rsb_image *rsb_experiment_image(enum rsb_experiment_kind kind, unsigned a, unsigned b,
				       bool twin, struct rsb_error *error)
{
	const struct rsb_forms forms = { .returns = { .jump = twin } };
	struct rsb_image *image = rsb_image_new();
	struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);
	bool good = image && code;

	if (good) {
		rsb_code_set_forms(code, &forms);
		emit_round(code);
		rows[kind].emit(code, a, b);
		good = rsb_code_finish(code, image, error);
		if (kind == RSB_EXPERIMENT_SYSCALL)
			rsb_image_add_incident(image, &getppid);
	} else {
		rsb_error_set(error, "out of memory");
	}
	rsb_code_free(code);
	if (good)
		return image;
	rsb_image_free(image);
	return NULL;
}
