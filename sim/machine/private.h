/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's insides, for the files of sim/machine alone. */
#ifndef RSB_SIM_MACHINE_PRIVATE_H
#define RSB_SIM_MACHINE_PRIVATE_H

#include "sim/machine/block.h"
#include "sim/machine/happen.h"
#include "sim/machine/machine.h"
#include "sim/machine/manner.h"
#include "sim/machine/memory.h"
#include "sim/machine/pages.h"
#include "sim/machine/program.h"
#include "sim/machine/shadow.h"
#include "sim/machine/watch.h"

/* What went wrong; each has its row in sim/machine/trouble.c. */
enum rsb_trouble_kind {
	RSB_TROUBLE_NONE,
	RSB_TROUBLE_READ,  /* nothing mapped */
	RSB_TROUBLE_WRITE, /* nothing mapped */
	RSB_TROUBLE_FETCH, /* nothing mapped */
	RSB_TROUBLE_NOT_READABLE,
	RSB_TROUBLE_NOT_WRITABLE,
	RSB_TROUBLE_NOT_EXECUTABLE,
	RSB_TROUBLE_RUN_OFF,   /* the code goes on where nothing is mapped */
	RSB_TROUBLE_OVERFLOW,  /* an access below the stack */
	RSB_TROUBLE_UNDERFLOW, /* an access above it */
	RSB_TROUBLE_SHADOW,    /* nothing mapped where the shadow stack goes on */
	RSB_TROUBLE_LOAD,      /* memory could not be brought in: its own message */
	RSB_TROUBLE_REFUSED,   /* an instruction that the engine does not have */
	RSB_TROUBLE_UNKNOWN,   /* an instruction whose length nobody knows */
	RSB_TROUBLE_MISRUN,    /* one that the engine takes for another, or dies of */
	RSB_TROUBLE_EXCEPTION, /* detail: the vector */
	RSB_TROUBLE_INTERRUPT, /* detail: the vector; by int n or int3 */
	RSB_TROUBLE_SYSCALL,   /* detail: the number in rax */
	RSB_TROUBLE_UNSERVED,  /* the same, of a program's that the table does not have */
	RSB_TROUBLE_NO_ENTRY, /* the program ended before it came to its entry; detail: its status */
	RSB_TROUBLE_HALT,
	RSB_TROUBLE_BUDGET,
	RSB_TROUBLE_AGAIN,        /* a traced call while another has not landed */
	RSB_TROUBLE_NEVER_LANDED, /* the round ended first */
	RSB_TROUBLE_UNBALANCED,   /* the round ended with another stack pointer */
	RSB_TROUBLE_MEMORY,       /* ours ran out: its own message */
	RSB_TROUBLE_ENGINE,       /* any other error of the engine: its own message */
};

struct rsb_trouble {
	enum rsb_trouble_kind kind;
	uint64_t pc;      /* of the instruction */
	bool somewhere;   /* pc is that of the block that the instruction is in */
	uint64_t address; /* touched, or gone to */
	uint64_t detail;
	struct rsb_error error; /* of the kinds that have their own message */
};

struct rsb_shadow_state {
	uint64_t ssp;
	uint64_t landing_ssp;        /* where it should be when the traced call lands */
	struct rsb_shadow_fault now; /* of the instruction that is about to run */
	struct rsb_shadow_tally tally;
};

/* What enters a kernel. */
enum rsb_entering { RSB_ENTERING_NOTHING, RSB_ENTERING_SYSCALL, RSB_ENTERING_EXCEPTION };

struct rsb_system_state {
	uc_context *kernel;         /* the engine with a kernel's privileges */
	enum rsb_entering entering; /* what the engine was stopped at */
	bool inside;                /* the kernel runs; of meaning only with a shadow stack */
	uint64_t caller_rsp;        /* when it was entered */
	bool flushed;               /* the TLB was, at least once */
	struct rsb_pages pages;     /* touched since the TLB was flushed */
};

