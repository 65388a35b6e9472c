/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family uprobe: the kernel's probes in user space (Linux 6.12, arch/x86/kernel/uprobes.c).
 * What enters the kernel and leaves it (int3, iret, sysret) does not move the return stack; so
 * what the kernel does is code here that is jumped to and jumps back: the symbols that begin with
 * "kernel_".
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"

enum { AT, BY, LEAVE };
enum { ENTRY, RETURN };
enum { INT3, SYSCALL };
enum { RET, DUMMY_CALL, IRET };

static const struct rsb_parameter rows[] = {
	[AT] = RSB_PARAMETER_CHOICE("at", "what is probed", "entry|return", ENTRY, RETURN),
	[BY] = RSB_PARAMETER_CHOICE("by", "what enters the kernel", "int3|syscall", INT3, SYSCALL),
	[LEAVE] = RSB_PARAMETER_CHOICE(
		"leave",
		"the way back to the caller after a syscall: a return alone, a return "
		"behind a call for the balance, or by the kernel, as with a shadow stack",
		"ret|dummy-call|iret", RET, IRET),
	{ 0 },
};

#define UPROBE    336 /* __NR_uprobe */
#define URETPROBE 335 /* __NR_uretprobe */

static bool check(const int64_t *values, struct rsb_error *error)
{
	const struct rsb_user_rule rules[] = {
		{ values[LEAVE] != RET && values[AT] == ENTRY,
		  "leave without at return: a probe of the entry leaves the function's own "
		  "return" },
		{ values[LEAVE] == DUMMY_CALL && values[BY] == INT3,
		  "leave dummy-call with by int3: the kernel goes to the caller itself" },
		{ values[LEAVE] == IRET && values[BY] == INT3,
		  "leave iret with by int3: an int3 always comes back by iret" },
		{ 0 },
	};

	return rsb_user_check(rules, error);
}

static rsb_label named(struct rsb_code *code, const char *name)
{
	return rsb_code_named(code, name);
}

/* The kernel runs the instruction under its int3 in a page of its own, and goes on behind it. */
static void emit_entry_int3(struct rsb_code *code)
{
	rsb_code_function(code, "target");
	rsb_x86_jmp(code, named(code, "kernel_int3"));
	rsb_code_place(code, named(code, "resume"));
	rsb_traced_body(code);
	rsb_code_function(code, "kernel_int3");
	rsb_x86_jmp(code, named(code, "resume"));
}

/* A nop of five bytes is made a call. */
static void emit_entry_syscall(struct rsb_code *code)
{
	rsb_traced_start(code, "target", false);
	rsb_x86_call(code, named(code, "uprobe_trampoline"));
	rsb_traced_body(code);

	rsb_code_function(code, "uprobe_trampoline");
	rsb_x86_push(code, RSB_RCX);
	rsb_x86_push(code, RSB_R11);
	rsb_x86_push(code, RSB_RAX);
	rsb_user_syscall(code, UPROBE);
	rsb_x86_pop(code, RSB_RAX);
	rsb_x86_pop(code, RSB_R11);
	rsb_x86_pop(code, RSB_RCX);
	rsb_x86_return(code);
}

/* At the function's entry the kernel keeps the return address and puts another in its place. */
static void emit_hijack(struct rsb_code *code)
{
	rsb_code_data(code, "kernel_return_instance", 8);
	rsb_code_function(code, "target");
	rsb_x86_jmp(code, named(code, "kernel_int3"));
	rsb_code_place(code, named(code, "resume"));
	rsb_traced_body(code);

	rsb_code_function(code, "kernel_int3");
	rsb_x86_mov_label(code, RSB_R10, named(code, "kernel_return_instance"));
	rsb_x86_load(code, RSB_R11, RSB_RSP, 0);
	rsb_x86_store(code, RSB_R10, 0, RSB_R11);
	rsb_x86_mov_label(code, RSB_R11, named(code, "uretprobe_trampoline"));
	rsb_x86_store(code, RSB_RSP, 0, RSB_R11);
	rsb_x86_jmp(code, named(code, "resume"));
}

/* r11 = the return address that was kept. */
static void load_kept(struct rsb_code *code)
{
	rsb_x86_mov_label(code, RSB_R10, named(code, "kernel_return_instance"));
	rsb_x86_load(code, RSB_R11, RSB_R10, 0);
}

static void emit_return_int3(struct rsb_code *code)
{
	emit_hijack(code);
	rsb_code_function(code, "uretprobe_trampoline"); /* its int3 */
	rsb_x86_jmp(code, named(code, "kernel_uretprobe"));
	rsb_code_function(code, "kernel_uretprobe");
	load_kept(code);
	rsb_x86_jmp_register(code, RSB_R11);
}

/* Where the trampoline left them: r11, rcx, rax. */
enum { SAVED_RAX = 0x10, SAVED = 0x18 };

/* The return address takes the place of rax, which the system call returns. */
static void emit_kernel_uretprobe(struct rsb_code *code, bool iret)
{
	rsb_code_function(code, "kernel_uretprobe");
	load_kept(code);
	rsb_x86_load(code, RSB_RAX, RSB_RSP, SAVED_RAX);
	if (iret) {
		rsb_x86_add_imm(code, RSB_RSP, SAVED);
		rsb_x86_jmp_register(code, RSB_R11);
		return;
	}
	rsb_x86_store(code, RSB_RSP, SAVED_RAX, RSB_R11);
	rsb_x86_jmp(code, named(code, "after_syscall"));
}

static void emit_return_syscall(struct rsb_code *code, int64_t leave)
{
	emit_hijack(code);
	rsb_code_function(code, "uretprobe_trampoline");
	rsb_x86_push(code, RSB_RAX);
	rsb_x86_push(code, RSB_RCX);
	rsb_x86_push(code, RSB_R11);
	rsb_user_syscall(code, URETPROBE);
	rsb_x86_jmp(code, named(code, "kernel_uretprobe"));
	rsb_code_place(code, named(code, "after_syscall"));
	rsb_x86_pop(code, RSB_R11);
	rsb_x86_pop(code, RSB_RCX);
	if (leave == DUMMY_CALL)
		rsb_user_return_called(code);
	else
		rsb_x86_return(code);
	emit_kernel_uretprobe(code, leave == IRET);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	if (values[AT] == ENTRY && values[BY] == INT3)
		emit_entry_int3(code);
	else if (values[AT] == ENTRY)
		emit_entry_syscall(code);
	else if (values[BY] == INT3)
		emit_return_int3(code);
	else
		emit_return_syscall(code, values[LEAVE]);
}

const struct rsb_family rsb_family_uprobe = {
	.name = "uprobe",
	.summary = "a function of a process that the kernel probes",
	.parameters = rows,
	.check = check,
	.emit = emit,
};
