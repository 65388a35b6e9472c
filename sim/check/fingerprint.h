/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a result is about, in a form that outlives a build: the same after the code has moved, after
 * programs were attached in another order, and from one release of a kernel to the next as long as
 * the instruction at fault stays.
 */
#ifndef RSB_SIM_CHECK_FINGERPRINT_H
#define RSB_SIM_CHECK_FINGERPRINT_H

#include "sim/check/check.h"
#include "sim/score/run.h"

/*
 * The symbol that an address is in, without its offset. A BPF trampoline is named by the function
 * that enters it; numbers that are ids are masked; code without a symbol is "". NULL: no memory.
 */
char *rsb_fingerprint_symbol(const struct rsb_image *image, const struct rsb_run *run, uint64_t pc);

/*
 * Clears what in an instruction depends on where code and data are: displacements, and immediates
 * that are addresses of the image.
 */
void rsb_fingerprint_mask(const struct rsb_image *image, struct rsb_check_place *place);

/* Sets a result's fingerprint: of rule, layout, CPU, subject and masked bytes. */
void rsb_fingerprint_set(struct rsb_check_result *result, const char *layout, const char *cpu,
			 const struct rsb_image *image);

#endif
