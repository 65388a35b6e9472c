/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls of Linux that a small static program makes. To serve one more: a row.
 */
#include "sim/machine/private.h"
#include "sim/machine/registers.h"

#include <errno.h>

#define PROCESS 1000 /* every id */

/* Copies a result out. */
int64_t rsb_program_give(struct rsb_machine *machine, uint64_t address, const void *bytes,
			 size_t size)
{
	return rsb_program_write(machine, address, bytes, size) ? 0 : -EFAULT;
}

int64_t rsb_program_offer(struct rsb_machine *machine, uint64_t address, const void *bytes,
			  size_t size)
{
	return address ? rsb_program_give(machine, address, bytes, size) : 0;
}

static int64_t nothing(struct rsb_machine *machine, const uint64_t arguments[6])
{
	(void)machine;
	(void)arguments;
	return 0;
}

static int64_t process(struct rsb_machine *machine, const uint64_t arguments[6])
{
	(void)machine;
	(void)arguments;
	return PROCESS;
}

static int64_t absent(struct rsb_machine *machine, const uint64_t arguments[6])
{
	(void)machine;
	(void)arguments;
	return -ENOENT;
}

static int64_t unknown(struct rsb_machine *machine, const uint64_t arguments[6])
{
	(void)machine;
	(void)arguments;
	return -ENOSYS;
}

/* By their numbers. */
static const struct {
	unsigned number;
	rsb_program_call *call;
} calls[] = {
	{ 0 /* read */, rsb_call_read_file },
	{ 1 /* write */, rsb_call_write_file },
	{ 2 /* open */, absent },
	{ 3 /* close */, nothing },
	{ 4 /* stat */, absent },
	{ 5 /* fstat */, rsb_call_describe_file },
	{ 6 /* lstat */, absent },
	{ 8 /* lseek */, rsb_call_seek },
	{ 9 /* mmap */, rsb_call_mmap },
	{ 10 /* mprotect */, rsb_call_mprotect },
	{ 11 /* munmap */, rsb_call_munmap },
	{ 12 /* brk */, rsb_call_brk },
	{ 13 /* rt_sigaction */, rsb_call_set_action },
	{ 14 /* rt_sigprocmask */, rsb_call_set_mask },
	{ 16 /* ioctl */, rsb_call_control_terminal },
	{ 20 /* writev */, rsb_call_write_vectors },
	{ 21 /* access */, absent },
	{ 24 /* sched_yield */, nothing },
	{ 28 /* madvise */, nothing },
	{ 35 /* nanosleep */, nothing },
	{ 39 /* getpid */, process },
	{ 60 /* exit */, rsb_call_leave },
	{ 63 /* uname */, rsb_call_name_system },
	{ 72 /* fcntl */, rsb_call_control_file },
	{ 89 /* readlink */, absent },
	{ 96 /* gettimeofday */, rsb_call_tell_day },
	{ 97 /* getrlimit */, rsb_call_get_limit },
	{ 98 /* getrusage */, rsb_call_tell_usage },
	{ 102 /* getuid */, process },
	{ 104 /* getgid */, process },
	{ 107 /* geteuid */, process },
	{ 108 /* getegid */, process },
	{ 110 /* getppid */, process },
	{ 131 /* sigaltstack */, rsb_call_set_signal_stack },
	{ 158 /* arch_prctl */, rsb_call_set_base },
	{ 186 /* gettid */, process },
	{ 201 /* time */, rsb_call_tell_time },
	{ 202 /* futex */, rsb_call_use_futex },
	{ 204 /* sched_getaffinity */, rsb_call_get_affinity },
	{ 218 /* set_tid_address */, process },
	{ 228 /* clock_gettime */, rsb_call_tell_clock },
	{ 229 /* clock_getres */, rsb_call_tell_resolution },
	{ 230 /* clock_nanosleep */, nothing },
	{ 231 /* exit_group */, rsb_call_leave },
	{ 257 /* openat */, absent },
	{ 262 /* newfstatat */, rsb_call_describe_path },
	{ 267 /* readlinkat */, absent },
	{ 273 /* set_robust_list */, nothing },
	{ 302 /* prlimit64 */, rsb_call_change_limit },
	{ 318 /* getrandom */, rsb_call_give_random },
	{ 334 /* rseq */, unknown },
};

/* NULL: it is not served. */
static rsb_program_call *find(uint64_t number)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].number == number)
			return calls[i].call;
	return NULL;
}

/* The registers as the system leaves them: rcx and r11 are the instruction's own. */
static void return_from(uc_engine *engine, int64_t result)
{
	uint64_t rip = rsb_register_read(engine, UC_X86_REG_RIP);
	uint64_t flags = rsb_register_read(engine, UC_X86_REG_EFLAGS);

	uc_reg_write(engine, UC_X86_REG_RCX, &rip);
	uc_reg_write(engine, UC_X86_REG_R11, &flags);
	uc_reg_write(engine, UC_X86_REG_RAX, &result);
}

bool rsb_program_serve(struct rsb_machine *machine)
{
	static const int registers[] = { UC_X86_REG_RDI, UC_X86_REG_RSI, UC_X86_REG_RDX,
					 UC_X86_REG_R10, UC_X86_REG_R8,  UC_X86_REG_R9 };
	struct rsb_running *running = &machine->program;
	uint64_t number, arguments[6];
	rsb_program_call *call;
	int64_t result;

	if (!running->called || machine->trouble.kind != RSB_TROUBLE_NONE)
		return false;
	running->called = false;
	number = rsb_register_read(machine->engine, UC_X86_REG_RAX);
	for (size_t i = 0; i < 6; i++)
		arguments[i] = rsb_register_read(machine->engine, registers[i]);
	call = find(number);
	if (!call) {
		rsb_trouble_set(machine, RSB_TROUBLE_UNSERVED, machine->last->last, 0, number);
		return false;
	}
	result = call(machine, arguments);
	return_from(machine->engine, result);
	return !running->ending.ended && machine->trouble.kind == RSB_TROUBLE_NONE;
}
