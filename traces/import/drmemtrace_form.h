/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of DynamoRIO's drmemtrace format, versions 1 to 7
 * (clients/drcachesim/common/trace_entry.h): a file is records of a type, a size and an address.
 */
#ifndef RSB_TRACES_IMPORT_DRMEMTRACE_FORM_H
#define RSB_TRACES_IMPORT_DRMEMTRACE_FORM_H

#define DRMEMTRACE_VERSION_NEWEST    7
#define DRMEMTRACE_VERSION_KERNEL_PC 3 /* from here on KERNEL_EVENT has an address */

/* Types of records. Those without a name here are of data, and of caches. */
enum drmemtrace_type {
	DRMEMTRACE_INSTRUCTION = 10,
	DRMEMTRACE_JUMP = 11,
	DRMEMTRACE_JUMP_INDIRECT = 12,
	DRMEMTRACE_CONDITIONAL = 13, /* until version 4: whether it was taken, the next one tells */
	DRMEMTRACE_CALL = 14,
	DRMEMTRACE_CALL_INDIRECT = 15,
	DRMEMTRACE_RETURN = 16,
	DRMEMTRACE_BUNDLE = 17, /* size instructions that do not branch, a byte of length each */
	DRMEMTRACE_THREAD = 22,
	DRMEMTRACE_THREAD_EXIT = 23,
	DRMEMTRACE_PROCESS = 24,
	DRMEMTRACE_HEADER = 25,
	DRMEMTRACE_FOOTER = 26,
	DRMEMTRACE_MARKER = 28,      /* its kind is in size */
	DRMEMTRACE_NO_FETCH = 29,    /* one more round of a string instruction */
	DRMEMTRACE_MAYBE_FETCH = 30, /* the same if it repeats the address */
	DRMEMTRACE_SYSENTER = 31,
	DRMEMTRACE_TAKEN = 48,
	DRMEMTRACE_UNTAKEN = 49,
	DRMEMTRACE_TYPES = 50,
};

/* Kinds of markers. */
enum drmemtrace_marker {
	DRMEMTRACE_KERNEL_EVENT = 0,    /* a handler begins; value: the interrupted address */
	DRMEMTRACE_KERNEL_TRANSFER = 1, /* a system call put other registers in place */
	DRMEMTRACE_FILE_TYPE = 9,
	DRMEMTRACE_VERSION = 12,
	DRMEMTRACE_WINDOW = 14, /* another value: time is missing before */
	DRMEMTRACE_FILTER_END = 23,
	DRMEMTRACE_SYSCALL = 25,
	DRMEMTRACE_SYSCALL_BEGIN = 27, /* the kernel's own instructions */
	DRMEMTRACE_SYSCALL_END = 28,
	DRMEMTRACE_BRANCH_TARGET = 29, /* of the indirect branch that follows; from version 5 on */
	DRMEMTRACE_SWITCH_BEGIN = 34,  /* the kernel's instructions of a context switch */
	DRMEMTRACE_SWITCH_END = 35,
	DRMEMTRACE_HARDWARE_EVENT = 43, /* as KERNEL_EVENT, in traces of a whole system */
	DRMEMTRACE_HARDWARE_RETURN = 44,
};

/* Bits of FILE_TYPE. */
#define DRMEMTRACE_FILTERED      0x01u /* in old versions: only accesses that missed a cache */
#define DRMEMTRACE_ARM64         0x08u
#define DRMEMTRACE_ARM           0x10u
#define DRMEMTRACE_I386          0x20u
#define DRMEMTRACE_X86_64        0x40u
#define DRMEMTRACE_IFILTERED     0x80u   /* the same of instructions alone */
#define DRMEMTRACE_FILTERED_HEAD 0x2000u /* until FILTER_END only */

#endif
