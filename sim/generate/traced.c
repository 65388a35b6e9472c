/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function that may be traced: it adds its two arguments. */
#include "sim/generate/families.h"

#include "sim/generate/x86.h"

void rsb_traced_start(struct rsb_code *code, const char *name, bool endbr)
{
	rsb_code_function(code, name);
	if (endbr)
		rsb_x86_endbr64(code);
}

void rsb_traced_work(struct rsb_code *code)
{
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_x86_mov(code, RSB_RAX, RSB_RDI);
	rsb_x86_add(code, RSB_RAX, RSB_RSI);
	rsb_x86_pop(code, RSB_RBP);
}

void rsb_traced_body(struct rsb_code *code)
{
	rsb_traced_work(code);
	rsb_x86_return(code);
}
