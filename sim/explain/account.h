/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Software call-depth accounting: Linux counts calls and returns in a per-CPU variable (sarq $5
 * before a call, shlq $5 before a return) to know when the return stack runs empty. Where it counts
 * otherwise than the code calls and returns, it is wrong.
 */
#ifndef RSB_SIM_EXPLAIN_ACCOUNT_H
#define RSB_SIM_EXPLAIN_ACCOUNT_H

#include "sim/explain/frame.h"

/* Bytes of an instruction that accounts. */
#define RSB_ACCOUNT_MIN 9
#define RSB_ACCOUNT_MAX 10

/* Does this instruction account for a call, or for a return? */
bool rsb_account_is(const uint8_t *bytes, size_t size, bool *is_return);

/* Keeps one. False: no memory. */
bool rsb_account_add(struct rsb_frame_round *round, const struct rsb_frame_account *account);

#endif
