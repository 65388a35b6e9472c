/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of x86-64 as the engine has them. rip is not among them: between rounds it is
 * always the exit's.
 */
#include "sim/machine/registers.h"

#include <string.h>

#define FLAGS_START   0x202 /* interrupts enabled, and the bit that is always set */
#define CODE_SELECTOR 0x10
#define DATA_SELECTOR 0x18

static const int ids[] = {
	UC_X86_REG_RAX,    UC_X86_REG_RBX,     UC_X86_REG_RCX,     UC_X86_REG_RDX,
	UC_X86_REG_RSI,    UC_X86_REG_RDI,     UC_X86_REG_RBP,     UC_X86_REG_RSP,
	UC_X86_REG_R8,     UC_X86_REG_R9,      UC_X86_REG_R10,     UC_X86_REG_R11,
	UC_X86_REG_R12,    UC_X86_REG_R13,     UC_X86_REG_R14,     UC_X86_REG_R15,
	UC_X86_REG_EFLAGS, UC_X86_REG_FS_BASE, UC_X86_REG_GS_BASE, UC_X86_REG_CS,
	UC_X86_REG_SS,     UC_X86_REG_DS,      UC_X86_REG_ES,      UC_X86_REG_FS,
	UC_X86_REG_GS,     UC_X86_REG_CR0,     UC_X86_REG_CR2,     UC_X86_REG_CR3,
	UC_X86_REG_CR4,    UC_X86_REG_XMM0,    UC_X86_REG_XMM1,    UC_X86_REG_XMM2,
	UC_X86_REG_XMM3,   UC_X86_REG_XMM4,    UC_X86_REG_XMM5,    UC_X86_REG_XMM6,
	UC_X86_REG_XMM7,   UC_X86_REG_XMM8,    UC_X86_REG_XMM9,    UC_X86_REG_XMM10,
	UC_X86_REG_XMM11,  UC_X86_REG_XMM12,   UC_X86_REG_XMM13,   UC_X86_REG_XMM14,
	UC_X86_REG_XMM15,  UC_X86_REG_FP0,     UC_X86_REG_FP1,     UC_X86_REG_FP2,
	UC_X86_REG_FP3,    UC_X86_REG_FP4,     UC_X86_REG_FP5,     UC_X86_REG_FP6,
	UC_X86_REG_FP7,    UC_X86_REG_FPCW,    UC_X86_REG_FPSW,    UC_X86_REG_FPTAG,
	UC_X86_REG_MXCSR,
};

/* Model-specific registers are read by number (AMD manual volume 2, appendix A). */
#define EFER 0xc0000080

static const uint32_t numbers[] = {
	EFER, 0xc0000102, /* KernelGSbase: the other half of swapgs */
};

#define IDS     (sizeof(ids) / sizeof(ids[0]))
#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

_Static_assert(IDS + NUMBERS <= RSB_REGISTERS, "RSB_REGISTERS is too small");

uint64_t rsb_register_read(uc_engine *engine, int id)
{
	uint64_t value = 0;

	uc_reg_read(engine, id, &value);
	return value;
}

void rsb_registers_read(uc_engine *engine, struct rsb_registers *registers)
{
	memset(registers, 0, sizeof(*registers));
	for (size_t i = 0; i < IDS; i++)
		uc_reg_read(engine, ids[i], registers->values[i]);
	for (size_t i = 0; i < NUMBERS; i++) {
		uc_x86_msr msr = { .rid = numbers[i] };

		uc_reg_read(engine, UC_X86_REG_MSR, &msr);
		registers->values[IDS + i][0] = msr.value;
	}
}

bool rsb_msr_write(uc_engine *engine, uint32_t number, uint64_t value)
{
	uc_x86_msr msr = { .rid = number, .value = value };

	return uc_reg_write(engine, UC_X86_REG_MSR, &msr) == UC_ERR_OK;
}

/* Writing a selector loads its segment, which the engine refuses where it gives privileges. */
static bool is_privilege(int id)
{
	switch (id) {
	case UC_X86_REG_CS:
	case UC_X86_REG_SS:
	case UC_X86_REG_DS:
	case UC_X86_REG_ES:
	case UC_X86_REG_FS:
	case UC_X86_REG_GS:
	case UC_X86_REG_CR0:
	case UC_X86_REG_CR4:
		return true;
	default:
		return false;
	}
}

void rsb_registers_write(uc_engine *engine, const struct rsb_registers *registers)
{
	for (size_t i = 0; i < IDS; i++)
		if (!is_privilege(ids[i]))
			uc_reg_write(engine, ids[i], registers->values[i]);
	for (size_t i = 0; i < NUMBERS; i++)
		if (numbers[i] != EFER)
			rsb_msr_write(engine, numbers[i], registers->values[IDS + i][0]);
}

static bool write_all(uc_engine *engine, const struct rsb_memory *memory)
{
	uint64_t flags = FLAGS_START, code = CODE_SELECTOR, data = DATA_SELECTOR;
	uint64_t gs = rsb_image_gs_base(memory->image), fs = rsb_image_fs_base(memory->image);
	uc_x86_mmr table = { 0 };
	size_t size;

	table.base = rsb_memory_table(memory, &size);
	table.limit = (uint32_t)size - 1;
	return uc_reg_write(engine, UC_X86_REG_EFLAGS, &flags) == UC_ERR_OK &&
	       uc_reg_write(engine, UC_X86_REG_GDTR, &table) == UC_ERR_OK &&
	       uc_reg_write(engine, UC_X86_REG_SS, &data) == UC_ERR_OK &&
	       uc_reg_write(engine, UC_X86_REG_CS, &code) == UC_ERR_OK &&
	       uc_reg_write(engine, UC_X86_REG_GS_BASE, &gs) == UC_ERR_OK &&
	       uc_reg_write(engine, UC_X86_REG_FS_BASE, &fs) == UC_ERR_OK;
}

bool rsb_registers_reset(uc_engine *engine, const struct rsb_memory *memory,
			 struct rsb_error *error)
{
	return write_all(engine, memory) ||
	       rsb_error_set(error, "the engine refuses the first registers");
}
