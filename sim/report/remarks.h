/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remarks: sentences about scores (notes, the word of the steady state), each kept once with the
 * scores that it is about, and those named in as few words as tell them from the others.
 */
#ifndef RSB_SIM_REPORT_REMARKS_H
#define RSB_SIM_REPORT_REMARKS_H

#include "sim/score/score.h"

struct rsb_remarks;

/* Remarks about these scores, which must outlive them. NULL: no memory. */
struct rsb_remarks *rsb_remarks_new(const struct rsb_score *const *scores, size_t count);
void rsb_remarks_free(struct rsb_remarks *remarks);

/* Says this of scores[index]. False: no memory. */
bool rsb_remarks_add(struct rsb_remarks *remarks, const char *text, size_t index);

/* All notes of the scores. False: no memory. */
bool rsb_remarks_add_notes(struct rsb_remarks *remarks);

/*
 * The same without the names of CPUs that notes begin with, so that what is to be said of several
 * is said once. False: no memory.
 */
bool rsb_remarks_add_plain_notes(struct rsb_remarks *remarks);

/* A note without the name of this CPU, if it begins with it. cpu may be NULL. */
const char *rsb_remark_skip_cpu(const char *note, const char *cpu);

size_t rsb_remarks_count(const struct rsb_remarks *remarks);
const char *rsb_remarks_text(const struct rsb_remarks *remarks, size_t index);

/*
 * Whom remark index is about: "" if about all, else "bpf-fexit-skip, plain-call on amd-zen4 in
 * bench", "all but bpf-fentry", or, where no such words are exact, "some of bpf-fentry,
 * plain-call". To be freed; NULL: no memory.
 */
char *rsb_remarks_about(const struct rsb_remarks *remarks, size_t index);

#endif
