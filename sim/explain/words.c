/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map of words. */
#include "sim/explain/words.h"

#include <stdlib.h>

#define FIRST_SIZE 1024

/* The word of this key, or the free one where it belongs; size is not 0. */
static struct rsb_words_pair *find_place(const struct rsb_words *words, uint64_t key)
{
	/* Knuth, The Art of Computer Programming, volume 3, 6.4: multiplicative hashing. */
	size_t i = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (words->size - 1);

	while (words->words[i].used && words->words[i].key != key)
		i = (i + 1) & (words->size - 1);
	return &words->words[i];
}

uint64_t *rsb_words_find(const struct rsb_words *words, uint64_t key)
{
	struct rsb_words_pair *word = words->size ? find_place(words, key) : NULL;

	return word && word->used ? &word->value : NULL;
}

static bool grow(struct rsb_words *words)
{
	struct rsb_words more = { .size = words->size ? 2 * words->size : FIRST_SIZE,
				  .count = words->count };

	more.words = calloc(more.size, sizeof(*more.words));
	if (!more.words)
		return false;
	for (size_t i = 0; i < words->size; i++)
		if (words->words[i].used)
			*find_place(&more, words->words[i].key) = words->words[i];
	free(words->words);
	*words = more;
	return true;
}

bool rsb_words_set(struct rsb_words *words, uint64_t key, uint64_t value)
{
	struct rsb_words_pair *word;

	if (2 * words->count >= words->size && !grow(words))
		return false;
	word = find_place(words, key);
	words->count += !word->used;
	*word = (struct rsb_words_pair){ key, value, true };
	return true;
}

void rsb_words_clear(struct rsb_words *words)
{
	free(words->words);
	*words = (struct rsb_words){ 0 };
}
