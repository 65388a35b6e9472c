/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the entries of a kernel share: see sim/generate/kernel_entry.h. */
#include "sim/generate/kernel_entry.h"

#include "sim/generate/thunks.h"
#include "sim/generate/x86_encode.h"

#define DATA   "cpu_data"
#define ENOSYS 38

/* From the top of the trampoline's copy: struct pt_regs from di on. */
enum {
	FROM_DI_IP = 0x10,
	FROM_DI_CS = 0x18,
	FROM_DI_FLAGS = 0x20,
	FROM_DI_SP = 0x28,
	FROM_DI_SS = 0x30
};

void rsb_kernel_data(struct rsb_code *code)
{
	rsb_code_data(code, DATA, RSB_KERNEL_IST_END);
}

struct rsb_page_tables rsb_kernel_tables(int64_t pti, int64_t flag)
{
	return (struct rsb_page_tables){
		.pti = (enum rsb_pti)pti,
		.flag = (enum rsb_pti_flag)flag,
		.task = RSB_KERNEL_CURRENT,
		.flush_mask = RSB_KERNEL_FLUSH_MASK,
	};
}

static bool put(struct rsb_image *image, uint64_t address, uint64_t value, struct rsb_error *error)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	return rsb_image_patch(image, address, bytes, sizeof(bytes), error);
}

bool rsb_kernel_fill(struct rsb_image *image, uint64_t flags, uint64_t *data,
		     struct rsb_error *error)
{
	if (!rsb_image_find(image, DATA, data, error))
		return false;
	return put(image, *data + RSB_KERNEL_TOP_OF_STACK, *data + RSB_KERNEL_STACK_END, error) &&
	       put(image, *data + RSB_KERNEL_ENTRY_STACK, *data + RSB_KERNEL_ENTRY_STACK_END,
		   error) &&
	       put(image, *data + RSB_KERNEL_CURRENT, *data + RSB_KERNEL_TASK, error) &&
	       put(image, *data + RSB_KERNEL_TASK, flags, error) &&
	       put(image, *data + RSB_KERNEL_CALL_DEPTH, RSB_THUNKS_DEPTH_AT_ENTRY, error);
}

uint64_t rsb_kernel_user_tables(int64_t pti)
{
	if (pti == RSB_PTI_OFF)
		return RSB_PTI_KERNEL;
	return RSB_PTI_KERNEL | RSB_PTI_USER | (pti == RSB_PTI_PCID ? RSB_PTI_ASID : 0);
}

/* What pt_regs has below the frame, in the order in which it is pushed. */
static const enum rsb_x86_register pushed[] = { RSB_RDI, RSB_RSI, RSB_RDX, RSB_RCX, RSB_RAX,
						RSB_R8,  RSB_R9,  RSB_R10, RSB_R11, RSB_RBX,
						RSB_RBP, RSB_R12, RSB_R13, RSB_R14, RSB_R15 };
#define PUSHED (sizeof(pushed) / sizeof(*pushed))

static void clear(struct rsb_code *code)
{
	for (size_t i = 1; i < PUSHED; i++)
		if (pushed[i] != RSB_RAX)
			rsb_x86_zero(code, pushed[i]);
}

/* rax holds the number of the call; -ENOSYS is pushed in its place. */
void rsb_kernel_save(struct rsb_code *code)
{
	for (size_t i = 0; i < PUSHED; i++)
		if (pushed[i] == RSB_RAX)
			rsb_x86_push_imm(code, -ENOSYS);
		else
			rsb_x86_push(code, pushed[i]);
	clear(code);
}

void rsb_kernel_save_called(struct rsb_code *code)
{
	rsb_x86_push(code, RSB_RSI);
	rsb_x86_load(code, RSB_RSI, RSB_RSP, 8);
	rsb_x86_store(code, RSB_RSP, 8, RSB_RDI);
	for (size_t i = 2; i < PUSHED; i++)
		rsb_x86_push(code, pushed[i]);
	rsb_x86_push(code, RSB_RSI);
	clear(code);
}

/* All from the one at the top on, up to the first that is wanted. */
static void pop(struct rsb_code *code, size_t first)
{
	for (size_t i = PUSHED; i-- > first;)
		rsb_x86_pop(code, pushed[i]);
}

