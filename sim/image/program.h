/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole programs: an image that is run from where the system would start it. Its rsb_round is
 * entered by a jump with the stack that execve() leaves (System V ABI for x86-64, 3.4.1: argc,
 * argv, envp, auxiliary vector), and does not return: the program ends by exit_group(). What calls
 * the traced function is the program's own code, so that there is no rsb_traced_call.
 */
#ifndef RSB_SIM_IMAGE_PROGRAM_H
#define RSB_SIM_IMAGE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define RSB_PROGRAM_NAME 64

/* What a file says of how it is started. */
struct rsb_start {
	uint64_t entry;                 /* its first instruction; 0: it says nothing of it */
	uint64_t headers, header_count; /* its program headers in memory; 0: they are not there */
	bool dynamic;                   /* a loader is to start it, which is not in the image */
};

struct rsb_program {
	uint64_t entry;  /* the round begins when control first comes here */
	uint64_t traced; /* the function whose calls are scored */
	bool whole;      /* no function: what runs from the entry on is one span */
	struct rsb_start start;
	char name[RSB_PROGRAM_NAME];     /* argv[0] */
	uint64_t heap, heap_end;         /* free for brk() */
	uint64_t mappings, mappings_end; /* free for mmap() */
};

#endif
