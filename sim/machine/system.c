/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entering a kernel by syscall or an exception and leaving it by sysret or iret, for images that
 * have one (rsb_image_system()). The engine (Unicorn 2.0.1, measured) hands a syscall or an int3 to
 * a hook and goes on behind it; it refuses int1, and sysretq, for none of its processors has the
 * feature; it runs iretq, and loses the kernel's privileges with it, which no register gives back.
 * swapgs, verw, rdmsr, wrmsr and mov to cr3 it runs, but it keeps bit 63 of CR3, which a processor
 * never does.
 */
#include "sim/machine/private.h"

#include "sim/machine/registers.h"

#include <string.h>

#define KERNEL_GS_BASE 0xc0000102u

/*
 * What Linux clears in the flags at a system call: MSR FMASK as syscall_init() sets it
 * (arch/x86/kernel/cpu/common.c, Linux 5.12 and later). Carry, parity, adjust, zero, sign, trap,
 * interrupt, direction, overflow, IOPL, nested task, resume, alignment check, ID.
 */
#define CLEARED UINT64_C(0x257fd5)

/* What sysret takes from r11, and what it sets (Intel SDM volume 2, SYSRET). */
#define RESTORED UINT64_C(0x3c7fd7)
#define ALWAYS   UINT64_C(2)

#define KEEP (UINT64_C(1) << 63) /* of what is written to CR3: the TLB keeps its entries */

#define GENERAL_PROTECTION 13

/* What an interrupt gate clears: trap, interrupt, nested task, resume, virtual 8086. */
#define UNINTERRUPTED UINT64_C(0x34300)

/* The selectors of Linux (arch/x86/include/asm/segment.h). */
enum { KERNEL_CS = 0x10, KERNEL_DS = 0x18, USER_DS = 0x2b, USER_CS = 0x33 };

#define INT1 0xf1

#define RING 3u /* the bits of a selector that say how privileged it is */

static void touch(struct rsb_machine *machine, uint64_t address)
{
	bool added;

	if (!machine->system.flushed)
		return;
	if (!rsb_pages_add(&machine->system.pages, address, &added)) {
		rsb_error_set(&machine->trouble.error, "out of memory for pages");
		rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, machine->last->start, 0, 0);
	}
	machine->round.pages += added;
}

void rsb_system_touch(struct rsb_machine *machine, const struct rsb_block *block)
{
	touch(machine, block->start);
	touch(machine, block->end - 1);
}

static void on_data(uc_engine *engine, uc_mem_type type, uint64_t address, int size, int64_t value,
		    void *context)
{
	(void)engine;
	(void)type;
	(void)value;
	touch(context, address);
	touch(context, address + (uint64_t)size - 1);
}

bool rsb_system_open(struct rsb_machine *machine, struct rsb_error *error)
{
	const struct rsb_system *system = rsb_image_system(machine->image);
	uc_engine *engine = machine->engine;
	uc_hook hook;

	if (!system)
		return true;
	machine->blocks.pages = true;
	if (!rsb_msr_write(engine, KERNEL_GS_BASE, system->gs_base) ||
	    uc_reg_write(engine, UC_X86_REG_CR3, &system->page_tables) ||
	    uc_context_alloc(engine, &machine->system.kernel) ||
	    uc_context_save(engine, machine->system.kernel))
		return rsb_error_set(error, "the engine refuses the first registers");
	return !uc_hook_add(engine, &hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, on_data, machine,
			    RSB_HOOK_EVERYWHERE) ||
	       rsb_error_set(error, "the engine refuses a hook");
}

void rsb_system_close(struct rsb_machine *machine)
{
	if (machine->system.kernel)
		uc_context_free(machine->system.kernel);
	rsb_pages_release(&machine->system.pages);
}

static bool stop(struct rsb_machine *machine, enum rsb_entering what)
{
	machine->system.entering = what;
	uc_emu_stop(machine->engine);
	return true;
}

bool rsb_system_call(struct rsb_machine *machine)
{
	const struct rsb_system *system = rsb_image_system(machine->image);

	return system && system->entry && stop(machine, RSB_ENTERING_SYSCALL);
}

bool rsb_system_except(struct rsb_machine *machine)
{
	const struct rsb_system *system = rsb_image_system(machine->image);

	return system && system->exception && stop(machine, RSB_ENTERING_EXCEPTION);
}

/* Gives the engine a kernel's privileges back, with the registers that it has. */
static void regain(struct rsb_machine *machine)
{
	struct rsb_registers registers;

	if (!(rsb_register_read(machine->engine, UC_X86_REG_CS) & RING))
		return;
	rsb_registers_read(machine->engine, &registers);
	uc_context_restore(machine->engine, machine->system.kernel);
	rsb_registers_write(machine->engine, &registers);
}

/* Of the code that is left for the kernel. */
struct left {
	uint64_t rip, flags;
};

/* Intel SDM volume 2, SYSCALL. The stack pointer is the caller's until the kernel changes it. */
static void enter_by_syscall(struct rsb_machine *machine, const struct rsb_system *system,
			     const struct left *left)
{
	uint64_t cleared = (left->flags & ~CLEARED) | ALWAYS;

	uc_reg_write(machine->engine, UC_X86_REG_RCX, &left->rip);
	uc_reg_write(machine->engine, UC_X86_REG_R11, &left->flags);
	uc_reg_write(machine->engine, UC_X86_REG_EFLAGS, &cleared);
	uc_reg_write(machine->engine, UC_X86_REG_RIP, &system->entry);
}

