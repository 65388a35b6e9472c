/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine: the time of a run that records every event, against the same run of Unicorn without
 * hooks. Both in turns, and the least of each, because the machine may be shared.
 *
 * The guest is fib(25) and 200000 indirect calls through a table of 8. fib(n) makes 2 F(n+1) - 1
 * calls, that of rsb_round included (F(26) is 121393): 242785 + 200000 calls, as many returns, and
 * the one that leaves rsb_round is no event.
 */
#include "sim/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unicorn/unicorn.h>

#define RUNS  15
#define LIMIT 1.10 /* DESIGN.md, Speed and size to reach */

#define CODE       UINT64_C(0x10000000)
#define TABLE      UINT64_C(0x10001000)
#define LEAF       0x60 /* of 8, 8 bytes apart */
#define LEAVES     8
#define STACK      UINT64_C(0x20000000) /* of the engine without hooks */
#define STACK_SIZE UINT64_C(0x10000)
#define EXIT       UINT64_C(0x30000000)

#define CALLS 442785

static const uint8_t code[] = {
	/* 00: rsb_round */
	0x53,                                     /* push rbx */
	0xbf, 0x19, 0x00, 0x00, 0x00,             /* mov edi, 25 */
	0xe8, 0x25, 0x00, 0x00, 0x00,             /* 06: call fib; rsb_traced_call */
	0xbb, 0x40, 0x0d, 0x03, 0x00,             /* 0b: mov ebx, 200000; rsb_landing */
	0x89, 0xd8,                               /* 10: mov eax, ebx */
	0x83, 0xe0, 0x07,                         /* and eax, 7 */
	0xff, 0x14, 0xc5, 0x00, 0x10, 0x00, 0x10, /* call [rax*8 + TABLE] */
	0xff, 0xcb,                               /* dec ebx */
	0x75, 0xf0,                               /* jne 10 */
	0x5b,                                     /* pop rbx */
	0xc3,                                     /* ret */
	0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
	/* 30: fib */
	0x83, 0xff, 0x02,             /* cmp edi, 2 */
	0x72, 0x1b,                   /* jb 50 */
	0x53,                         /* push rbx */
	0x55,                         /* push rbp */
	0x89, 0xfb,                   /* mov ebx, edi */
	0x8d, 0x7b, 0xff,             /* lea edi, [rbx - 1] */
	0xe8, 0xef, 0xff, 0xff, 0xff, /* call fib */
	0x89, 0xc5,                   /* mov ebp, eax */
	0x8d, 0x7b, 0xfe,             /* lea edi, [rbx - 2] */
	0xe8, 0xe5, 0xff, 0xff, 0xff, /* call fib */
	0x01, 0xe8,                   /* add eax, ebp */
	0x5d,                         /* pop rbp */
	0x5b,                         /* pop rbx */
	0xc3,                         /* ret */
	0x89, 0xf8,                   /* 50: mov eax, edi */
	0xc3,                         /* ret */
};

static const uint8_t leaf[] = { 0x8d, 0x47, 0x01, 0xc3 }; /* lea eax, [rdi + 1]; ret */

struct guest {
	uint8_t code[RSB_PAGE];
	uint64_t table[RSB_PAGE / 8];
};

