/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instructions that account for calls and returns. */
#include "sim/explain/account.h"

#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

/* RET_DEPTH_SHIFT in Linux 6.12, arch/x86/include/asm/nospec-branch.h. */
#define SHIFT 5

/* Up to the displacement of the variable; the shift is the last byte of the instruction. */
struct form {
	uint8_t start[5];
	uint8_t count;
	uint8_t size; /* of the instruction */
	bool is_return;
};

/* gs, REX.W, c1, and an address from rip or one alone (Intel SDM volume 2, SAL/SAR). */
static const struct form forms[] = {
	{ { 0x65, 0x48, 0xc1, 0x3d }, 4, 9, false },
	{ { 0x65, 0x48, 0xc1, 0x25 }, 4, 9, true },
	{ { 0x65, 0x48, 0xc1, 0x3c, 0x25 }, 5, 10, false },
	{ { 0x65, 0x48, 0xc1, 0x24, 0x25 }, 5, 10, true },
};

bool rsb_account_is(const uint8_t *bytes, size_t size, bool *is_return)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct form *form = &forms[i];

		if (size != form->size || bytes[size - 1] != SHIFT ||
		    memcmp(bytes, form->start, form->count) != 0)
			continue;
		*is_return = form->is_return;
		return true;
	}
	return false;
}

bool rsb_account_add(struct rsb_frame_round *round, const struct rsb_frame_account *account)
{
	if (!RSB_GROW(round->accounts, round->account_count))
		return false;
	round->accounts[round->account_count++] = *account;
	return true;
}
