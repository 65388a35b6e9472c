/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runner's child. Everything it needs is made before the filter closes; afterwards it only
 * computes, and ends. A fault is told by a handler on a stack of its own, which writes on the board
 * and ends the process: where the code has spoilt that too, the signal itself is what is seen.
 */
#define _GNU_SOURCE
#include "sim/native/child.h"

#if RSB_NATIVE_HERE

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#define HWCAP2_BASES 2 /* asm/hwcap2.h: HWCAP2_FSGSBASE */

#define STACK_SIZE   (UINT64_C(1) << 20) /* as the machine's */
#define GUARD        (UINT64_C(1) << 16)
#define FILES        1024 /* more than this program has open */
#define HANDLER_SIZE (UINT64_C(1) << 16)

/* The one who handles signals has no other way to it. Only the child writes it. */
static struct rsb_native_board *signal_board;

static void refuse(struct rsb_native_board *board, enum rsb_native_refusal what, uint64_t where)
{
	board->number = errno;
	board->refusal = what;
	board->where = where;
	board->step = RSB_NATIVE_REFUSED;
	rsb_native_leave(0);
}

/* FS may be the code's here, so that nothing of this thread's own memory is touched. */
static void on_signal(int number, siginfo_t *info, void *from)
{
	const ucontext_t *context = from;

	(void)info;
	signal_board->number = number;
	signal_board->where = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	signal_board->step = RSB_NATIVE_FAULTED;
	rsb_native_leave(0);
}

static int protection(unsigned access)
{
	return (access & RSB_READ ? PROT_READ : 0) | (access & RSB_WRITE ? PROT_WRITE : 0) |
	       (access & RSB_EXECUTE ? PROT_EXEC : 0);
}

static bool map_segment(const struct rsb_native_segment *segment)
{
	void *at = (void *)(uintptr_t)segment->address; // NOLINT
	void *got = mmap(at, segment->size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (got == MAP_FAILED)
		return false;
	if (got != at) { /* a kernel that takes the flag for a hint */
		errno = EEXIST;
		return false;
	}
	memcpy(at, segment->bytes, segment->size);
	return !mprotect(at, segment->size, protection(segment->access));
}

/* A stack between two guards; returns its end, or 0. */
static uint64_t map_stack(uint64_t size, int extra)
{
	uint8_t *start =
		mmap(NULL, size + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (start == MAP_FAILED || mprotect(start + GUARD, size, PROT_READ | PROT_WRITE | extra))
		return 0;
	memset(start + GUARD, 0, size);
	return (uint64_t)(uintptr_t)(start + GUARD + size);
}

static bool handle_signals(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGXCPU };
	uint64_t end = map_stack(HANDLER_SIZE, 0);
	const stack_t stack = {
		.ss_sp = (void *)(uintptr_t)(end - HANDLER_SIZE), // NOLINT
		.ss_size = HANDLER_SIZE,
	};
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };

	if (!end || sigaltstack(&stack, NULL))
		return false;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (sigaction(faults[i], &action, NULL))
			return false;
	return true;
}

/* What the parent has set up for itself is not for the code: its handlers, mask and files. */
static void forget_parent(int alive)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int file = 0; file < FILES; file++)
		if (file != alive)
			close(file);
}

static bool limit(int what, rlim_t value)
{
	const struct rlimit both = { value, value };

	return !setrlimit(what, &both);
}

/* The clock of the parent is what counts; this is for a parent that is gone. */
static bool set_limits(const struct rsb_native_plan *plan)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return !prctl(PR_SET_DUMPABLE, 0) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) &&
	       limit(RLIMIT_CPU, (rlim_t)plan->visit.seconds + 2);
}

static bool stay_on(int processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((unsigned)processor, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

static void set_up(const struct rsb_native_plan *plan, struct rsb_native_board *board,
		   struct rsb_native_frame *frame)
{
	bool bases = plan->fs_base || plan->gs_base;

	for (size_t i = 0; i < plan->count; i++)
		if (!map_segment(&plan->segments[i]))
			refuse(board, RSB_NATIVE_NO_MAPPING, i);
	frame->stack = map_stack(STACK_SIZE, plan->stack_executable ? PROT_EXEC : 0);
	if (!frame->stack || !handle_signals())
		refuse(board, RSB_NATIVE_NO_STACK, 0);
	if (bases && !(getauxval(AT_HWCAP2) & HWCAP2_BASES))
		refuse(board, RSB_NATIVE_NO_BASE, 0);
	if (plan->visit.processor >= 0 && !stay_on(plan->visit.processor))
		refuse(board, RSB_NATIVE_NO_PROCESSOR, 0);
	if (!set_limits(plan))
		refuse(board, RSB_NATIVE_NO_LIMITS, 0);
	if (!rsb_native_filter(plan->visit.getppid))
		refuse(board, RSB_NATIVE_NO_FILTER, 0);
	frame->entry = plan->entry;
	frame->warmup = plan->visit.warmup;
	frame->rounds = plan->visit.rounds;
	frame->fs_base = plan->fs_base;
	frame->gs_base = plan->gs_base;
	frame->bases = bases;
}

static void wait_for_start(int start)
{
	char byte;

	while (read(start, &byte, 1) < 0 && errno == EINTR)
		;
}

static void measure(const struct rsb_native_plan *plan, struct rsb_native_board *board,
		    struct rsb_native_frame *frame)
{
	for (unsigned i = 0; i < plan->visit.samples; i++) {
		struct rsb_native_sample *sample = &board->samples[i];

		sample->before = rsb_native_chain();
		rsb_native_enter(frame);
		sample->ticks = frame->ticks;
		sample->after = rsb_native_chain();
		board->taken = i + 1;
	}
}

void rsb_native_child(const struct rsb_native_plan *plan, struct rsb_native_board *board, int start,
		      int alive)
{
	struct rsb_native_frame frame = { 0 };

	signal_board = board;
	wait_for_start(start);
	forget_parent(alive);
	set_up(plan, board, &frame);
	board->step = RSB_NATIVE_RUNNING;
	measure(plan, board, &frame);
	board->step = RSB_NATIVE_DONE;
	rsb_native_leave(0);
}

#endif
