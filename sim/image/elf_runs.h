/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs: the load segments of a linked ELF file as they will be in memory. Segments that share a
 * page are one run, which may be used as each of them. Private to the loader.
 */
#ifndef RSB_SIM_IMAGE_ELF_RUNS_H
#define RSB_SIM_IMAGE_ELF_RUNS_H

#include "sim/image/elf_file.h"

struct rsb_elf_run {
	size_t number;        /* of the first one's program header */
	uint64_t first, last; /* addresses, with the base */
	unsigned access;
	uint8_t *bytes; /* from first on, as far as the file goes; zeros follow */
	size_t filled;
};

struct rsb_elf_runs {
	struct rsb_elf_run *all; /* by address */
	size_t count;
	uint64_t bias;                  /* what is added to the file's addresses */
	uint64_t dynamic, dynamic_size; /* the dynamic section, with the base; size 0: none */
};

/* Reads the program headers. The runs are to be released even after an error. */
bool rsb_elf_runs_read(struct rsb_elf_runs *runs, struct rsb_elf *file, struct rsb_error *error);
void rsb_elf_runs_release(struct rsb_elf_runs *runs);

/* The bytes at an address, which may be written. NULL: the file does not have all of them. */
uint8_t *rsb_elf_runs_at(const struct rsb_elf_runs *runs, uint64_t address, uint64_t size);

/* Maps all into the image. */
bool rsb_elf_runs_map(const struct rsb_elf_runs *runs, const struct rsb_elf *file,
		      struct rsb_error *error);

/*
 * Relocates what the file itself can: its own addresses, and symbols that it defines. The others
 * get addresses in a page that cannot be executed, under a symbol that says whose they are.
 */
bool rsb_elf_runs_relocate(struct rsb_elf_runs *runs, struct rsb_elf *file,
			   struct rsb_error *error);

#endif
