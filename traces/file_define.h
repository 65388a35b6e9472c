/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sites and addresses of a trace file. Each has a number in the file, in the order of first
 * use; the table that a reader builds has them as its ids, and so the writer builds the same one.
 */
#ifndef RSB_TRACES_FILE_DEFINE_H
#define RSB_TRACES_FILE_DEFINE_H

#include "traces/file_chunk.h"
#include "traces/file_guess.h"

/* Ids in the caller's table as numbers in the file. */
struct rsb_numbers {
	uint32_t *of; /* RSB_GUESS_NONE: not in the file yet */
	size_t count;
};

/*
 * Writing: what is new is put into bytes, which are a chunk once rsb_define_guesses() was called.
 */
struct rsb_definer {
	const struct rsb_sites *sites; /* the caller's */
	struct rsb_sites *table;       /* the file's */
	struct rsb_numbers site_numbers, address_numbers;
	struct rsb_bytes bytes;
	uint32_t count;                   /* definitions in bytes */
	size_t first_site, first_address; /* numbers from which on all are in bytes */
	uint64_t last_pc, last_address;   /* in bytes */
	size_t label_bytes;
	const char *trouble; /* why a number is RSB_GUESS_NONE */
};

void rsb_definer_clear(struct rsb_definer *definer);

/* The number of a site or an address of the caller's. RSB_GUESS_NONE: trouble. */
uint32_t rsb_define_site(struct rsb_definer *definer, uint32_t id);
uint32_t rsb_define_address(struct rsb_definer *definer, uint32_t id);

/* Puts what is guessed of all that is new, and starts anew once the chunk is written. */
void rsb_define_guesses(struct rsb_definer *definer, const struct rsb_guess *guess);
void rsb_define_restart(struct rsb_definer *definer);

/* Reading a chunk of definitions into a table and its guesses. False: error says what is wrong. */
bool rsb_define_read(struct rsb_sites *table, struct rsb_guess *guess, size_t *label_bytes,
		     const struct rsb_chunk *chunk, struct rsb_error *error);

#endif
