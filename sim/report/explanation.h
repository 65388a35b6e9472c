/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explanations written out: one row a format (sim/report/explanation.c). The library does not open
 * files: it writes to the stream given.
 */
#ifndef RSB_SIM_REPORT_EXPLANATION_H
#define RSB_SIM_REPORT_EXPLANATION_H

#include "sim/explain/explain.h"

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

#endif