/* A rdtsc or rdtscp that a ud2 took the place of. */
struct rsb_clock_place {
	uint64_t pc;
	size_t length;
};

struct rsb_clock {
	struct rsb_clock_place *places;
	size_t count;
	bool stopped;   /* the engine was, before this block */
	uint64_t block; /* its start */
	uint32_t size;
	bool again; /* all translations were dropped for the block */
};

#define RSB_BAR_SIZE 2
#define RSB_BARS_MAX 16 /* the run ends at the first that is reached */

/* An instruction that would end the process, and that a ud2 took the place of. */
struct rsb_bar {
	uint64_t pc;
	uint8_t bytes[RSB_BAR_SIZE]; /* that the ud2 is written over */
};

#define RSB_ARGUMENTS 6 /* registers that a function has its first arguments in */

struct rsb_machine {
	const struct rsb_image *image;
	const struct rsb_manner *manner;
	struct rsb_sites *sites;
	struct rsb_machine_options options;
	const struct rsb_watcher *watcher; /* NULL: nobody watches */
	uint64_t entry, traced_call, landing;
	struct rsb_event marks[3]; /* by enum rsb_mark */

	uc_engine *engine;
	bool exact; /* the engine keeps rip right at each access to memory; slower */
	struct rsb_disassembler disassembler;
	struct rsb_memory memory;
	struct rsb_blocks blocks;
	struct rsb_shadow_state shadow; /* of no meaning unless memory.shadow */
	struct rsb_running program;
	struct rsb_clock clock;
	struct rsb_system_state system; /* of no meaning unless the image has a kernel to enter */
	uint64_t rounds;                /* begun */
	struct rsb_bar bars[RSB_BARS_MAX];
	size_t bar_count;

	/*
	 * Of each incident of the image: times that its place was reached since it happened last,
	 * and a bit, whether it was at all.
	 */
	uint64_t phases[RSB_INCIDENTS_MAX], reached;

	/* The round that runs. */
	struct rsb_trace *trace;
	const struct rsb_block *last;      /* the block before, whose transfer the next one tells */
	uint64_t left;                     /* of the budget, in instructions */
	uint64_t extra;                    /* spent of the budget for what is no new instruction */
	uint64_t rsp;                      /* when the round began, above its return address */
	bool open;                         /* a traced call has not landed */
	uint64_t arguments[RSB_ARGUMENTS]; /* at that call, of a machine that is exact */
	uint64_t landing_rsp;
	uint64_t traced_start; /* instructions up to that call, with it */
	struct rsb_round round;
	struct rsb_trouble trouble; /* the first one */
};

/* A hook's range that begins after its end has no bounds. */
#define RSB_HOOK_EVERYWHERE UINT64_C(1), UINT64_C(0)

/* Runs on from pc to the end of a round, or to a program's entry; trouble is kept. */
void rsb_machine_run(struct rsb_machine *machine, uint64_t pc);

/* Adds an event, or is trouble. */
void rsb_machine_record(struct rsb_machine *machine, uint32_t site, uint32_t target);

/* What the mark at pc is recorded as; it is about that address. False: no memory for sites. */
bool rsb_mark_intern(struct rsb_machine *machine, enum rsb_mark mark, uint64_t pc,
		     struct rsb_event *event);

/*
 * Open a span, of a call that should land with this stack pointer, and close it; each with its
 * mark.
 */
void rsb_span_open(struct rsb_machine *machine, const struct rsb_event *mark, uint64_t landing_rsp);
void rsb_span_close(struct rsb_machine *machine, const struct rsb_event *mark);

/* The last block ended with the call at rsb_traced_call. */
void rsb_round_call(struct rsb_machine *machine);

/*
 * Keeps what arguments hold at a traced call; and tells what may help where one that was not given
 * is taken for a pointer, by an instruction of this text: "" if that is not so.
 */
