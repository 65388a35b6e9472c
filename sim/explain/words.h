/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A map from 64-bit words to 64-bit words: open addressing, nothing is taken out. */
#ifndef RSB_SIM_EXPLAIN_WORDS_H
#define RSB_SIM_EXPLAIN_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rsb_words_pair {
	uint64_t key;
	uint64_t value;
	bool used;
};

struct rsb_words {
	struct rsb_words_pair *words;
	size_t size; /* a power of two; 0: nothing is in it */
	size_t count;
};

/* The value of a key. NULL: it has none. */
uint64_t *rsb_words_find(const struct rsb_words *words, uint64_t key);

/* Sets it. False: no memory. */
bool rsb_words_set(struct rsb_words *words, uint64_t key, uint64_t value);

void rsb_words_clear(struct rsb_words *words);

#endif
