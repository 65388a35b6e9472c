/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family syscall: a whole system call, from the user's syscall instruction through
 * entry_SYSCALL_64 to the sysretq or iretq that goes back (arch/x86/entry/entry_64.S, Linux 6.12),
 * with the page tables changed on the way. The entry trampoline is that of Linux 4.15
 * (3386bc8aed82), which 4.20 removed.
 */
#include "sim/generate/families.h"

#include "sim/generate/page_tables.h"
#include "sim/generate/thunks.h"
#include "sim/generate/x86.h"

enum { PTI, FLAG, FLAG_SET, ENTRY, LEAVE };
enum { DIRECT, TRAMPOLINE };
enum { SYSRET, IRET };

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
	[LEAVE] = RSB_PARAMETER_CHOICE("leave", "what goes back to the user", "sysret|iret", SYSRET,
				       IRET),
	{ 0 },
};

/*
 * A processor's data, from the kernel's GS base, with the task and two stacks in pages of their own
 * behind. The call depth variable is where the forms have it.
 */
enum {
	SCRATCH = 0x00,
	TOP_OF_STACK = 0x08,
	CALL_DEPTH = RSB_FORMS_CALL_DEPTH,
	CURRENT = 0x18,
	FLUSH_MASK = 0x20,
	ENTRY_STACK = 0x28,
	TASK = 0x1000,
	STACK_END = 0x4000,       /* page 2 and 3: the task's */
	ENTRY_STACK_END = 0x5000, /* page 4: the trampoline stack */
};
#define DATA "cpu_data"

/* From the top of the trampoline's copy: struct pt_regs from di on. */
enum {
	FROM_DI_IP = 0x10,
	FROM_DI_CS = 0x18,
	FROM_DI_FLAGS = 0x20,
	FROM_DI_SP = 0x28,
	FROM_DI_SS = 0x30
};

#define USER_CS 0x33
#define USER_DS 0x2b
#define ENOSYS  38

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
	rsb_x86_push_imm(code, USER_DS);
	rsb_x86_gs_push(code, SCRATCH);
	rsb_x86_push(code, RSB_R11);
	rsb_x86_push_imm(code, USER_CS);
	rsb_x86_push(code, RSB_RCX);
}

/* What pt_regs has below the frame, in the order in which it is pushed; rax holds -ENOSYS then. */
static const enum rsb_x86_register pushed[] = { RSB_RDI, RSB_RSI, RSB_RDX, RSB_RCX, RSB_RAX,
						RSB_R8,  RSB_R9,  RSB_R10, RSB_R11, RSB_RBX,
						RSB_RBP, RSB_R12, RSB_R13, RSB_R14, RSB_R15 };
#define PUSHED (sizeof(pushed) / sizeof(*pushed))

static void push_and_clear(struct rsb_code *code)
{
	for (size_t i = 0; i < PUSHED; i++)
		if (pushed[i] == RSB_RAX)
			rsb_x86_push_imm(code, -ENOSYS);
		else
			rsb_x86_push(code, pushed[i]);
	for (size_t i = 1; i < PUSHED; i++)
		if (pushed[i] != RSB_RAX)
			rsb_x86_zero(code, pushed[i]);
}

/* All but rdi. */
static void pop(struct rsb_code *code)
{
	for (size_t i = PUSHED; i-- > 1;)
		rsb_x86_pop(code, pushed[i]);
}

/* What is pushed on the trampoline stack, for the user's page tables do not have the other. */
static void leave(struct rsb_code *code, const struct rsb_page_tables *tables, int64_t how)
{
	pop(code);
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_gs_load(code, RSB_RSP, ENTRY_STACK);
	if (how == IRET) {
		rsb_x86_push_memory(code, RSB_RDI, FROM_DI_SS);
		rsb_x86_push_memory(code, RSB_RDI, FROM_DI_SP);
		rsb_x86_push_memory(code, RSB_RDI, FROM_DI_FLAGS);
		rsb_x86_push_memory(code, RSB_RDI, FROM_DI_CS);
		rsb_x86_push_memory(code, RSB_RDI, FROM_DI_IP);
	} else {
		rsb_x86_push_memory(code, RSB_RDI, FROM_DI_SP);
	}
	rsb_x86_push_memory(code, RSB_RDI, 0);
	rsb_page_tables_to_user(code, tables, RSB_RDI);
	rsb_x86_pop(code, RSB_RDI);
	if (how == IRET) {
		rsb_x86_swapgs(code);
		rsb_x86_iretq(code);
		return;
	}
	rsb_x86_pop(code, RSB_RSP);
	rsb_x86_swapgs(code);
	rsb_x86_sysretq(code);
}

