/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runner's child: what it is given, what it leaves behind, and its steps. */
#ifndef RSB_SIM_NATIVE_CHILD_H
#define RSB_SIM_NATIVE_CHILD_H

#include "sim/native/runner.h"

#include <stddef.h>

/* Built where it can run. */
#if defined(__x86_64__) && defined(__linux__)
#define RSB_NATIVE_HERE 1
#include <sys/syscall.h>
#else
#define RSB_NATIVE_HERE 0
#endif

/* A segment as the child maps it. */
struct rsb_native_segment {
	const char *name;
	uint64_t address, size;
	unsigned access;
	uint8_t *bytes;
};

struct rsb_native_plan {
	struct rsb_native_visit visit;
	struct rsb_native_segment *segments;
	size_t count;
	uint64_t entry, fs_base, gs_base;
	bool stack_executable;
};

/* How far the child came. */
enum rsb_native_step {
	RSB_NATIVE_STARTED,
	RSB_NATIVE_REFUSED, /* it could not be set up: number and where say why */
	RSB_NATIVE_RUNNING,
	RSB_NATIVE_FAULTED, /* a signal: number, and the instruction's address */
	RSB_NATIVE_DONE,
};

/* Of RSB_NATIVE_REFUSED: what was refused. */
enum rsb_native_refusal {
	RSB_NATIVE_NO_MAPPING, /* where: the segment's number */
	RSB_NATIVE_NO_STACK,
	RSB_NATIVE_NO_BASE, /* FS and GS can not be set */
	RSB_NATIVE_NO_LIMITS,
	RSB_NATIVE_NO_FILTER,
	RSB_NATIVE_NO_PROCESSOR,
};

/* In memory that parent and child share. The child's code may write anything here. */
struct rsb_native_board {
	uint32_t step, refusal;
	int32_t number; /* an errno, or a signal */
	uint32_t taken; /* samples */
	uint64_t where; /* an address, or a segment's number */
	struct rsb_native_sample samples[RSB_NATIVE_SAMPLES_MAX];
};

/* Reads the image into a plan. rsb_native_plan_clear() in any case. */
bool rsb_native_plan(struct rsb_native_plan *plan, const struct rsb_image *image,
		     const struct rsb_native_visit *visit, struct rsb_error *error);
void rsb_native_plan_clear(struct rsb_native_plan *plan);

/*
 * The child's life, after fork() in whatever process this is: it does not return, and takes no
 * lock. It begins when the file start ends; the file alive is kept open, so that the parent sees
 * the child's end.
 */
void rsb_native_child(const struct rsb_native_plan *plan, struct rsb_native_board *board, int start,
		      int alive);

/*
 * Ends the process, by the one system call that the filter lets it make. Not a call, and not said
 * never to return: before such a one sanitizers make system calls of their own.
 */
static inline __attribute__((always_inline)) void rsb_native_leave(long status)
{
#if RSB_NATIVE_HERE
	for (;;)
		__asm__ volatile("syscall"
				 :
				 : "a"(SYS_exit_group), "D"(status)
				 : "rcx", "r11", "memory");
#else
	(void)status;
#endif
}

/* Kills the process at system calls but those to end it, and getppid if that is allowed. */
bool rsb_native_filter(bool getppid);

/* What rsb_native_enter() is given and leaves. Its layout is known to the assembly. */
struct rsb_native_frame {
	uint64_t entry, stack;
	uint64_t warmup, rounds;
	uint64_t fs_base, gs_base;
	uint64_t bases; /* not 0: set them */
	uint64_t ticks;
	uint64_t left, fs_kept, gs_kept; /* rounds left; what the bases were */
};

/* Calls the entry warmup and then rounds times on that stack, and takes the time of the latter. */
void rsb_native_enter(struct rsb_native_frame *frame);

/* Ticks of RSB_NATIVE_CHAIN additions that wait for each other. */
uint64_t rsb_native_chain(void);

#endif
