/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family exception: an int3 of user code or of the kernel, or a debug exception by int1 in the
 * kernel, from the processor's entry through error_entry or paranoid_entry to the iretq that goes
 * back (arch/x86/entry/entry_64.S, Linux 6.12). Both functions are called, and return to another
 * place of memory than they were called from: the call's return address is moved below the
 * registers that are saved, and error_entry is left on one stack or the other.
 */
#include "sim/generate/families.h"

#include "sim/generate/interrupted_return.h"
#include "sim/generate/kernel_entry.h"
#include "sim/generate/x86_encode.h"

enum { FROM, ENTRY, SYNC, PTI, RESTORE, AT };
enum { USER, KERNEL };
enum { ERROR, PARANOID };
enum { BY_JMP, BY_CALL };
enum { RESTORE_CHANGED, RESTORE_ALWAYS };
enum { AT_FUNCTION, AT_LEA, AT_RET };

static const struct rsb_parameter rows[] = {
	[FROM] = RSB_PARAMETER_CHOICE("from", "what is interrupted", "user|kernel", USER, KERNEL),
	[ENTRY] = RSB_PARAMETER_CHOICE("entry",
				       "what the entry calls: error_entry, for an int3, or "
				       "paranoid_entry, for an int1",
				       "error|paranoid", ERROR, PARANOID),
	[SYNC] = RSB_PARAMETER_CHOICE("sync",
				      "what leads from error_entry to what moves the registers to "
				      "the task's stack: jmp, or call (before Linux 5.19)",
				      "jmp|call", BY_JMP, BY_CALL),
	[PTI] = RSB_PARAMETER_CHOICE("pti",
				     "page table isolation: none, or with or without PCID, which "
				     "lets a write of CR3 keep the TLB",
				     "off|pcid|no-pcid", RSB_PTI_OFF, RSB_PTI_NO_PCID),
	[RESTORE] = RSB_PARAMETER_CHOICE("restore",
					 "when the paranoid exit writes CR3: if the entry did, or "
					 "always (before Linux 6.9)",
					 "changed|always", RESTORE_CHANGED, RESTORE_ALWAYS),
	[AT] = RSB_PARAMETER_CHOICE("at",
				    "where the int3 of the kernel is: in a function, or before the "
				    "lea or the ret of the safe RET that it returns by",
				    "function|lea|ret", AT_FUNCTION, AT_RET),
	{ 0 },
};

#define RING       3
#define NO_SYSCALL (-1)

/* From the word below what the processor pushed. */
#define CS_FROM_ORIG_AX 0x10

#define GS_BASE     UINT64_C(0xc0000101)
#define USER_BIT    12 /* of CR3: see sim/generate/page_tables.h */
#define NOFLUSH_BIT 63

static rsb_label named(struct rsb_code *code, const char *name)
{
	return rsb_code_named(code, name);
}

static bool check(const int64_t *values, struct rsb_error *error)
{
	if (values[ENTRY] == PARANOID && values[FROM] == USER)
		return rsb_error_set(error, "entry paranoid does not go with from user: the entry "
					    "calls error_entry then");
	if (values[SYNC] == BY_CALL && values[FROM] == KERNEL)
		return rsb_error_set(error, "sync does not go with from kernel: the registers stay "
					    "where they are");
	if (values[AT] != AT_FUNCTION && (values[FROM] != KERNEL || values[ENTRY] != ERROR))
		return rsb_error_set(error, "at does not go without from kernel and entry error: "
					    "nothing else looks for a safe RET");
	if (values[RESTORE] == RESTORE_ALWAYS &&
	    (values[ENTRY] != PARANOID || values[PTI] == RSB_PTI_OFF))
		return rsb_error_set(error, "restore does not go without entry paranoid and pti: "
					    "nothing restores CR3");
	return true;
}

/* test byte [rsp + displacement], 3: was it the user? */
static void test_ring(struct rsb_code *code, int32_t displacement)
{
	RSB_X86_BYTES(code, 0xf6, 0x84, 0x24);
	rsb_x86_imm32(code, (uint32_t)displacement);
	rsb_x86_imm8(code, RING);
}

static void start(struct rsb_code *code, const char *name)
{
	rsb_code_function(code, name);
	rsb_x86_endbr64(code);
	RSB_X86_BYTES(code, 0x0f, 0x01, 0xca); /* clac */
	RSB_X86_BYTES(code, 0xfc);             /* cld */
	rsb_x86_push_imm(code, NO_SYSCALL);
}

/* An int3 of the kernel leaves a gap, so that what it stands for may push. */
static void emit_int3(struct rsb_code *code)
{
	rsb_label user = rsb_code_label(code);

	start(code, "asm_exc_int3");
	test_ring(code, CS_FROM_ORIG_AX);
	rsb_x86_jcc_short(code, RSB_NOT_EQUAL, user);
	for (unsigned i = 0; i < 6; i++)
		rsb_x86_push_memory(code, RSB_RSP, 5 * 8);
	rsb_code_place(code, user);
	rsb_x86_call_bare(code, named(code, "error_entry"));
}

