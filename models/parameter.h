/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters of a model: rows with a sentence, a default and a range. The one table drives the
 * parsing of profiles and of --set, the help, the JSON and the documents. Values are an int64_t for
 * each row, in the order of the rows: a number, 0 or 1 for a switch, or the index of a choice.
 */
#ifndef RSB_MODELS_PARAMETER_H
#define RSB_MODELS_PARAMETER_H

#include "traces/util/error.h"

#include <stdint.h>

#define RSB_PARAMETERS_MAX 32 /* rows a model may have */

struct rsb_parameter {
	const char *name;     /* "depth"; NULL ends the table */
	const char *sentence; /* what it decides */
	const char *choices;  /* "stale|none"; NULL: a number from minimum to maximum */
	int64_t value;        /* the default */
	int64_t minimum, maximum;
};

/* Rows of each sort: a number, a switch that is off by default, a choice (last: its last index). */
#define RSB_PARAMETER_NUMBER(name, sentence, value, minimum, maximum) \
	{                                                             \
		name, sentence, NULL, value, minimum, maximum         \
	}
#define RSB_PARAMETER_SWITCH(name, sentence)          \
	{                                             \
		name, sentence, "false|true", 0, 0, 1 \
	}
#define RSB_PARAMETER_CHOICE(name, sentence, choices, value, last) \
	{                                                          \
		name, sentence, choices, value, 0, last            \
	}

/* Is it true or false, and no choice of words? */
bool rsb_parameter_is_switch(const struct rsb_parameter *row);

/* The row of that name, or -1. */
int rsb_parameter_find(const struct rsb_parameter *rows, const char *name);

/* Fills values (RSB_PARAMETERS_MAX of them) with the defaults. */
void rsb_parameter_defaults(const struct rsb_parameter *rows, int64_t *values);

/*
 * Sets one value from text: a number in range, a choice, or true/false for the choices
 * "false|true". Errors name the parameter, what was given and what is allowed; an unknown name
 * lists the nearest known ones.
 */
bool rsb_parameter_set(const struct rsb_parameter *rows, int64_t *values, const char *name,
		       const char *text, struct rsb_error *error);

/* Writes the value as text ("16", "stale") into out. */
void rsb_parameter_print(const struct rsb_parameter *row, int64_t value, char *out, size_t size);

#endif
