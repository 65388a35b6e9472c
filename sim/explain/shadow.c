/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shadow stack's verdict, and the sentence that tells it. */
#include "sim/explain/shadow.h"

#include "sim/explain/again.h"
#include "sim/explain/place.h"
#include "sim/explain/refusals.h"
#include "sim/machine/shadow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORY_SIZE 2048

#define KERNEL_HALF UINT64_C(0xffff800000000000) /* addresses from here on are the kernel's */

const char *rsb_shadow_answer_name(enum rsb_shadow_answer answer)
{
	static const char *const names[] = {
		[RSB_SHADOW_CLEAN] = "clean",
		[RSB_SHADOW_LEAVES] = "leaves entries",
		[RSB_SHADOW_VIOLATES] = "violates",
		[RSB_SHADOW_UNJUDGED] = "not judged",
	};

	return names[answer];
}

/* A return above what was left behind finds it; that is no fault of its own. */
static enum rsb_shadow_answer find_answer(const struct rsb_shadow_tally *tally)
{
	if (!tally->faults_inside && tally->left > 0)
		return RSB_SHADOW_LEAVES;
	return tally->faults ? RSB_SHADOW_VIOLATES : RSB_SHADOW_CLEAN;
}

/* Documentation/arch/x86/shstk.rst, Linux 6.12: only user space has shadow stacks. */
static const char *find_note(const struct rsb_image *image)
{
	struct rsb_error ignored;
	uint64_t entry;

	if (rsb_image_find(image, "rsb_traced_call", &entry, &ignored) && entry >= KERNEL_HALF)
		return "Linux has none in the kernel: judged as if it had";
	if (!(rsb_image_cet(image) & RSB_CET_SHADOW_STACK))
		return "the layout has none: judged as if it had";
	return "";
}

/* What the first fault is, after the instruction. */
static void write_fault(char *out, size_t size, const struct rsb_shadow_fault *fault,
			const struct rsb_shadow_verdict *verdict)
{
	switch (fault->kind) {
	case RSB_SHADOW_FAULT_RETURN:
		snprintf(out, size, "returns to %s, where the shadow stack has %s",
			 verdict->actual.symbol, verdict->expected.symbol);
		break;
	case RSB_SHADOW_FAULT_EMPTY:
		snprintf(out, size, "returns to %s, and the shadow stack is empty",
			 verdict->actual.symbol);
		break;
	case RSB_SHADOW_FAULT_RESTORE:
		snprintf(out, size, "is given 0x%llx, which is no restore token",
			 (unsigned long long)fault->actual);
		break;
	case RSB_SHADOW_FAULT_PREVIOUS:
		snprintf(out, size, "finds 0x%llx, which is no token of a switch",
			 (unsigned long long)fault->actual);
		break;
	case RSB_SHADOW_FAULT_SEGMENT:
		snprintf(out, size,
			 "returns to code segment 0x%llx, where the shadow stack has 0x%llx",
			 (unsigned long long)fault->actual, (unsigned long long)fault->expected);
		break;
	case RSB_SHADOW_FAULT_ALIGNED:
		snprintf(out, size, "finds 0x%llx, which no pointer of the shadow stack's can be",
			 (unsigned long long)fault->actual);
		break;
	case RSB_SHADOW_FAULT_NONE:
		break;
	}
}

static char *tell(const struct rsb_image *image, const struct rsb_shadow_tally *tally,
		  const struct rsb_shadow_verdict *verdict)
{
	char story[STORY_SIZE], what[STORY_SIZE / 2] = "", first[STORY_SIZE] = "";
	const struct rsb_instruction *at = &verdict->instruction;

	write_fault(what, sizeof(what), &tally->first, verdict);
	if (at->symbol)
		snprintf(first, sizeof(first), "`%s` at %s %s", at->text, at->symbol, what);
	switch (verdict->answer) {
	case RSB_SHADOW_CLEAN:
		return strdup(rsb_image_system(image)
				      ? "each return outside the kernel goes where its call was "
					"made; what runs there is not judged"
				      : "each return goes where its call was made");
	case RSB_SHADOW_LEAVES:
		snprintf(story, sizeof(story),
			 "a traced call leaves %g entr%s on the shadow stack%s%.1900s",
			 verdict->left, verdict->left == 1 ? "y" : "ies",
			 first[0] ? ": later " : "", first);
		return strdup(story);
	default:
		return strdup(first);
	}
}

