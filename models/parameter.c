/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters: finding a row, and turning its value into text and back. */
#include "models/parameter.h"

#include "traces/util/suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rsb_parameter_is_switch(const struct rsb_parameter *row)
{
	return row->choices && !strcmp(row->choices, "false|true");
}

int rsb_parameter_find(const struct rsb_parameter *rows, const char *name)
{
	for (int i = 0; rows[i].name; i++)
		if (!strcmp(rows[i].name, name))
			return i;
	return -1;
}

void rsb_parameter_defaults(const struct rsb_parameter *rows, int64_t *values)
{
	memset(values, 0, RSB_PARAMETERS_MAX * sizeof(*values));
	for (int i = 0; rows[i].name; i++)
		values[i] = rows[i].value;
}

/* The index of text among "a|b|c", or -1. */
static int64_t find_choice(const char *choices, const char *text)
{
	size_t length = strlen(text);
	int64_t index = 0;

	for (const char *at = choices;; at++, index++) {
		size_t size = strcspn(at, "|");

		if (size == length && !memcmp(at, text, size))
			return index;
		at += size;
		if (!*at)
			return -1;
	}
}

/* Decimal or 0x...; nothing before or after it. */
static bool read_number(const char *text, int64_t *out)
{
	const char *digits = text + (*text == '-');
	bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	char *end;

	if (*digits < '0' || *digits > '9')
		return false;
	errno = 0;
	*out = strtoll(text, &end, hex ? 16 : 10);
	return !errno && !*end;
}

static bool refuse_unknown(const struct rsb_parameter *rows, const char *name,
			   struct rsb_error *error)
{
	const char *known[RSB_PARAMETERS_MAX + 1] = { NULL };
	char nearest[256];

	for (int i = 0; i < RSB_PARAMETERS_MAX && rows[i].name; i++)
		known[i] = rows[i].name;
	if (!known[0])
		return rsb_error_set(error, "unknown parameter '%s': there are none here", name);
	rsb_suggest(name, known, nearest, sizeof(nearest));
	return rsb_error_set(
		error, "unknown parameter '%s': %s%s", name,
		*nearest ? "expected " : "rsbsim list models NAME has those of a model", nearest);
}

bool rsb_parameter_set(const struct rsb_parameter *rows, int64_t *values, const char *name,
		       const char *text, struct rsb_error *error)
{
	int index = rsb_parameter_find(rows, name);
	const struct rsb_parameter *row = &rows[index < 0 ? 0 : index];
	int64_t value;

	if (index < 0)
		return refuse_unknown(rows, name, error);
	if (row->choices) {
		value = find_choice(row->choices, text);
		if (value < 0)
			return rsb_error_set(error, "parameter '%s': '%s' is none of %s", name,
					     text, row->choices);
	} else if (!read_number(text, &value) || value < row->minimum || value > row->maximum) {
		return rsb_error_set(
			error, "parameter '%s': '%s' is no number from %" PRId64 " to %" PRId64,
			name, text, row->minimum, row->maximum);
	}
	values[index] = value;
	return true;
}

void rsb_parameter_print(const struct rsb_parameter *row, int64_t value, char *out, size_t size)
{
	const char *at = row->choices;

	if (!at) {
		snprintf(out, size, "%" PRId64, value);
		return;
	}
	while (value-- > 0 && strchr(at, '|'))
		at = strchr(at, '|') + 1;
	snprintf(out, size, "%.*s", (int)strcspn(at, "|"), at);
}