/*
 * Was it the iretq itself, or a safe RET, if there is one? Other places that are looked for are
 * left out.
 */
static void from_kernel(struct rsb_code *code, bool safe_ret)
{
	rsb_label bad = rsb_code_label(code);

	rsb_interrupted_compare(code, named(code, "native_irq_return_iret"));
	rsb_x86_jcc_short(code, RSB_EQUAL, bad);
	if (safe_ret)
		rsb_interrupted_return_finish(code);
	rsb_x86_account(code);
	rsb_x86_lea(code, RSB_RAX, RSB_RSP, 8);
	rsb_x86_return(code);
	rsb_code_place(code, bad);
	rsb_x86_ud2(code);
}

/*
 * The task's stack is told in rax. Before 5.19 the return address was taken from the entry's stack
 * and put on the other one.
 */
static void leave_error_entry(struct rsb_code *code, int64_t sync)
{
	if (sync == BY_JMP) {
		rsb_x86_lea(code, RSB_RDI, RSB_RSP, 8);
		rsb_x86_jmp(code, named(code, "sync_regs"));
		return;
	}
	rsb_x86_pop(code, RSB_R12);
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_call(code, named(code, "sync_regs"));
	rsb_x86_mov(code, RSB_RSP, RSB_RAX);
	rsb_x86_push(code, RSB_R12);
	rsb_x86_return(code);
}

static void emit_error_entry(struct rsb_code *code, const struct rsb_page_tables *tables,
			     const int64_t *values)
{
	rsb_label kernel = rsb_code_label(code);

	rsb_code_function(code, "error_entry");
	rsb_kernel_save_called(code);
	test_ring(code, RSB_KERNEL_REGS_CS + 8);
	rsb_x86_jcc(code, RSB_EQUAL, kernel);
	rsb_x86_swapgs(code);
	rsb_page_tables_to_kernel(code, tables, RSB_RAX);
	rsb_kernel_untrain(code, true);
	leave_error_entry(code, values[SYNC]);
	rsb_code_place(code, kernel);
	from_kernel(code, values[AT] != AT_FUNCTION);

	rsb_code_function(code, "sync_regs");
	rsb_x86_mov(code, RSB_RSI, RSB_RDI);
	rsb_x86_gs_load(code, RSB_RAX, RSB_KERNEL_TOP_OF_STACK);
	rsb_x86_sub_imm(code, RSB_RAX, RSB_KERNEL_REGS);
	rsb_x86_mov(code, RSB_RDI, RSB_RAX);
	rsb_x86_mov_imm(code, RSB_RCX, RSB_KERNEL_REGS / 8);
	RSB_X86_BYTES(code, 0xf3, 0x48, 0xa5); /* rep movsq */
	rsb_x86_return(code);
}

/*
 * Whose GS base and page tables are in use is asked, not concluded. Our kernel's data are in the
 * lower half of the addresses, so that the test of the GS base is the other way round.
 */
static void emit_paranoid_entry(struct rsb_code *code, const struct rsb_page_tables *tables)
{
	rsb_label switched = rsb_code_label(code), kernel = rsb_code_label(code);

	rsb_code_function(code, "paranoid_entry");
	rsb_kernel_save_called(code);
	if (tables->pti == RSB_PTI_OFF)
		rsb_x86_jmp_short(code, switched);
	rsb_x86_read_cr3(code, RSB_RAX);
	rsb_x86_mov(code, RSB_R14, RSB_RAX);
	rsb_x86_test_bit(code, RSB_RAX, USER_BIT);
	rsb_x86_jcc_short(code, RSB_ABOVE_EQUAL, switched);
	rsb_page_tables_to_kernel(code, tables, RSB_RAX);
	rsb_code_place(code, switched);
	rsb_x86_mov_imm(code, RSB_RBX, 1);
	rsb_x86_mov_imm(code, RSB_RCX, GS_BASE);
	RSB_X86_BYTES(code, 0x0f, 0x32); /* rdmsr */
	RSB_X86_BYTES(code, 0x85, 0xd2); /* test edx, edx */
	rsb_x86_jcc_short(code, RSB_NOT_SIGN, kernel);
	rsb_x86_zero(code, RSB_RBX);
	rsb_x86_swapgs(code);
	rsb_code_place(code, kernel);
	rsb_kernel_untrain(code, true);
	rsb_x86_return(code);
}

