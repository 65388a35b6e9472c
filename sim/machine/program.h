/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole program under way. It is started before the first round, and runs unseen until control
 * first comes to its entry; from there it is the one round that the machine runs. The round ends
 * when the entry returns to where it was called from, or when the program exits.
 *
 * A span is a call of the traced function, outside any other such: calls of it within one belong to
 * that one. A span that is open when the program ends, ends with it.
 */
#ifndef RSB_SIM_MACHINE_PROGRAM_H
#define RSB_SIM_MACHINE_PROGRAM_H

#include "sim/machine/block.h"
#include "sim/machine/machine.h"

#define RSB_RETURNS_MAX 4096 /* places that the traced function is called from */

/* Where calls of the traced function return to, with their marks. */
struct rsb_return_place {
	uint64_t address;
	struct rsb_event traced_call, landing;
};

struct rsb_running {
	const struct rsb_program *what; /* NULL: the image is none */
	bool arrived;                   /* control came to the entry */
	bool begun;                     /* the round came to its first block, which is there */
	const struct rsb_block *from;   /* whose transfer led there */
	bool called;                    /* the engine stopped for a system call */
	struct rsb_return_place *places;
	size_t place_count;
	size_t span;     /* the place that the open span returns to */
	uint64_t end_at; /* where the entry returns to, with this stack pointer; 0: nowhere */
	uint64_t end_rsp;
	struct rsb_ending ending;

	/* What the system keeps. */
	uint64_t brk;   /* the end of the heap */
	uint64_t ticks; /* of its clock, in microseconds */
	uint64_t random;
};

void rsb_program_close(struct rsb_machine *machine);

/*
 * Control comes to this block, the entry's or the traced function's. True: it is the entry's for
 * the first time, and the engine was stopped before it.
 */
bool rsb_program_arrives(struct rsb_machine *machine, const struct rsb_block *block);
void rsb_program_enter(struct rsb_machine *machine, const struct rsb_block *block);

/* The program ended: so does the span that is open. */
void rsb_program_end(struct rsb_machine *machine, bool exited, int status);

/* Does a call that was seen return there? */
bool rsb_program_returns_to(const struct rsb_running *running, uint64_t address);

/*
 * Serves the system call that the engine stopped for. False: there is none, the program ended, or
 * the call is not served, which is the machine's trouble then.
 */
bool rsb_program_serve(struct rsb_machine *machine);

/* Puts the first stack of a process into the machine's; returns its stack pointer. */
uint64_t rsb_program_stack(struct rsb_machine *machine);

/*
 * The program's memory as the system reads and writes it. False: it may not be, or is not there.
 */
bool rsb_program_read(struct rsb_machine *machine, uint64_t address, void *out, uint64_t size);
bool rsb_program_write(struct rsb_machine *machine, uint64_t address, const void *in,
		       uint64_t size);

/*
 * A system call: what it returns, an error as a negative number. The arguments are those of the
 * registers rdi, rsi, rdx, r10, r8, r9.
 */
typedef int64_t rsb_program_call(struct rsb_machine *machine, const uint64_t arguments[6]);

/* Copies a result out: 0, or -EFAULT; and where the program need not want it. */
int64_t rsb_program_give(struct rsb_machine *machine, uint64_t address, const void *bytes,
			 size_t size);
int64_t rsb_program_offer(struct rsb_machine *machine, uint64_t address, const void *bytes,
			  size_t size);

/* In sim/machine/program_files.c, program_process.c and program_memory.c. */
rsb_program_call rsb_call_read_file, rsb_call_write_file, rsb_call_write_vectors, rsb_call_seek,
	rsb_call_control_terminal, rsb_call_control_file, rsb_call_describe_file,
	rsb_call_describe_path;
rsb_program_call rsb_call_leave, rsb_call_set_base, rsb_call_name_system, rsb_call_get_limit,
	rsb_call_change_limit, rsb_call_set_action, rsb_call_set_mask, rsb_call_set_signal_stack,
	rsb_call_get_affinity, rsb_call_use_futex, rsb_call_give_random, rsb_call_tell_clock,
	rsb_call_tell_resolution, rsb_call_tell_day, rsb_call_tell_time, rsb_call_tell_usage;
rsb_program_call rsb_call_brk, rsb_call_mmap, rsb_call_mprotect, rsb_call_munmap;

/* The name of a system call of x86-64. NULL: it has none. */
const char *rsb_program_call_name(uint64_t number);

#endif
