/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the families of user space share. */
#include "sim/generate/user.h"

static const enum rsb_x86_register kept[RSB_USER_KEPT] = { RSB_RBX, RSB_RBP, RSB_R12,
							   RSB_R13, RSB_R14, RSB_R15 };

void rsb_user_store_kept(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement)
{
	for (int32_t i = 0; i < RSB_USER_KEPT; i++)
		rsb_x86_store(code, base, displacement + 8 * i, kept[i]);
}

void rsb_user_load_kept(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement)
{
	for (int32_t i = 0; i < RSB_USER_KEPT; i++)
		rsb_x86_load(code, kept[i], base, displacement + 8 * i);
}

void rsb_user_syscall(struct rsb_code *code, uint32_t number)
{
	rsb_x86_mov_imm(code, RSB_RAX, number);
	rsb_x86_syscall(code);
}

void rsb_user_return_called(struct rsb_code *code)
{
	rsb_label over = rsb_code_label(code);

	rsb_x86_call_bare(code, over);
	rsb_x86_int3(code); /* a call to the next instruction would not push */
	rsb_code_place(code, over);
	rsb_x86_lea(code, RSB_RSP, RSB_RSP, 8);
	rsb_x86_return(code);
}

void rsb_user_leaf(struct rsb_code *code, const char *name)
{
	rsb_code_function(code, name);
	rsb_x86_return(code);
}

void rsb_user_call_aligned(struct rsb_code *code, rsb_label next)
{
	rsb_x86_sub_imm(code, RSB_RSP, 8);
	rsb_x86_call(code, next);
	rsb_x86_add_imm(code, RSB_RSP, 8);
}

bool rsb_user_check(const struct rsb_user_rule *rules, struct rsb_error *error)
{
	for (; rules->why; rules++)
		if (rules->refused)
			return rsb_error_set(error, "%s", rules->why);
	return true;
}
