/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of traces as text. */
#include "traces/text.h"

#include <string.h>

const struct rsb_word rsb_words_kind[] = {
	{ "call", RSB_CALL },
	{ "return", RSB_RETURN },
	{ "swap", RSB_SWAP },
	{ "jump", RSB_JUMP },
	{ "indirect-jump", RSB_JUMP_INDIRECT },
	{ "taken-branch", RSB_BRANCH_TAKEN },
	{ "not-taken-branch", RSB_BRANCH_NOT_TAKEN },
	{ "far-call", RSB_CALL_FAR },
	{ "far-return", RSB_RETURN_FAR },
	{ "syscall", RSB_SYSCALL },
	{ "sysret", RSB_SYSRET },
	{ "interrupt", RSB_INTERRUPT },
	{ "iret", RSB_IRET },
	{ "environment", RSB_ENVIRONMENT },
	{ "speculate", RSB_SPECULATE },
	{ "squash", RSB_SQUASH },
	{ "mark", RSB_MARK },
	{ NULL, 0 },
};

const struct rsb_word rsb_words_flag[] = {
	{ "indirect", RSB_SITE_INDIRECT },
	{ "zero-call", RSB_SITE_ZERO_CALL },
	{ NULL, 0 },
};

const struct rsb_word rsb_words_mitigation[] = {
	{ "for-jump", RSB_MITIGATION_JUMP },
	{ "for-return", RSB_MITIGATION_RETURN },
	{ "for-fill", RSB_MITIGATION_FILL },
	{ NULL, 0 },
};

const struct rsb_word rsb_words_verdict[] = {
	{ "hit", RSB_VERDICT_HIT },
	{ "miss", RSB_VERDICT_MISS },
	{ NULL, 0 },
};

static const struct rsb_word marks[] = {
	{ "round", RSB_MARK_ROUND },
	{ "traced-call", RSB_MARK_TRACED_CALL },
	{ "landing", RSB_MARK_LANDING },
	{ "gap", RSB_MARK_GAP },
	{ NULL, 0 },
};

static const struct rsb_word environments[] = {
	{ "clear", RSB_ENVIRONMENT_CLEAR },
	{ "fill", RSB_ENVIRONMENT_FILL },
	{ "ibpb", RSB_ENVIRONMENT_IBPB },
	{ "switch", RSB_ENVIRONMENT_SWITCH },
	{ "cr3", RSB_ENVIRONMENT_CR3 },
	{ "cr3-flush", RSB_ENVIRONMENT_CR3_FLUSH },
	{ NULL, 0 },
};

const struct rsb_word *rsb_words_detail(enum rsb_kind kind)
{
	if (kind == RSB_MARK)
		return marks;
	return kind == RSB_ENVIRONMENT ? environments : NULL;
}

const struct rsb_word *rsb_word_find(const struct rsb_word *words, const char *word, size_t length)
{
	for (; words && words->word; words++)
		if (strlen(words->word) == length && !strncmp(words->word, word, length))
			return words;
	return NULL;
}

const char *rsb_word_of(const struct rsb_word *words, unsigned value)
{
	for (; words && words->word; words++)
		if (words->value == value)
			return words->word;
	return "";
}