static void build(struct guest *guest)
{
	memcpy(guest->code, code, sizeof(code));
	for (unsigned i = 0; i < LEAVES; i++) {
		memcpy(guest->code + LEAF + 8 * i, leaf, sizeof(leaf));
		guest->table[i] = CODE + LEAF + 8 * i;
	}
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct rsb_image *make_image(const struct guest *guest, struct rsb_error *error)
{
	struct rsb_image *image = rsb_image_new();

	if (!image)
		return rsb_error_null(error, "out of memory");
	if (rsb_image_map(image, "code", CODE, RSB_PAGE, RSB_READ | RSB_EXECUTE, guest->code,
			  RSB_PAGE, error) &&
	    rsb_image_map(image, "table", TABLE, RSB_PAGE, RSB_READ, guest->table, RSB_PAGE,
			  error) &&
	    rsb_image_symbol(image, "rsb_round", CODE, 0, error) &&
	    rsb_image_symbol(image, "rsb_traced_call", CODE + 0x06, 0, error) &&
	    rsb_image_symbol(image, "rsb_landing", CODE + 0x0b, 0, error))
		return image;
	rsb_image_free(image);
	return NULL;
}

/* The engine alone, on the same pages. */
static uc_engine *make_engine(struct guest *guest, struct rsb_error *error)
{
	uc_engine *engine = NULL;

	if (uc_open(UC_ARCH_X86, UC_MODE_64, &engine) == UC_ERR_OK &&
	    uc_mem_map_ptr(engine, CODE, RSB_PAGE, UC_PROT_READ | UC_PROT_EXEC, guest->code) ==
		    UC_ERR_OK &&
	    uc_mem_map_ptr(engine, TABLE, RSB_PAGE, UC_PROT_READ, guest->table) == UC_ERR_OK &&
	    uc_mem_map(engine, STACK, STACK_SIZE, UC_PROT_READ | UC_PROT_WRITE) == UC_ERR_OK &&
	    uc_mem_map(engine, EXIT, RSB_PAGE, UC_PROT_READ | UC_PROT_EXEC) == UC_ERR_OK)
		return engine;
	if (engine)
		uc_close(engine);
	return rsb_error_null(error, "the engine does not start");
}

static bool run_engine(uc_engine *engine, double *seconds, struct rsb_error *error)
{
	uint64_t rsp = STACK + STACK_SIZE - 8, exit = EXIT;
	double start = now();

	if (uc_mem_write(engine, rsp, &exit, sizeof(exit)) != UC_ERR_OK ||
	    uc_reg_write(engine, UC_X86_REG_RSP, &rsp) != UC_ERR_OK ||
	    uc_emu_start(engine, CODE, EXIT, 0, 0) != UC_ERR_OK)
		return rsb_error_set(error, "the engine alone does not run the guest");
	*seconds = now() - start;
	return true;
}

static uint64_t count_calls(const struct rsb_trace *trace, const struct rsb_sites *sites)
{
	size_t size;
	const struct rsb_site *array = rsb_sites_array(sites, &size);
	uint64_t calls = 0;

	for (size_t i = 0; i < trace->count; i++)
		calls += array[trace->events[i].site].kind == RSB_CALL;
	return calls;
}

static bool run_machine(struct rsb_machine *machine, struct rsb_trace *trace,
			const struct rsb_sites *sites, double *seconds, struct rsb_error *error)
{
	struct rsb_round round;
	double start = now();

	trace->count = 0;
	if (!rsb_machine_round(machine, trace, &round, error))
		return false;
	*seconds = now() - start;
	if (count_calls(trace, sites) != CALLS)
		return rsb_error_set(error, "%llu calls were recorded, not %d",
				     (unsigned long long)count_calls(trace, sites), CALLS);
	return true;
}

static bool measure(struct guest *guest, struct rsb_error *error)
{
	struct rsb_machine_options options = { .kinds = RSB_KIND_ALL };
	struct rsb_image *image = make_image(guest, error);
	struct rsb_sites *sites = rsb_sites_new();
	struct rsb_machine *machine = NULL;
	uc_engine *engine = NULL;
	struct rsb_trace trace = { 0 };
	double alone = 0, recorded = 0, seconds = 0;
	bool done = false;

	if (!image || !sites || !(machine = rsb_machine_new(image, sites, &options, error)) ||
	    !(engine = make_engine(guest, error)))
		goto out;
	for (int i = -1; i < RUNS; i++) { /* the first translates the code and grows the trace */
		if (!run_engine(engine, &seconds, error))
			goto out;
		alone = i <= 0 || seconds < alone ? seconds : alone;
		if (!run_machine(machine, &trace, sites, &seconds, error))
			goto out;
		recorded = i <= 0 || seconds < recorded ? seconds : recorded;
	}
	printf("%-50s %.3f times, limit %.2f times\n",
	       "events out of the machine, against Unicorn alone", recorded / alone, LIMIT);
	done = true;
out:
	if (engine)
		uc_close(engine);
	rsb_trace_clear(&trace);
	rsb_machine_free(machine);
	rsb_sites_free(sites);
	rsb_image_free(image);
	return done;
}

int main(void)
{
	static struct guest guest;
	struct rsb_error error = { .text = "out of memory" };

	build(&guest);
	if (measure(&guest, &error))
		return EXIT_SUCCESS;
	fprintf(stderr, "machine: %s\n", error.text);
	return EXIT_FAILURE;
}