/*
 * Intel SDM volume 3, 6.14: the frame is pushed on the stack that the TSS has, or the one that is
 * in use, from a multiple of 16 on. Through an interrupt gate, as Linux has them for these
 * (arch/x86/kernel/idt.c). The engine need not be in the ring that the code would be in.
 */
static void enter_by_exception(struct rsb_machine *machine, const struct rsb_system *system,
			       const struct left *left)
{
	uint64_t cleared = left->flags & ~UNINTERRUPTED;
	const uint64_t frame[] = { left->rip, system->kernel ? KERNEL_CS : USER_CS, left->flags,
				   machine->system.caller_rsp,
				   system->kernel ? KERNEL_DS : USER_DS };
	uint64_t rsp = system->stack ? system->stack : machine->system.caller_rsp;

	rsp = (rsp & ~(uint64_t)15) - sizeof(frame);
	for (uint64_t at = rsp; at < rsp + sizeof(frame); at += sizeof(frame) - 1)
		if (!rsb_memory_find(&machine->memory, at))
			rsb_memory_load(&machine->memory, at, &machine->trouble.error);
	if (rsb_memory_write(&machine->memory, rsp, frame, sizeof(frame)) != sizeof(frame))
		rsb_trouble_set(machine, RSB_TROUBLE_WRITE, machine->last->last, rsp, 0);
	uc_reg_write(machine->engine, UC_X86_REG_RSP, &rsp);
	uc_reg_write(machine->engine, UC_X86_REG_EFLAGS, &cleared);
	uc_reg_write(machine->engine, UC_X86_REG_RIP, &system->exception);
}

static void enter(struct rsb_machine *machine)
{
	const struct rsb_system *system = rsb_image_system(machine->image);
	enum rsb_entering what = machine->system.entering;
	const struct left left = {
		.rip = rsb_register_read(machine->engine, UC_X86_REG_RIP),
		.flags = rsb_register_read(machine->engine, UC_X86_REG_EFLAGS),
	};

	machine->system.entering = RSB_ENTERING_NOTHING;
	machine->system.inside = true;
	machine->system.caller_rsp = rsb_register_read(machine->engine, UC_X86_REG_RSP);
	regain(machine);
	if (what == RSB_ENTERING_SYSCALL)
		enter_by_syscall(machine, system, &left);
	else
		enter_by_exception(machine, system, &left);
}

/* A debug exception by int1, which is a trap: the next instruction is what it goes back to. */
static bool except(struct rsb_machine *machine)
{
	uint64_t pc = rsb_register_read(machine->engine, UC_X86_REG_RIP), next = pc + 1;
	uint8_t byte;

	if (!rsb_image_system(machine->image)->exception ||
	    rsb_memory_read(&machine->memory, pc, &byte, sizeof(byte)) != sizeof(byte) ||
	    byte != INT1)
		return false;
	uc_reg_write(machine->engine, UC_X86_REG_RIP, &next);
	enter(machine);
	return true;
}

/* To 64-bit code: sysretq. */
static bool is_sysret(const struct rsb_machine *machine, uint64_t pc)
{
	static const uint8_t sysretq[] = { 0x48, 0x0f, 0x07 };
	uint8_t bytes[sizeof(sysretq)];

	return rsb_memory_read(&machine->memory, pc, bytes, sizeof(bytes)) == sizeof(bytes) &&
	       memcmp(bytes, sysretq, sizeof(sysretq)) == 0;
}

static bool is_canonical(uint64_t address)
{
	uint64_t high = address >> 47;

	return high == 0 || high == UINT64_MAX >> 47;
}

/*
 * Intel SDM volume 2, SYSRET. The engine stays as privileged as it is; the code that follows is our
 * own and does not ask.
 */
static bool leave(struct rsb_machine *machine)
{
	uint64_t pc = rsb_register_read(machine->engine, UC_X86_REG_RIP);
	uint64_t next = rsb_register_read(machine->engine, UC_X86_REG_RCX);
	uint64_t flags = rsb_register_read(machine->engine, UC_X86_REG_R11);

	if (!is_sysret(machine, pc))
		return false;
	if (!is_canonical(next)) {
		rsb_trouble_set(machine, RSB_TROUBLE_EXCEPTION, pc, next, GENERAL_PROTECTION);
		return false;
	}
	flags = (flags & RESTORED) | ALWAYS;
	uc_reg_write(machine->engine, UC_X86_REG_EFLAGS, &flags);
	uc_reg_write(machine->engine, UC_X86_REG_RIP, &next);
	return true;
}

bool rsb_system_resume(struct rsb_machine *machine, uc_err code)
{
	if (machine->trouble.kind != RSB_TROUBLE_NONE || !rsb_image_system(machine->image))
		return false;
	if (code == UC_ERR_INSN_INVALID)
		return except(machine) || leave(machine);
	if (code != UC_ERR_OK || !machine->system.entering)
		return false;
	enter(machine);
	return true;
}

void rsb_system_wrote_cr3(struct rsb_machine *machine, const struct rsb_block *block)
{
	uint64_t value = rsb_register_read(machine->engine, UC_X86_REG_CR3);
	uint64_t kept = value & ~KEEP;

	rsb_environment_tell(machine,
			     value & KEEP ? RSB_ENVIRONMENT_CR3 : RSB_ENVIRONMENT_CR3_FLUSH,
			     block->last);
	if (value & KEEP) {
		uc_reg_write(machine->engine, UC_X86_REG_CR3, &kept);
	} else {
		machine->system.flushed = true;
		rsb_pages_clear(&machine->system.pages);
	}
}
