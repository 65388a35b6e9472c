/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a query. */
#include "sim/lesson/query.h"

#include "sim/lesson/asks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The next word of a line, which is cut off there; commas separate too. NULL: there is none. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " ,");
	size_t length = strcspn(word, " ,");

	if (!length)
		return NULL;
	*rest = word + length;
	if (**rest)
		*(*rest)++ = '\0';
	return word;
}

static bool take_count(unsigned *out, const char *word, unsigned maximum, struct rsb_error *error)
{
	char *end;
	unsigned long value = strtoul(word, &end, 10);

	if (!isdigit((unsigned char)*word) || *end || value > maximum)
		return rsb_error_set(error, "expected a number up to %u, found '%s'", maximum,
				     word);
	*out = (unsigned)value;
	return true;
}

static bool take_scenario(struct rsb_query *query, const char *word, struct rsb_error *error)
{
	if (!strcmp(word, "bench"))
		query->scenario = RSB_SCENARIO_BENCH;
	else if (!strcmp(word, "unwind"))
		query->scenario = RSB_SCENARIO_UNWIND;
	else
		return rsb_error_set(error, "expected bench or unwind, found '%s'", word);
	return true;
}

static bool take_setting(struct rsb_query *query, const char *word, struct rsb_error *error)
{
	size_t count = 0;

	while (query->settings[count])
		count++;
	if (count == RSB_QUERY_SETTINGS_MAX || !strchr(word, '='))
		return rsb_error_set(error, "expected name=value, at most %d, found '%s'",
				     RSB_QUERY_SETTINGS_MAX, word);
	query->settings[count] = word;
	return true;
}

/* What follows a word that says how. */
static bool take_how(struct rsb_query *query, const char *how, const char *word,
		     struct rsb_error *error)
{
	struct rsb_scenario *scenario = &query->scenario;

	if (!strcmp(how, "with"))
		return take_setting(query, word, error);
	if (!strcmp(how, "on")) {
		query->cpu = word;
		return true;
	}
	if (!strcmp(how, "by")) {
		query->return_thunk = word;
		return true;
	}
	query->scenario_given = true;
	if (!strcmp(how, "in"))
		return take_scenario(query, word, error);
	scenario->name = "own";
	if (!strcmp(how, "below"))
		return take_count(&scenario->depth, word, RSB_DEPTH_MAX, error);
	return take_count(&scenario->batch, word, RSB_BATCH_MAX, error) &&
	       rsb_scenario_check(scenario, error);
}

static bool is_how(const char *word)
{
	static const char *const words[] = { "on", "by", "with", "in", "below", "times" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static bool take_subject(struct rsb_query *query, const char *word, struct rsb_error *error)
{
	size_t count = 0;

	while (query->subjects[count])
		count++;
	if (count == RSB_QUERY_SUBJECTS_MAX)
		return rsb_error_set(error, "expected at most %d names", RSB_QUERY_SUBJECTS_MAX);
	query->subjects[count] = word;
	return true;
}

/* One word each, but for settings, of which more may follow. */
static bool take_word(struct rsb_query *query, const char *how, bool begun, const char *word,
		      struct rsb_error *error)
{
	if (!how)
		return take_subject(query, word, error);
	if (!begun || !strcmp(how, "with"))
		return take_how(query, how, word, error);
	return rsb_error_set(error, "expected on, with, by, in, below or times, found '%s'", word);
}

bool rsb_query_parse_rest(struct rsb_query *query, const char *figure, char *rest,
			  struct rsb_error *error)
{
	const char *how = NULL;
	bool begun = false;

	*query = (struct rsb_query){ .figure = figure, .scenario = RSB_SCENARIO_UNWIND };
	query->asks = rsb_query_asks_find(query->figure, error);
	if (!query->asks)
		return false;
	for (const char *word = next_word(&rest); word; word = next_word(&rest)) {
		if (is_how(word) && (begun || !how)) {
			how = word;
			begun = false;
			continue;
		}
		if (!take_word(query, how, begun, word, error))
			return false;
		begun = true;
	}
	if (how && !begun)
		return rsb_error_set(error, "expected a word after \"%s\"", how);
	return rsb_query_asks_check(query, error);
}

bool rsb_query_parse(struct rsb_query *query, char *line, struct rsb_error *error)
{
	char *first, *second, *third;

	*query = (struct rsb_query){ .figure = NULL };
	first = next_word(&line);
	second = first ? next_word(&line) : NULL;
	if (!second)
		return rsb_error_set(error, "expected FIGURE of LAYOUT, or NAME + NAME");
	if (!strcmp(second, "of"))
		return rsb_query_parse_rest(query, first, line, error);
	third = next_word(&line);
	if (!third || (strcmp(second, "+") && strcmp(second, "-")) || next_word(&line))
		return rsb_error_set(error,
				     "expected FIGURE of LAYOUT, or NAME + NAME, found '%s' after "
				     "'%s'",
				     second, first);
	query->left = first;
	query->right = third;
	query->minus = *second == '-';
	return true;
}
