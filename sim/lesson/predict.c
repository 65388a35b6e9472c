/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was predicted, and whether that is right. */
#include "sim/lesson/given.h"

#include "traces/util/clean.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NEAR 0.0051 /* numbers are shown with two decimals */

/* The text without the spaces around it. */
static void trim(char *out, size_t size, const char *text)
{
	size_t length;

	text += strspn(text, " \t\r\n");
	length = strlen(text);
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), text);
	rsb_clean(out);
}

/* What is below 0 only in sums and in these figures: rsbsim(1). */
static bool is_signed(const struct rsb_query *query)
{
	return !query->asks || !strncmp(query->figure, "balance", strlen("balance")) ||
	       !strcmp(query->figure, "headroom");
}

static bool predict_number(struct rsb_given_block *question, struct rsb_error *error)
{
	char *end;
	double number = strtod(question->prediction, &end);

	if (end == question->prediction || *end || !isfinite(number))
		return rsb_error_set(error, "expected a number, found '%s'", question->prediction);
	if (number < 0 && !is_signed(&question->block->answer->query))
		return rsb_error_set(error, "expected a number from 0, found '%s'",
				     question->prediction);
	question->is_right = fabs(number - question->right.number) < NEAR;
	return true;
}

/* The words of a choice, up to what explains them. */
static size_t words(const char *choice)
{
	return strcspn(choice, ":");
}

static bool predict_choice(struct rsb_given_block *question, struct rsb_error *error)
{
	const char *text = question->prediction;
	int count = 0, chosen = -1;

	for (; question->choices[count]; count++) {
		const char *choice = question->choices[count];

		if (!strcasecmp(text, choice) ||
		    (strlen(text) == words(choice) && !strncasecmp(text, choice, words(choice))))
			chosen = count;
	}
	if (chosen < 0 && text[0] && !text[1])
		chosen = tolower((unsigned char)*text) - 'a';
	if (chosen < 0 || chosen >= count)
		return rsb_error_set(error, "expected a letter from a to %c, found '%s'",
				     'a' + count - 1, text);
	/* As a file keeps it: words stay what they are when choices are moved. */
	snprintf(question->prediction, sizeof(question->prediction), "%.*s",
		 (int)words(question->choices[chosen]), question->choices[chosen]);
	question->is_right = chosen == question->right_choice;
	return true;
}

/* Counted anew: a question may have been answered before. */
static void count(struct rsb_given *given)
{
	given->predicted = given->right = 0;
	for (size_t i = 0; i < given->count; i++) {
		given->predicted += *given->blocks[i].prediction != '\0';
		given->right += given->blocks[i].is_right;
	}
}

bool rsb_given_predict(struct rsb_given *given, struct rsb_given_block *question,
		       const char *prediction, struct rsb_error *error)
{
	bool good = true;

	trim(question->prediction, sizeof(question->prediction), prediction);
	question->is_right = false;
	if (*question->prediction)
		good = question->right_choice < 0 ? predict_number(question, error)
						  : predict_choice(question, error);
	count(given);
	return good;
}
