/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter of the runner's child: seccomp with a program of a few instructions. Whatever the
 * system call is asked through (another instruction set's numbers too), it is ended at once, as a
 * process; only that is safe, as the code could do anything in a handler.
 */
#define _GNU_SOURCE
#include "sim/native/child.h"

#if RSB_NATIVE_HERE

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The next instruction but so many, if the number is this one. */
#define JUMP_EQUAL(number, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), (yes), (no))

bool rsb_native_filter(bool getppid)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		JUMP_EQUAL(AUDIT_ARCH_X86_64, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		JUMP_EQUAL(SYS_exit_group, 3, 0),
		JUMP_EQUAL(SYS_exit, 2, 0),
		JUMP_EQUAL(getppid ? SYS_getppid : SYS_exit, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {
		.len = sizeof(program) / sizeof(*program),
		.filter = program,
	};

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

#endif