/* The per-processor page that 4.15 enters at: it must not push and ret, and says so. */
static void emit_trampoline(struct rsb_code *code, const struct rsb_page_tables *tables)
{
	rsb_code_function(code, "entry_SYSCALL_64_trampoline");
	rsb_x86_swapgs(code);
	rsb_x86_gs_store(code, SCRATCH, RSB_RSP);
	rsb_page_tables_to_kernel(code, tables, RSB_RSP);
	rsb_x86_gs_load(code, RSB_RSP, TOP_OF_STACK);
	push_frame(code);
	rsb_x86_push(code, RSB_RDI);
	rsb_x86_mov_label(code, RSB_RDI, rsb_code_named(code, "entry_SYSCALL_64_stage2"));
	rsb_x86_jmp_register(code, RSB_RDI);
	rsb_code_function(code, "entry_SYSCALL_64_stage2");
	rsb_x86_pop(code, RSB_RDI);
	rsb_x86_jmp(code, rsb_code_named(code, "entry_SYSCALL_64_after_hwframe"));
}

static void emit_entry(struct rsb_code *code, const struct rsb_page_tables *tables)
{
	rsb_label iret = rsb_code_label(code);

	rsb_code_function(code, "entry_SYSCALL_64");
	rsb_x86_endbr64(code);
	rsb_x86_swapgs(code);
	rsb_x86_gs_store(code, SCRATCH, RSB_RSP);
	rsb_page_tables_to_kernel(code, tables, RSB_RSP);
	rsb_x86_gs_load(code, RSB_RSP, TOP_OF_STACK);
	push_frame(code);
	rsb_code_place(code, rsb_code_named(code, "entry_SYSCALL_64_after_hwframe"));
	rsb_x86_push(code, RSB_RAX);
	push_and_clear(code);
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_extend(code, RSB_RSI, RSB_RAX);
	rsb_x86_call(code, rsb_code_named(code, "do_syscall_64"));
	rsb_x86_test_al_imm(code, 0xff);
	rsb_x86_jcc(code, RSB_EQUAL, iret);
	leave(code, tables, SYSRET);
	rsb_code_place(code, iret);
	rsb_code_place(code, rsb_code_named(code, "swapgs_restore_regs_and_return_to_usermode"));
	leave(code, tables, IRET);
}

/* Says in al whether sysret will do. */
static void emit_do_syscall(struct rsb_code *code, int64_t how)
{
	rsb_code_function(code, "do_syscall_64");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_x86_call(code, rsb_code_named(code, "target"));
	rsb_x86_mov_imm(code, RSB_RAX, how == SYSRET);
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
	rsb_traced_start(code, "target", false);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_traced_body(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	const struct rsb_page_tables tables = {
		.pti = (enum rsb_pti)values[PTI],
		.flag = (enum rsb_pti_flag)values[FLAG],
		.task = CURRENT,
		.flush_mask = FLUSH_MASK,
	};

	rsb_code_data(code, DATA, ENTRY_STACK_END);
	rsb_code_align(code, RSB_PAGE, 0xcc); /* the callers' page is the user's */
	if (values[ENTRY] == TRAMPOLINE) {
		emit_trampoline(code, &tables);
		rsb_code_align(code, RSB_PAGE, 0xcc);
	}
	emit_entry(code, &tables);
	emit_do_syscall(code, values[LEAVE]);
}

static bool put(struct rsb_image *image, uint64_t address, uint64_t value, struct rsb_error *error)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	return rsb_image_patch(image, address, bytes, sizeof(bytes), error);
}

/* The data that the kernel finds, and CR3 as its last way out left it. */
static bool enter(struct rsb_image *image, const int64_t *values, struct rsb_system *system,
		  struct rsb_error *error)
{
	const char *entry = values[ENTRY] == TRAMPOLINE ? "entry_SYSCALL_64_trampoline"
							: "entry_SYSCALL_64";
	uint64_t flags = (uint64_t)values[FLAG_SET] << RSB_PTI_FLAG_BIT, data;

	if (!rsb_image_find(image, DATA, &data, error) ||
	    !rsb_image_find(image, entry, &system->entry, error))
		return false;
	system->gs_base = data;
	system->page_tables = RSB_PTI_KERNEL;
	if (values[PTI] != RSB_PTI_OFF && !values[FLAG_SET])
		system->page_tables |= RSB_PTI_USER |
				       (values[PTI] == RSB_PTI_PCID ? RSB_PTI_ASID : 0);
	return put(image, data + TOP_OF_STACK, data + STACK_END, error) &&
	       put(image, data + ENTRY_STACK, data + ENTRY_STACK_END, error) &&
	       put(image, data + CURRENT, data + TASK, error) &&
	       put(image, data + TASK, flags, error) &&
	       put(image, data + CALL_DEPTH, RSB_THUNKS_DEPTH_AT_ENTRY, error);
}

const struct rsb_family rsb_family_syscall = {
	.name = "syscall",
	.summary = "a system call, from the user's instruction and back",
	.parameters = rows,
	.check = check,
	.emit = emit,
	.enter = enter,
};
