/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family signal: a function that a signal interrupts. The kernel enters the handler by iret and
 * leaves it by the system call that the restorer makes; what it does to the stack is code here that
 * is jumped to and jumps back: the symbols that begin with "kernel_".
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"

enum { LEAVE };
enum { RET, JMP };

static const struct rsb_parameter rows[] = {
	[LEAVE] = RSB_PARAMETER_CHOICE("leave", "how the handler leaves: by ret, or by pop and jmp",
				       "ret|jmp", RET, JMP),
	{ 0 },
};

#define SIGRETURN 15 /* __NR_rt_sigreturn */

/* Below the red zone: the interrupted registers, and the return address of the handler. */
enum { RED_ZONE = 0x80, FRAME = 0x40, FRAME_RSP = 0x08, FRAME_RDI = 0x10, FRAME_RSI = 0x18 };

static void emit_delivery(struct rsb_code *code)
{
	rsb_code_function(code, "kernel_signal");
	rsb_x86_mov(code, RSB_R11, RSB_RSP);
	rsb_x86_sub_imm(code, RSB_RSP, RED_ZONE + FRAME + 8);
	rsb_x86_mov_label(code, RSB_R10, rsb_code_named(code, "__restore_rt"));
	rsb_x86_store(code, RSB_RSP, 0, RSB_R10);
	rsb_x86_store(code, RSB_RSP, FRAME_RSP, RSB_R11);
	rsb_x86_store(code, RSB_RSP, FRAME_RDI, RSB_RDI);
	rsb_x86_store(code, RSB_RSP, FRAME_RSI, RSB_RSI);
	rsb_x86_jmp(code, rsb_code_named(code, "handler"));
}

/* The handler's return took the slot below the frame. */
static void emit_sigreturn(struct rsb_code *code)
{
	rsb_code_function(code, "kernel_sigreturn");
	rsb_x86_load(code, RSB_RDI, RSB_RSP, FRAME_RDI - 8);
	rsb_x86_load(code, RSB_RSI, RSB_RSP, FRAME_RSI - 8);
	rsb_x86_load(code, RSB_RSP, RSB_RSP, FRAME_RSP - 8);
	rsb_x86_jmp(code, rsb_code_named(code, "resume"));
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_code_function(code, "target");
	rsb_x86_jmp(code, rsb_code_named(code, "kernel_signal"));
	rsb_code_place(code, rsb_code_named(code, "resume"));
	rsb_traced_body(code);
	emit_delivery(code);

	rsb_code_function(code, "handler");
	if (values[LEAVE] == JMP) {
		rsb_x86_pop(code, RSB_RAX);
		rsb_x86_jmp_register(code, RSB_RAX);
	} else {
		rsb_x86_return(code);
	}
	rsb_code_function(code, "__restore_rt");
	rsb_user_syscall(code, SIGRETURN);
	rsb_x86_jmp(code, rsb_code_named(code, "kernel_sigreturn"));
	emit_sigreturn(code);
}

const struct rsb_family rsb_family_signal = {
	.name = "signal",
	.summary = "a function that a signal interrupts",
	.parameters = rows,
	.emit = emit,
};