static bool name_fault(const struct rsb_namer *namer, const struct rsb_shadow_fault *fault,
		       struct rsb_shadow_verdict *verdict)
{
	if (fault->kind == RSB_SHADOW_FAULT_NONE)
		return true;
	verdict->inside = fault->inside;
	verdict->mitigation = rsb_image_mitigation(namer->image, fault->pc);
	return rsb_place_instruction(namer, fault->pc, &verdict->instruction) &&
	       rsb_place_address(namer, fault->actual, &verdict->actual) &&
	       (fault->kind != RSB_SHADOW_FAULT_RETURN ||
		rsb_place_address(namer, fault->expected, &verdict->expected));
}

/* Puts what the run gave into words. False: error. */
static bool conclude(const struct rsb_image *image, const struct rsb_shadow_tally *tally,
		     struct rsb_shadow_verdict *verdict, struct rsb_error *error)
{
	struct rsb_namer namer = { .image = image };
	bool good;

	verdict->answer = find_answer(tally);
	verdict->violations = tally->faults;
	verdict->note = find_note(image);
	if (verdict->traced_calls)
		verdict->left = (double)tally->left / (double)verdict->traced_calls;
	good = rsb_disassembler_open(&namer.disassembler) &&
	       name_fault(&namer, &tally->first, verdict) &&
	       (verdict->story = tell(image, tally, verdict));
	rsb_disassembler_close(&namer.disassembler);
	return good || rsb_error_set(error, "out of memory");
}

/* The run of an image without shadow stacks does not tell whether there is one with them. */
static bool leave_unjudged(const struct rsb_image *image, struct rsb_shadow_verdict *verdict,
			   struct rsb_error *error)
{
	*verdict = (struct rsb_shadow_verdict){
		.answer = RSB_SHADOW_UNJUDGED,
		.story = strdup(error->text),
		.note = find_note(image),
	};
	return verdict->story || rsb_error_set(error, "out of memory");
}

/* The run, and who wants to know each refusal. */
struct watch {
	struct rsb_again again;
	struct rsb_refusals *refusals;
};

static void on_return(void *context, uint64_t pc, const struct rsb_shadow_fault *fault)
{
	struct watch *watch = context;
	struct rsb_refusal refusal;

	if (fault)
		refusal = (struct rsb_refusal){ .why = (uint8_t)fault->kind,
						.expected = fault->expected };
	rsb_refusals_see(watch->refusals, watch->again.rounds, pc, fault ? &refusal : NULL);
}

static bool judge(const struct rsb_image *image, const struct rsb_run *run,
		  struct rsb_shadow_verdict *verdict, struct rsb_refusals *refusals,
		  struct rsb_error *error)
{
	struct watch watch = { .refusals = refusals };
	const struct rsb_watcher watcher = { .returned = on_return, .context = &watch };
	struct rsb_shadow_tally tally;

	if (!rsb_again_run(&watch.again, image, run, true, refusals ? &watcher : NULL, error)) {
		if (refusals)
			rsb_refusals_clear(refusals);
		return !(rsb_image_cet(image) & RSB_CET_SHADOW_STACK) &&
		       leave_unjudged(image, verdict, error);
	}
	tally = rsb_machine_shadow(watch.again.machine);
	*verdict = (struct rsb_shadow_verdict){
		.rounds = watch.again.rounds,
		.traced_calls = watch.again.traced_calls,
	};
	rsb_again_close(&watch.again);
	if (refusals && !rsb_refusals_end(refusals, run))
		return rsb_error_set(error, "out of memory");
	if (conclude(image, &tally, verdict, error))
		return true;
	rsb_shadow_verdict_clear(verdict);
	return false;
}

bool rsb_shadow_judge(const struct rsb_image *image, const struct rsb_run *run,
		      struct rsb_shadow_verdict *verdict, struct rsb_error *error)
{
	return judge(image, run, verdict, NULL, error);
}

bool rsb_shadow_judge_each(const struct rsb_image *image, const struct rsb_run *run,
			   struct rsb_shadow_verdict *verdict, struct rsb_refusals *refusals,
			   struct rsb_error *error)
{
	return judge(image, run, verdict, refusals, error);
}

void rsb_shadow_verdict_clear(struct rsb_shadow_verdict *verdict)
{
	rsb_place_clear(&verdict->instruction);
	free(verdict->expected.symbol);
	free(verdict->actual.symbol);
	free(verdict->story);
	*verdict = (struct rsb_shadow_verdict){ 0 };
}
