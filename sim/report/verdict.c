/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdicts of shadow stacks and of indirect branch tracking, in words and for scripts. */
#include "sim/report/verdict.h"

#include "sim/explain/ibt.h"
#include "sim/explain/shadow.h"
#include "sim/report/json.h"

#include <stdio.h>

void rsb_shadow_phrase(const struct rsb_explanation *explanation, char out[RSB_PHRASE_SIZE])
{
	const struct rsb_shadow_verdict *verdict = explanation->shadow;

	out[0] = '\0';
	if (!verdict)
		return;
	snprintf(out, RSB_PHRASE_SIZE, "%s: %.800s%s%s%s", rsb_shadow_answer_name(verdict->answer),
		 verdict->story, *verdict->note ? " (" : "", verdict->note,
		 *verdict->note ? ")" : "");
}

void rsb_ibt_phrase(const struct rsb_explanation *explanation, char out[RSB_PHRASE_SIZE])
{
	const struct rsb_ibt_verdict *verdict = explanation->ibt;

	out[0] = '\0';
	if (verdict && verdict->on)
		snprintf(out, RSB_PHRASE_SIZE, "%s: %s", verdict->clean ? "clean" : "violates",
			 verdict->story);
}

static const char *mitigation_name(enum rsb_mitigation mitigation)
{
	static const char *const names[] = {
		[RSB_MITIGATION_NONE] = NULL,
		[RSB_MITIGATION_JUMP] = "jump",
		[RSB_MITIGATION_RETURN] = "return",
		[RSB_MITIGATION_FILL] = "fill",
	};

	return names[mitigation];
}

static bool add_shadow(cJSON *to, const struct rsb_shadow_verdict *verdict)
{
	cJSON *object;

	if (!verdict)
		return rsb_add_item(to, "shadow_stack", cJSON_CreateNull());
	object = rsb_add_object(to, "shadow_stack");
	return rsb_add_text(object, "answer", rsb_shadow_answer_name(verdict->answer)) &&
	       rsb_add_text(object, "story", verdict->story) &&
	       rsb_add_instruction(object, "instruction", &verdict->instruction) &&
	       rsb_add_named(object, "expected", &verdict->expected) &&
	       rsb_add_named(object, "actual", &verdict->actual) &&
	       rsb_add_switch(object, "inside", verdict->inside) &&
	       rsb_add_text(object, "mitigation", mitigation_name(verdict->mitigation)) &&
	       rsb_add_number(object, "left", verdict->left) &&
	       rsb_add_integer(object, "violations", verdict->violations) &&
	       rsb_add_integer(object, "rounds", verdict->rounds) &&
	       rsb_add_integer(object, "traced_calls", verdict->traced_calls) &&
	       rsb_add_text(object, "note", *verdict->note ? verdict->note : NULL);
}

static bool add_ibt(cJSON *to, const struct rsb_ibt_verdict *verdict)
{
	cJSON *object;

	if (!verdict || !verdict->on)
		return rsb_add_item(to, "ibt", cJSON_CreateNull());
	object = rsb_add_object(to, "ibt");
	return rsb_add_switch(object, "clean", verdict->clean) &&
	       rsb_add_text(object, "story", verdict->story) &&
	       rsb_add_instruction(object, "branch", &verdict->branch) &&
	       rsb_add_instruction(object, "landed", &verdict->landed) &&
	       rsb_add_integer(object, "violations", verdict->violations) &&
	       rsb_add_integer(object, "tracked", verdict->tracked) &&
	       rsb_add_integer(object, "untracked", verdict->untracked) &&
	       rsb_add_integer(object, "rounds", verdict->rounds);
}

bool rsb_add_verdicts(cJSON *to, const struct rsb_explanation *explanation)
{
	return add_shadow(to, explanation->shadow) && add_ibt(to, explanation->ibt);
}
