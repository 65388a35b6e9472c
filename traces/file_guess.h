/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes an event one byte: guesses that the writer and the reader of a trace file both make.
 * After an address comes the site that came there first, a site goes where it went first, and a
 * return goes where a stack of the calls before it says. What is guessed right is not written.
 * Nothing is remembered from one chunk to the next, so that each can be read by itself.
 */
#ifndef RSB_TRACES_FILE_GUESS_H
#define RSB_TRACES_FILE_GUESS_H

#include "traces/site.h"

#define RSB_GUESS_STACK 1024 /* entries: a power of two; the oldest is lost */
#define RSB_GUESS_NONE  UINT32_MAX

/* What guessing needs of a site. */
struct rsb_guess_site {
	uint32_t usual;        /* where it went first; or RSB_GUESS_NONE */
	uint32_t fall_through; /* what it pushes, if it does */
	uint8_t pushes, pops;
};

struct rsb_guess {
	struct rsb_guess_site *sites; /* by number in the file */
	uint32_t *followers;          /* by number of the address: the site that came first */
	size_t site_count, site_room;
	size_t address_count, address_room;
	uint32_t stack[RSB_GUESS_STACK];
	uint32_t top, depth;
	uint32_t last; /* where the last event went; RSB_GUESS_NONE: there was none */
};

void rsb_guess_clear(struct rsb_guess *guess);

/* At the start of a chunk, and where another thread goes on. */
static inline void rsb_guess_restart(struct rsb_guess *guess)
{
	guess->depth = 0;
	guess->last = RSB_GUESS_NONE;
}

/* Makes room for what the table holds, with no guesses about what is new. False: no memory. */
bool rsb_guess_grow(struct rsb_guess *guess, const struct rsb_sites *sites);

/* The site of the next event, or RSB_GUESS_NONE. */
static inline uint32_t rsb_guess_next(const struct rsb_guess *guess)
{
	return guess->last == RSB_GUESS_NONE ? RSB_GUESS_NONE : guess->followers[guess->last];
}

/* Where this event goes, or RSB_GUESS_NONE; to be asked once for each event. */
static inline uint32_t rsb_guess_target(struct rsb_guess *guess, uint32_t site)
{
	if (guess->sites[site].pops && guess->depth) {
		guess->depth--;
		return guess->stack[guess->top-- % RSB_GUESS_STACK];
	}
	return guess->sites[site].usual;
}

/* The event went there. */
static inline void rsb_guess_follow(struct rsb_guess *guess, uint32_t site, uint32_t target)
{
	if (guess->sites[site].pushes) {
		guess->stack[++guess->top % RSB_GUESS_STACK] = guess->sites[site].fall_through;
		guess->depth += guess->depth < RSB_GUESS_STACK;
	}
	guess->last = target;
}

#endif