/* What is pushed on the trampoline stack, for the user's page tables do not have the other. */
void rsb_kernel_to_user(struct rsb_code *code, const struct rsb_page_tables *tables,
			enum rsb_kernel_way how)
{
	pop(code, 1);
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_gs_load(code, RSB_RSP, RSB_KERNEL_ENTRY_STACK);
	if (how == RSB_KERNEL_IRET) {
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
	if (how == RSB_KERNEL_IRET) {
		rsb_x86_swapgs(code);
		rsb_x86_iretq(code);
		return;
	}
	rsb_x86_pop(code, RSB_RSP);
	rsb_x86_swapgs(code);
	rsb_x86_sysretq(code);
}

void rsb_kernel_to_kernel(struct rsb_code *code)
{
	pop(code, 0);
	rsb_x86_add_imm(code, RSB_RSP, 8);
	rsb_x86_iretq(code);
}

/* The depth with one call accounted is what a call since the entry makes of it: sar $5. */
static void reset_call_depth(struct rsb_code *code, bool called)
{
	rsb_x86_mov_imm(code, RSB_RAX, called ? UINT64_C(0xfc) << 56 : RSB_THUNKS_DEPTH_AT_ENTRY);
	rsb_x86_gs_store(code, (int32_t)rsb_code_forms(code)->account_offset, RSB_RAX);
}

void rsb_kernel_untrain(struct rsb_code *code, bool called)
{
	switch (rsb_code_forms(code)->return_thunk) {
	case RSB_THUNK_RETBLEED:
	case RSB_THUNK_SRSO:
		rsb_x86_call_bare(code, rsb_code_named(code, "entry_untrain_ret"));
		break;
	case RSB_THUNK_SRSO_ALIAS:
		rsb_x86_call_bare(code, rsb_code_named(code, "srso_alias_untrain_ret"));
		break;
	case RSB_THUNK_CALL_DEPTH:
		reset_call_depth(code, called);
		break;
	default:
		break;
	}
}

/*
 * In the kernel the return thunks are inside of instructions of these, which take their place in
 * the branch predictor; here they are elsewhere, for it is not known what that does to a return
 * stack. Each ends by the return that the thunk makes.
 */
static void emit_retbleed(struct rsb_code *code)
{
	rsb_code_function(code, "retbleed_untrain_ret");
	RSB_X86_BYTES(code, 0xf6, 0xc3, 0xcc); /* test bl, 0xcc */
	rsb_x86_lfence(code);
	rsb_x86_jmp(code, rsb_thunks_return(code));
}

static void emit_srso(struct rsb_code *code)
{
	rsb_code_function(code, "srso_untrain_ret");
	RSB_X86_BYTES(code, 0x48, 0xb8, 0x48, 0x8d, 0x64, 0x24, 0x08, 0xc3, 0xcc, 0xcc);
	rsb_x86_lfence(code); /* behind movabs rax, of the bytes of lea rsp, [rsp + 8] and ret */
	rsb_code_mitigation(code, RSB_MITIGATION_RETURN);
	rsb_x86_call_bare(code, rsb_code_named(code, "srso_safe_ret"));
	rsb_code_mitigation(code, RSB_MITIGATION_NONE);
	rsb_x86_ud2(code);
}

void rsb_kernel_untrain_emit(struct rsb_code *code)
{
	switch (rsb_code_forms(code)->return_thunk) {
	case RSB_THUNK_RETBLEED:
		rsb_code_function(code, "entry_untrain_ret");
		rsb_x86_jmp(code, rsb_code_named(code, "retbleed_untrain_ret"));
		emit_retbleed(code);
		break;
	case RSB_THUNK_SRSO:
		rsb_code_function(code, "entry_untrain_ret");
		rsb_x86_jmp(code, rsb_code_named(code, "srso_untrain_ret"));
		emit_srso(code);
		break;
	case RSB_THUNK_SRSO_ALIAS:
		rsb_code_function(code, "srso_alias_untrain_ret");
		rsb_x86_nop(code, 2);
		rsb_x86_lfence(code);
		rsb_x86_jmp(code, rsb_thunks_return(code));
		break;
	default:
		break;
	}
}

void rsb_kernel_barrier(struct rsb_code *code)
{
	rsb_x86_call_bare(code, rsb_code_named(code, "entry_ibpb"));
}

#define PRED_CMD 0x49 /* IA32_PRED_CMD, and its bit IBPB (Intel SDM volume 4) */
#define IBPB     1
#define FILL     32 /* RSB_CLEAR_LOOPS */

void rsb_kernel_barrier_emit(struct rsb_code *code, bool fills)
{
	rsb_code_function(code, "entry_ibpb");
	rsb_x86_mov_imm(code, RSB_RCX, PRED_CMD);
	rsb_x86_mov_imm(code, RSB_RAX, IBPB);
	rsb_x86_zero(code, RSB_RDX);
	RSB_X86_BYTES(code, 0x0f, 0x30); /* wrmsr */
	if (fills)
		rsb_thunks_fill_emit(code, FILL);
	rsb_x86_return_unaccounted(code);
}

#define CLEARINGS 5 /* loops, and branches in each */

void rsb_kernel_clear_history(struct rsb_code *code)
{
	rsb_x86_call_bare(code, rsb_code_named(code, "clear_bhb_loop"));
}

/*
 * Each turn of the outer loop calls one deeper; the ret behind each call is what that returns to.
 */
void rsb_kernel_clear_history_emit(struct rsb_code *code)
{
	rsb_label outer = rsb_code_label(code), called = rsb_code_label(code);
	rsb_label inner = rsb_code_label(code), over = rsb_code_label(code);
	rsb_label end = rsb_code_label(code);

	rsb_code_function(code, "clear_bhb_loop");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_x86_mov_imm(code, RSB_RCX, CLEARINGS);
	rsb_x86_call_bare(code, outer);
	rsb_x86_jmp(code, end);
	rsb_code_align(code, 64, 0xcc);
	rsb_code_place(code, outer);
	rsb_x86_call_bare(code, called);
	rsb_x86_return_unaccounted(code);
	rsb_code_align(code, 64, 0xcc);
	rsb_code_place(code, called);
	rsb_x86_mov_imm(code, RSB_RAX, CLEARINGS);
	rsb_code_place(code, inner);
	rsb_x86_jmp_short(code, over);
	rsb_x86_nop(code, 1);
	rsb_code_place(code, over);
	rsb_x86_sub_imm(code, RSB_RAX, 1);
	rsb_x86_jcc_short(code, RSB_NOT_EQUAL, inner);
	rsb_x86_sub_imm(code, RSB_RCX, 1);
	rsb_x86_jcc(code, RSB_NOT_EQUAL, outer);
	rsb_x86_return_unaccounted(code);
	rsb_code_place(code, end);
	rsb_x86_lfence(code);
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return_unaccounted(code);
}
