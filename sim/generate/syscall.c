/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family syscall: a whole system call, from the user's syscall instruction through
 * entry_SYSCALL_64 to the sysretq or iretq that goes back (arch/x86/entry/entry_64.S, Linux 6.12),
 * with the page tables changed on the way. The entry trampoline is that of Linux 4.15
 * (3386bc8aed82), which 4.20 removed.
 */
#include "sim/generate/families.h"

#include "sim/generate/kernel_entry.h"

enum { PTI, FLAG, FLAG_SET, ENTRY, LEAVE, CLEAR_HISTORY, BARRIER };
enum { DIRECT, TRAMPOLINE };
enum { NO_BARRIER, BARRIER_ALONE, BARRIER_AND_FILL };

static const struct rsb_parameter rows[] = {
	[PTI] = RSB_PARAMETER_CHOICE("pti",
				     "page table isolation: none, or with or without PCID, which "
				     "lets a write of CR3 keep the TLB",
				     "off|pcid|no-pcid", RSB_PTI_OFF, RSB_PTI_NO_PCID),
	[FLAG] = RSB_PARAMETER_CHOICE(
		"flag",
		"where a task's flag TIF_DISABLE_PTI_NOW is honoured: nowhere, "
		"on the way out, or both ways",
		"none|exit|both", RSB_PTI_FLAG_NONE, RSB_PTI_FLAG_BOTH),
	[FLAG_SET] = RSB_PARAMETER_SWITCH("flag_set", "has the task the flag?"),
	[ENTRY] = RSB_PARAMETER_CHOICE("entry",
				       "where the kernel is entered: itself, or a trampoline that "
				       "jumps to it",
				       "direct|trampoline", DIRECT, TRAMPOLINE),
	[LEAVE] = RSB_PARAMETER_CHOICE("leave", "what goes back to the user", "sysret|iret",
				       RSB_KERNEL_SYSRET, RSB_KERNEL_IRET),
	[CLEAR_HISTORY] =
		RSB_PARAMETER_SWITCH("clear_history", "does the entry clear the branch history?"),
	[BARRIER] = RSB_PARAMETER_CHOICE("ibpb",
					 "does the entry make an indirect branch prediction "
					 "barrier, alone or with the return stack filled?",
					 "none|alone|fill", NO_BARRIER, BARRIER_AND_FILL),
	{ 0 },
};

static bool check(const int64_t *values, struct rsb_error *error)
{
	if (values[PTI] == RSB_PTI_OFF && values[FLAG] != RSB_PTI_FLAG_NONE)
		return rsb_error_set(error,
				     "flag does not go with pti off: there is nothing that it "
				     "would switch off");
	return values[FLAG] != RSB_PTI_FLAG_NONE || !values[FLAG_SET] ||
	       rsb_error_set(error, "flag_set does not go with flag none: nothing looks at it");
}

static void push_frame(struct rsb_code *code)
{
	rsb_x86_push_imm(code, RSB_KERNEL_USER_DS);
	rsb_x86_gs_push(code, RSB_KERNEL_SCRATCH);
	rsb_x86_push(code, RSB_R11);
	rsb_x86_push_imm(code, RSB_KERNEL_USER_CS);
	rsb_x86_push(code, RSB_RCX);
}

/* The per-processor page that 4.15 enters at: it must not push and ret, and says so. */
static void emit_trampoline(struct rsb_code *code, const struct rsb_page_tables *tables)
{
	rsb_code_function(code, "entry_SYSCALL_64_trampoline");
	rsb_x86_swapgs(code);
	rsb_x86_gs_store(code, RSB_KERNEL_SCRATCH, RSB_RSP);
	rsb_page_tables_to_kernel(code, tables, RSB_RSP);
	rsb_x86_gs_load(code, RSB_RSP, RSB_KERNEL_TOP_OF_STACK);
	push_frame(code);
	rsb_x86_push(code, RSB_RDI);
	rsb_x86_mov_label(code, RSB_RDI, rsb_code_named(code, "entry_SYSCALL_64_stage2"));
	rsb_x86_jmp_register(code, RSB_RDI);
	rsb_code_function(code, "entry_SYSCALL_64_stage2");
	rsb_x86_pop(code, RSB_RDI);
	rsb_x86_jmp(code, rsb_code_named(code, "entry_SYSCALL_64_after_hwframe"));
}

