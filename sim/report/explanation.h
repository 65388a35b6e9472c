/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations written out: one row a format. */
#ifndef RSB_SIM_REPORT_EXPLANATION_H
#define RSB_SIM_REPORT_EXPLANATION_H

#include "sim/explain/explain.h"
#include "sim/report/json.h"

#include <stdio.h>

struct rsb_explanation_options {
	bool colour;      /* ANSI colour in text */
	unsigned columns; /* width to keep to; 0: 100 */
	bool all;         /* each miss, in text and markdown; JSON has them always */
};

typedef bool rsb_explanation_writer(FILE *out, const struct rsb_explanation *const *explanations,
				    size_t count, const struct rsb_explanation_options *options,
				    struct rsb_error *error);

struct rsb_explanation_format {
	const char *name; /* "json" */
	const char *sentence;
	rsb_explanation_writer *write; /* false: a write failed, or there was no memory */
};

/* All formats, ended by a row without a name. */
const struct rsb_explanation_format *rsb_explanation_formats(void);
const struct rsb_explanation_format *rsb_explanation_format_find(const char *name,
								 struct rsb_error *error);

rsb_explanation_writer rsb_explanation_text;
rsb_explanation_writer rsb_explanation_json;
rsb_explanation_writer rsb_explanation_markdown;

/* Adds what a finding says to an object, for other JSON reports too. False: no memory. */
bool rsb_add_finding(cJSON *to, const struct rsb_finding *finding);

#define RSB_PHRASE_SIZE 1024

/*
 * The parts of a finding in words, which text and markdown share: "1 miss inside and 8 in callers a
 * call, balance +1", and what happened to the first miss.
 */
void rsb_finding_cost(const struct rsb_finding *finding, char out[RSB_PHRASE_SIZE]);
void rsb_finding_first(const struct rsb_finding *finding, char out[RSB_PHRASE_SIZE]);

/* What follows from it: "8 caller returns follow from the same cause: ..."; "" for nothing. */
void rsb_finding_rest(const struct rsb_finding *finding, char out[RSB_PHRASE_SIZE]);

/* The software's count against the hardware's, and what is wrong; "" if they agree. */
void rsb_accounting_phrase(const struct rsb_accounting *accounting, char out[RSB_PHRASE_SIZE]);

#endif