/* The write of CR3 as it was; of the kernel's page tables, if those are written at all. */
static void restore_page_tables(struct rsb_code *code, const struct rsb_page_tables *tables,
				int64_t when)
{
	rsb_label done = rsb_code_label(code);

	if (tables->pti == RSB_PTI_OFF)
		rsb_x86_jmp_short(code, done);
	rsb_x86_mov(code, RSB_RAX, RSB_R14);
	if (when == RESTORE_CHANGED) {
		rsb_x86_test_bit(code, RSB_RAX, USER_BIT);
		rsb_x86_jcc_short(code, RSB_ABOVE_EQUAL, done);
	}
	if (tables->pti == RSB_PTI_PCID)
		rsb_x86_set_bit(code, RSB_RAX, NOFLUSH_BIT);
	rsb_x86_write_cr3(code, RSB_RAX);
	rsb_code_place(code, done);
}

static void emit_debug(struct rsb_code *code, const struct rsb_page_tables *tables,
		       const int64_t *values)
{
	rsb_label restored = rsb_code_label(code);

	start(code, "asm_exc_debug");
	rsb_x86_call_bare(code, named(code, "paranoid_entry"));
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_call(code, named(code, "exc_debug"));
	restore_page_tables(code, tables, values[RESTORE]);
	rsb_x86_test(code, RSB_RBX, RSB_RBX);
	rsb_x86_jcc_short(code, RSB_NOT_EQUAL, restored);
	rsb_x86_swapgs(code);
	rsb_code_place(code, restored);
	rsb_kernel_to_kernel(code);
	emit_paranoid_entry(code, tables);
}

static void emit_break(struct rsb_code *code, const struct rsb_page_tables *tables,
		       const int64_t *values)
{
	rsb_label kernel = rsb_code_label(code);

	emit_int3(code);
	if (values[SYNC] == BY_JMP)
		rsb_x86_mov(code, RSB_RSP, RSB_RAX);
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_call(code, named(code, "exc_int3"));
	test_ring(code, RSB_KERNEL_REGS_CS);
	rsb_x86_jcc(code, RSB_EQUAL, kernel);
	rsb_kernel_to_user(code, tables, RSB_KERNEL_IRET);
	rsb_code_place(code, kernel);
	rsb_kernel_to_kernel(code);
	rsb_code_function(code, "native_irq_return_iret");
	rsb_x86_iretq(code);
	emit_error_entry(code, tables, values);
}

/* The function that is interrupted in the kernel. */
static void emit_interrupted(struct rsb_code *code, int64_t entry, int64_t at)
{
	rsb_traced_start(code, "target", false);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	if (at != AT_FUNCTION) {
		rsb_interrupted_return_emit(code, at == AT_LEA);
		return;
	}
	if (entry == PARANOID)
		RSB_X86_BYTES(code, 0xf1); /* int1 */
	else
		rsb_x86_int3(code);
	rsb_traced_body(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	const struct rsb_page_tables tables = rsb_kernel_tables(values[PTI], RSB_PTI_FLAG_NONE);

	rsb_kernel_data(code);
	rsb_code_align(code, RSB_PAGE, 0xcc); /* the callers' page is the user's */
	if (values[FROM] == KERNEL)
		emit_interrupted(code, values[ENTRY], values[AT]);
	if (values[ENTRY] == PARANOID)
		emit_debug(code, &tables, values);
	else
		emit_break(code, &tables, values);
	rsb_code_function(code, values[ENTRY] == PARANOID ? "exc_debug" : "exc_int3");
	if (values[FROM] == USER)
		rsb_code_place(code, named(code, "target"));
	rsb_traced_body(code);
	rsb_kernel_untrain_emit(code);
}

/* A debug exception has a stack of its own; an int3 of the kernel stays where it is. */
static bool enter(struct rsb_image *image, const int64_t *values, struct rsb_system *system,
		  struct rsb_error *error)
{
	const char *entry = values[ENTRY] == PARANOID ? "asm_exc_debug" : "asm_exc_int3";
	uint64_t data;

	if (!rsb_kernel_fill(image, 0, &data, error) ||
	    !rsb_image_find(image, entry, &system->exception, error))
		return false;
	if (values[FROM] == USER) {
		system->gs_base = data;
		system->stack = data + RSB_KERNEL_ENTRY_STACK_END;
		system->page_tables = rsb_kernel_user_tables(values[PTI]);
		return true;
	}
	system->kernel = true;
	system->stack = values[ENTRY] == PARANOID ? data + RSB_KERNEL_IST_END : 0;
	system->page_tables = RSB_PTI_KERNEL;
	rsb_image_set_gs_base(image, data);
	return true;
}

static enum rsb_callers_by by(const int64_t *values)
{
	return values[FROM] == USER ? RSB_CALLERS_INT3 : RSB_CALLERS_CALL;
}

const struct rsb_family rsb_family_exception = {
	.name = "exception",
	.summary = "an exception, from the interrupted instruction and back",
	.parameters = rows,
	.check = check,
	.emit = emit,
	.enter = enter,
	.by = by,
};