/* UNTRAIN_RET: the barrier takes the place of what untrains, and not that of the call depth. */
static void make_returns_safe(struct rsb_code *code, bool by_barrier)
{
	if (by_barrier)
		rsb_kernel_barrier(code);
	if (!by_barrier || rsb_code_forms(code)->account)
		rsb_kernel_untrain(code, false);
}

static void emit_entry(struct rsb_code *code, const struct rsb_page_tables *tables,
		       const int64_t *values)
{
	rsb_label iret = rsb_code_label(code);

	rsb_code_function(code, "entry_SYSCALL_64");
	rsb_x86_endbr64(code);
	rsb_x86_swapgs(code);
	rsb_x86_gs_store(code, RSB_KERNEL_SCRATCH, RSB_RSP);
	rsb_page_tables_to_kernel(code, tables, RSB_RSP);
	rsb_x86_gs_load(code, RSB_RSP, RSB_KERNEL_TOP_OF_STACK);
	push_frame(code);
	rsb_code_place(code, rsb_code_named(code, "entry_SYSCALL_64_after_hwframe"));
	rsb_x86_push(code, RSB_RAX);
	rsb_kernel_save(code);
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_extend(code, RSB_RSI, RSB_RAX);
	make_returns_safe(code, values[BARRIER] != NO_BARRIER);
	if (values[CLEAR_HISTORY])
		rsb_kernel_clear_history(code);
	rsb_x86_call(code, rsb_code_named(code, "do_syscall_64"));
	rsb_x86_test_al_imm(code, 0xff);
	rsb_x86_jcc(code, RSB_EQUAL, iret);
	rsb_kernel_to_user(code, tables, RSB_KERNEL_SYSRET);
	rsb_code_place(code, iret);
	rsb_code_place(code, rsb_code_named(code, "swapgs_restore_regs_and_return_to_usermode"));
	rsb_kernel_to_user(code, tables, RSB_KERNEL_IRET);
}

/* Says in al whether sysret will do. */
static void emit_do_syscall(struct rsb_code *code, int64_t how)
{
	rsb_code_function(code, "do_syscall_64");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_x86_call(code, rsb_code_named(code, "target"));
	rsb_x86_mov_imm(code, RSB_RAX, how == RSB_KERNEL_SYSRET);
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
	rsb_traced_start(code, "target", false);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_traced_body(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	const struct rsb_page_tables tables = rsb_kernel_tables(values[PTI], values[FLAG]);

	rsb_kernel_data(code);
	rsb_code_align(code, RSB_PAGE, 0xcc); /* the callers' page is the user's */
	if (values[ENTRY] == TRAMPOLINE) {
		emit_trampoline(code, &tables);
		rsb_code_align(code, RSB_PAGE, 0xcc);
	}
	emit_entry(code, &tables, values);
	emit_do_syscall(code, values[LEAVE]);
	if (values[BARRIER] == NO_BARRIER)
		rsb_kernel_untrain_emit(code);
	else
		rsb_kernel_barrier_emit(code, values[BARRIER] == BARRIER_AND_FILL);
	if (values[CLEAR_HISTORY])
		rsb_kernel_clear_history_emit(code);
}

/* The data that the kernel finds, and CR3 as its last way out left it. */
static bool enter(struct rsb_image *image, const int64_t *values, struct rsb_system *system,
		  struct rsb_error *error)
{
	const char *entry = values[ENTRY] == TRAMPOLINE ? "entry_SYSCALL_64_trampoline"
							: "entry_SYSCALL_64";
	uint64_t flags = (uint64_t)values[FLAG_SET] << RSB_PTI_FLAG_BIT, data;

	if (!rsb_kernel_fill(image, flags, &data, error) ||
	    !rsb_image_find(image, entry, &system->entry, error))
		return false;
	system->gs_base = data;
	system->page_tables = values[FLAG_SET] ? RSB_PTI_KERNEL
					       : rsb_kernel_user_tables(values[PTI]);
	return true;
}

static enum rsb_callers_by by(const int64_t *values)
{
	(void)values;
	return RSB_CALLERS_SYSCALL;
}

const struct rsb_family rsb_family_syscall = {
	.name = "syscall",
	.summary = "a system call, from the user's instruction and back",
	.parameters = rows,
	.check = check,
	.emit = emit,
	.enter = enter,
	.by = by,
};
