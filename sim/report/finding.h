/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the formats of explanations share: the writer of each, and the parts of a finding in words.
 */
#ifndef RSB_SIM_REPORT_FINDING_H
#define RSB_SIM_REPORT_FINDING_H

#include "sim/report/explanation.h"

rsb_explanation_writer rsb_explanation_text;
rsb_explanation_writer rsb_explanation_json;
rsb_explanation_writer rsb_explanation_markdown;

#define RSB_PHRASE_SIZE 1024

/* "1 miss inside and 8 in callers a call, balance +1". */
void rsb_finding_cost(const struct rsb_finding *finding, char out[RSB_PHRASE_SIZE]);

/* What happened to the first miss; there must be one. */
void rsb_finding_first(const struct rsb_finding *finding, char out[RSB_PHRASE_SIZE]);

/* What follows from it: "8 caller returns follow from the same cause, ..."; "" for nothing. */
void rsb_finding_rest(const struct rsb_finding *finding, char out[RSB_PHRASE_SIZE]);

/* The software's count against the hardware's, and what is wrong; "" if they agree. */
void rsb_accounting_phrase(const struct rsb_accounting *accounting, char out[RSB_PHRASE_SIZE]);

#endif
