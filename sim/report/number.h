/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as text, with a point whatever the locale: one way for programs, one for people. */
#ifndef RSB_SIM_REPORT_NUMBER_H
#define RSB_SIM_REPORT_NUMBER_H

#include <stddef.h>

#define RSB_NUMBER_SIZE 48 /* bytes that any of them takes */

/*
 * Whole numbers as they are, others to 12 significant digits without trailing zeros: 0.08, 15.12.
 * NAN: "" (formats have their own).
 */
void rsb_number_data(char *out, size_t size, double value);

/* At most so many decimals, no trailing zeros: 0.08, 14. "<0.01" for what would wrongly be 0. */
void rsb_number_brief(char *out, size_t size, double value, int decimals);

/* The same with a sign: "+1", "0", "-1". */
void rsb_number_signed(char *out, size_t size, double value, int decimals);

#endif
