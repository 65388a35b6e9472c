/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of this machine in words, for the formats that people read. */
#ifndef RSB_SIM_REPORT_NATIVE_WORDS_H
#define RSB_SIM_REPORT_NATIVE_WORDS_H

#include "sim/report/native.h"
#include "sim/report/number.h"

#define RSB_NATIVE_WORD (2 * RSB_NUMBER_SIZE + 8)

/* "0.48"; "-" if it is not known. Each gives back out. */
const char *rsb_native_number(char out[RSB_NATIVE_WORD], double value, int decimals);
/* "0.31 to 0.66" */
const char *rsb_native_range(char out[RSB_NATIVE_WORD], double low, double high);
/* "7.71 (bpf-38-fentry)" */
const char *rsb_native_worst(char *out, size_t size, const struct rsb_comparison *comparison,
			     const struct rsb_agreement *agreement);
/* "2842 of 2905" */
const char *rsb_native_order(char out[RSB_NATIVE_WORD], const struct rsb_agreement *agreement);

/* The processor, and what it is simulated as. */
void rsb_native_host(char *out, size_t size, const struct rsb_native *native);
/* How much was measured, and of the processors' time, how much was stolen. */
void rsb_native_effort(char *out, size_t size, const struct rsb_native *native);

/* What is ranked, one for each row; the caller frees it. NULL: no memory. */
struct rsb_compared *rsb_native_compared(const struct rsb_comparison *comparison);

/* Was anything counted by the processor? Has any row no twin? */
bool rsb_native_counted(const struct rsb_comparison *comparison);
bool rsb_native_others(const struct rsb_comparison *comparison);

#endif
