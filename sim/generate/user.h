/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the families of user space share. */
#ifndef RSB_SIM_GENERATE_USER_H
#define RSB_SIM_GENERATE_USER_H

#include "sim/generate/x86.h"

/* The registers that a function keeps (System V ABI), without the stack pointer: 8 bytes each. */
#define RSB_USER_KEPT 6

void rsb_user_store_kept(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement);
void rsb_user_load_kept(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement);

/* mov eax, number; syscall. Without "environment" in the layout it ends the run. */
void rsb_user_syscall(struct rsb_code *code, uint32_t number);

/*
 * A return whose address no call pushed, behind a call that gives it an entry: the next return
 * does not take the caller's. For code that returned once too often.
 */
void rsb_user_return_called(struct rsb_code *code);

/* A function that only returns. */
void rsb_user_leaf(struct rsb_code *code, const char *name);

/* A function that is entered with the stack at a multiple of 16, and calls the next one. */
void rsb_user_call_aligned(struct rsb_code *code, rsb_label next);

/* A rule of a family's check: refused, and why. Ended by a row without why. */
struct rsb_user_rule {
	bool refused;
	const char *why;
};
bool rsb_user_check(const struct rsb_user_rule *rules, struct rsb_error *error);

#endif
