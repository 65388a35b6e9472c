/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of rules. */
#include "sim/check/rule.h"

#include "traces/util/suggest.h"

#include <strings.h>

/* To add one: one line, sorted by id. */
static const struct rsb_rule *const rules[] = {
	&rsb_rule_miss_inside,
	&rsb_rule_imbalance,
	&rsb_rule_callers,
	&rsb_rule_overflow,
	&rsb_rule_underflow,
	&rsb_rule_shadow_stack,
	&rsb_rule_ibt,
	&rsb_rule_accounting,
	&rsb_rule_expectation,
	&rsb_rule_intended,
	&rsb_rule_free_imbalance,
	&rsb_rule_worse,
	NULL,
};

_Static_assert(sizeof(rules) / sizeof(*rules) - 1 <= RSB_RULES_MAX, "RSB_RULES_MAX");

const struct rsb_rule *const *rsb_rules(void)
{
	return rules;
}

const struct rsb_rule *rsb_rule_find(const char *text, struct rsb_error *error)
{
	const char *known[2 * RSB_RULES_MAX + 1] = { NULL };
	char nearest[256];

	for (size_t i = 0; rules[i]; i++) {
		if (!strcasecmp(text, rules[i]->id) || !strcasecmp(text, rules[i]->name))
			return rules[i];
		known[2 * i] = rules[i]->id;
		known[2 * i + 1] = rules[i]->name;
	}
	rsb_suggest(text, known, nearest, sizeof(nearest));
	return rsb_error_null(error, "unknown rule '%s': expected %s", text,
			      *nearest ? nearest : "an id, such as RSB001, or a name");
}

size_t rsb_rule_index(const struct rsb_rule *rule)
{
	size_t index = 0;

	while (rules[index] != rule)
		index++;
	return index;
}

void rsb_check_levels(enum rsb_level levels[RSB_RULES_MAX])
{
	for (size_t i = 0; i < RSB_RULES_MAX; i++)
		levels[i] = RSB_LEVEL_OFF;
	for (size_t i = 0; rules[i]; i++)
		levels[i] = rules[i]->level;
}