void rsb_arguments_keep(struct rsb_machine *machine);
void rsb_arguments_hint(const struct rsb_machine *machine, const char *text, char *out,
			size_t size);

/* Install the hooks; before any code is run, for code that was translated before has none. */
bool rsb_block_hooks_add(struct rsb_machine *machine, struct rsb_error *error);
bool rsb_fault_hooks_add(struct rsb_machine *machine, struct rsb_error *error);

/* Instructions executed in this round, up to the end of the last block. */
uint64_t rsb_machine_executed(const struct rsb_machine *machine);

/* The shadow stack, if there is one: its hook; each round; a traced call made and landed. */
bool rsb_shadow_open(struct rsb_machine *machine, struct rsb_error *error);
void rsb_shadow_begin(struct rsb_machine *machine);
void rsb_shadow_begin_traced(struct rsb_machine *machine);
void rsb_shadow_land(struct rsb_machine *machine);

/*
 * Does what the engine just refused, and goes behind it. False: it is none of the shadow stack's.
 */
bool rsb_shadow_emulate(struct rsb_machine *machine);

/*
 * The time-stamp counter (sim/machine/clock.c). Before a new block: must it be changed first? Then
 * the engine stops. When it has stopped: changes it, or does what the engine refused, so that it
 * goes on at its rip; false: it stopped for something else. Shows bytes as they were.
 */
bool rsb_clock_stop(struct rsb_machine *machine, const struct rsb_block *block);
bool rsb_clock_resume(struct rsb_machine *machine, uc_err code);
void rsb_clock_show(const struct rsb_machine *machine, uint64_t address, uint8_t *bytes,
		    size_t size);
void rsb_clock_close(struct rsb_machine *machine);

/*
 * System calls and exceptions of an image that has a kernel to enter (sim/machine/system.c). Open,
 * and close before the engine. At a syscall or an int3: will the kernel be entered, now that the
 * engine stops? When it has stopped: makes the entry, or what the engine refused, a sysret or an
 * int1, so that it goes on at its rip; false: it stopped for something else.
 */
bool rsb_system_open(struct rsb_machine *machine, struct rsb_error *error);
void rsb_system_close(struct rsb_machine *machine);
bool rsb_system_call(struct rsb_machine *machine);
bool rsb_system_except(struct rsb_machine *machine);
bool rsb_system_resume(struct rsb_machine *machine, uc_err code);

/* The block wrote CR3: tells it. */
void rsb_system_wrote_cr3(struct rsb_machine *machine, const struct rsb_block *block);

/* The block is about to run: counts its pages. */
void rsb_system_touch(struct rsb_machine *machine, const struct rsb_block *block);

/*
 * Bars what the engine cannot translate: from an address to the next transfer; in the code that is
 * fetched, whose page has just come; where a block leads. Puts back what stood at pc; false:
 * nothing was barred there.
 */
void rsb_ahead_from(struct rsb_machine *machine, uint64_t pc);
void rsb_ahead_of_fetch(struct rsb_machine *machine, uint64_t address);
void rsb_ahead_of(struct rsb_machine *machine, const struct rsb_block *block);
bool rsb_ahead_restore(struct rsb_machine *machine, uint64_t pc);

/* Tells the incidents at the block's instructions below end, as they are executed. */
void rsb_incidents_in(struct rsb_machine *machine, const struct rsb_block *block, uint64_t end);

/* Tells those at system calls: the block ended with one. */
void rsb_incidents_after_syscall(struct rsb_machine *machine, const struct rsb_block *block);

/* Keeps the first trouble of a round and stops the engine. */
void rsb_trouble_set(struct rsb_machine *machine, enum rsb_trouble_kind kind, uint64_t pc,
		     uint64_t address, uint64_t detail);

/* Writes the message; false. */
bool rsb_trouble_report(const struct rsb_machine *machine, struct rsb_error *error);

#endif
