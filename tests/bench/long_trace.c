/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A random walk through functions that call each other. */
#include "tests/bench/long_trace.h"

#include "traces/file.h"

#include <stdlib.h>

#define FUNCTIONS 512
#define CALLS     8 /* places in each */
#define DEPTH     64
#define BASE      UINT64_C(0x400000)

/* Ids of what the trace is made of. */
struct program {
	struct rsb_sites *sites;
	uint32_t calls[FUNCTIONS][CALLS], after[FUNCTIONS][CALLS];
	uint32_t entries[FUNCTIONS], returns[FUNCTIONS];
};

/* Where the walk is: the functions that are open, and the place in each that called the next. */
struct walk {
	unsigned functions[DEPTH + 1], places[DEPTH];
	unsigned depth;
	uint64_t seed;
};

static bool make_program(struct program *program)
{
	program->sites = rsb_sites_new();
	if (!program->sites)
		return false;
	for (unsigned f = 0; f < FUNCTIONS; f++) {
		struct rsb_site site = { .pc = BASE + 256 * f + 0xf0,
					 .length = 1,
					 .kind = RSB_RETURN };

		program->entries[f] = rsb_sites_address(program->sites, BASE + 256 * f);
		program->returns[f] = rsb_sites_intern(program->sites, &site, NULL);
		for (unsigned k = 0; k < CALLS; k++) {
			site = (struct rsb_site){ .pc = BASE + 256 * f + 16 * (k + 1),
						  .length = 5,
						  .kind = RSB_CALL };
			program->calls[f][k] = rsb_sites_intern(program->sites, &site, NULL);
			program->after[f][k] = rsb_sites_address(program->sites, site.pc + 5);
		}
	}
	return true;
}

/* xorshift64 (Marsaglia 2003). */
static uint64_t draw(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void step(struct walk *walk, const struct program *program, struct rsb_trace_writer *writer)
{
	uint64_t drawn = draw(&walk->seed);
	unsigned at = walk->functions[walk->depth], place = drawn >> 8 & (CALLS - 1);

	if (!walk->depth || (walk->depth < DEPTH && drawn & 1)) {
		unsigned next = drawn >> 16 & (FUNCTIONS - 1);

		rsb_trace_write(writer, program->calls[at][place], program->entries[next]);
		walk->places[walk->depth] = place;
		walk->functions[++walk->depth] = next;
	} else {
		walk->depth--;
		rsb_trace_write(
			writer, program->returns[at],
			program->after[walk->functions[walk->depth]][walk->places[walk->depth]]);
	}
}

bool long_trace_write(FILE *out, uint64_t events)
{
	struct program *program = calloc(1, sizeof(*program));
	struct walk walk = { .seed = 1 };
	struct rsb_trace_writer *writer;
	struct rsb_error error;
	bool good = false;

	if (!program || !make_program(program)) {
		free(program);
		return false;
	}
	writer = rsb_trace_writer_new(out, program->sites, &error);
	if (writer) {
		rsb_trace_write_about(writer, "arch", "x86_64");
		rsb_trace_write_about(writer, "source", "tests/bench/long_trace.c");
		for (uint64_t i = 0; i < events && !rsb_trace_writer_failed(writer); i++)
			step(&walk, program, writer);
		rsb_trace_write_instructions(writer, 10 * events);
		good = rsb_trace_writer_end(writer, &error);
	}
	rsb_sites_free(program->sites);
	free(program);
	return good;
}
