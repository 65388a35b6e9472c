/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a rule judges, and how it says what it found. */
#ifndef RSB_SIM_CHECK_JUDGEMENT_H
#define RSB_SIM_CHECK_JUDGEMENT_H

#include "sim/check/rule.h"
#include "sim/explain/explain.h"
#include "sim/explain/ibt.h"
#include "sim/explain/shadow.h"
#include "sim/score/score.h"

struct rsb_judgement {
	const struct rsb_layout *layout;
	const struct rsb_image *image;
	const struct rsb_run *run;
	const struct rsb_profile *profile;
	const struct rsb_scenario *scenario;
	const struct rsb_score *score;
	const struct rsb_explanation *explanation;
	const struct rsb_shadow_verdict *shadow; /* NULL: the layout does not ask for it */
	const struct rsb_ibt_verdict *ibt;       /* the same */

	bool altered; /* as rsb_check_options */

	/* The rule that judges now, at its level, and the case that its results go to. */
	const struct rsb_rule *rule;
	enum rsb_level level;
	struct rsb_check_case *into;
};

/*
 * Adds a result at an instruction (NULL, or without a symbol: nowhere in particular; then subject
 * says what it is about). NULL: no memory. What is returned is valid until the next is added.
 */
struct rsb_check_result *rsb_judgement_add(struct rsb_judgement *judgement,
					   const struct rsb_instruction *at, const char *subject,
					   struct rsb_error *error, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Adds a step to how a result came to be. False: no memory. */
bool rsb_judgement_step(struct rsb_check_result *result, const struct rsb_instruction *at,
			struct rsb_error *error, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Under which rule a finding of the explanation falls: exactly one: each is reported once. */
enum rsb_judged_as {
	RSB_JUDGED_NOTHING, /* it costs nothing and leaves nothing */
	RSB_JUDGED_INTENDED,
	RSB_JUDGED_OVERFLOW,
	RSB_JUDGED_UNDERFLOW,
	RSB_JUDGED_IMBALANCE,
	RSB_JUDGED_FREE_IMBALANCE,
	RSB_JUDGED_CALLERS,
	RSB_JUDGED_INSIDE,
};

enum rsb_judged_as rsb_judged_as(const struct rsb_judgement *judgement,
				 const struct rsb_finding *finding);

/* Adds a result for a finding, with its chain; its message ends with more. NULL: no memory. */
struct rsb_check_result *rsb_judgement_add_finding(struct rsb_judgement *judgement,
						   const struct rsb_finding *finding,
						   const char *more, struct rsb_error *error);

/* Adds one for each finding that falls under this. False: no memory. */
bool rsb_judgement_findings(struct rsb_judgement *judgement, enum rsb_judged_as as,
			    struct rsb_error *error);

/* Does the layout state each figure that a finding costs? It is then what its author accepts. */
bool rsb_judgement_expected(const struct rsb_judgement *judgement,
			    const struct rsb_finding *finding);

/* Of one that it states in part: says which part, and which not. Else "". */
void rsb_judgement_partly(const struct rsb_judgement *judgement, const struct rsb_finding *finding,
			  char *out, size_t size);

/* Is a figure other than 0? Averages over a period are sums of fractions. */
bool rsb_figure_is(double value);

#endif
