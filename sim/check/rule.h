/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rule: a row that judges. To add one: one file here, with its row and its function, and its name
 * in sim/check/rules.c. An id is never used for another rule.
 */
#ifndef RSB_SIM_CHECK_RULE_H
#define RSB_SIM_CHECK_RULE_H

#include "sim/check/check.h"

struct rsb_judgement;

struct rsb_rule {
	const char *id;   /* "RSB002" */
	const char *name; /* "imbalance" */
	enum rsb_level level;
	const char *sentence;
	const char *meaning, *example, *cause, *cure; /* its page, a paragraph each */
	bool compares;                                /* judges against a base, and only then */

	/* Adds what it finds (sim/check/judgement.h). False: no memory. */
	bool (*judge)(struct rsb_judgement *judgement, struct rsb_error *error);
};

/* All rules, sorted by id, ended by NULL. */
const struct rsb_rule *const *rsb_rules(void);

/* By id or by name; capitals do not matter. NULL: error lists the nearest. */
const struct rsb_rule *rsb_rule_find(const char *text, struct rsb_error *error);

/* Its place among the rules. */
size_t rsb_rule_index(const struct rsb_rule *rule);

extern const struct rsb_rule rsb_rule_accounting;
extern const struct rsb_rule rsb_rule_callers;
extern const struct rsb_rule rsb_rule_expectation;
extern const struct rsb_rule rsb_rule_free_imbalance;
extern const struct rsb_rule rsb_rule_ibt;
extern const struct rsb_rule rsb_rule_imbalance;
extern const struct rsb_rule rsb_rule_intended;
extern const struct rsb_rule rsb_rule_miss_inside;
extern const struct rsb_rule rsb_rule_overflow;
extern const struct rsb_rule rsb_rule_shadow_stack;
extern const struct rsb_rule rsb_rule_underflow;
extern const struct rsb_rule rsb_rule_worse;

#endif
