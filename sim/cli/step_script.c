/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Driving the stepper by a script. */
#include "sim/cli/stepper.h"

#include <string.h>

/* Keys that a script names by words. */
static const struct {
	const char *word;
	int key;
} words[] = {
	{ "left", CLI_KEY_LEFT },     { "right", CLI_KEY_RIGHT },   { "up", CLI_KEY_UP },
	{ "down", CLI_KEY_DOWN },     { "home", CLI_KEY_HOME },     { "end", CLI_KEY_END },
	{ "enter", CLI_KEY_ENTER },   { "escape", CLI_KEY_ESCAPE }, { "space", ' ' },
	{ "delete", CLI_KEY_DELETE },
};

static void press(struct cli_stepper *stepper, int key)
{
	cli_stepper_key(stepper, key);
	while (stepper->running)
		cli_stepper_tick(stepper);
}

/* Keys of one character, digits for what g asks. */
#define KEYS "sbnpmMxX$q?hwgrcC0123456789"

/* One key, or g and a number: g12. It is the word of this number, from 1. */
static bool press_word(struct cli_stepper *stepper, const char *word, size_t size, size_t number,
		       struct rsb_error *error)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strlen(words[i].word) == size && !memcmp(words[i].word, word, size)) {
			press(stepper, words[i].key);
			return true;
		}
	}
	if (size > 1 ? *word != 'g' || strspn(word + 1, "0123456789") < size - 1
		     : !strchr(KEYS, *word))
		return rsb_error_set(error,
				     "--script: key %zu, '%.*s': expected one of %.*s, g and a "
				     "number, left, right, up, down, home, end, enter, escape, "
				     "delete or space",
				     number, (int)size, word, (int)strcspn(KEYS, "1"), KEYS);
	for (size_t i = 0; i < size; i++)
		press(stepper, word[i]);
	if (size > 1)
		press(stepper, CLI_KEY_ENTER);
	return true;
}

bool cli_stepper_script(struct cli_stepper *stepper, const char *script, struct rsb_screen *screen,
			bool each, FILE *out, struct rsb_error *error)
{
	const char *word = script + strspn(script, " \n\t");
	size_t number = 0;

	while (*word && !stepper->done) {
		size_t size = strcspn(word, " \n\t");

		if (!press_word(stepper, word, size, ++number, error))
			return false;
		word += size;
		word += strspn(word, " \n\t");
		if (each && *word && !stepper->done) {
			cli_stepper_draw(stepper, screen);
			rsb_screen_print(screen, out);
		}
	}
	cli_stepper_draw(stepper, screen);
	rsb_screen_print(screen, out);
	return true;
}
