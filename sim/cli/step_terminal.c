/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stepper on a terminal, by ncurses where configure found it. The terminal is left as it was:
 * after an error, and before a signal ends the program.
 */
#include "sim/cli/stepper.h"

#ifdef HAVE_NCURSES

#include "sim/cli/terminal.h"
#include "traces/util/ending.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TICK 120 /* milliseconds for an event while it runs */
#define POLL 300 /* milliseconds after which signals are looked for in any case */

/* The program's: a handler has nowhere else to put it. */
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	caught = number;
}

static void catch_signals(struct sigaction before[RSB_ENDING_SIGNALS])
{
	struct sigaction action = { .sa_handler = on_signal };

	caught = 0;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < RSB_ENDING_SIGNALS; i++)
		sigaction(rsb_ending_signals[i], &action, &before[i]);
}

static void release_signals(const struct sigaction before[RSB_ENDING_SIGNALS])
{
	for (size_t i = 0; i < RSB_ENDING_SIGNALS; i++)
		sigaction(rsb_ending_signals[i], &before[i], NULL);
}

static attr_t attributes[RSB_SCREEN_STYLES];

/* Colours, where they are wanted and there are some; else what a terminal has besides. */
static void choose_styles(void)
{
	static const short colours[RSB_SCREEN_STYLES] = {
		[RSB_SCREEN_HIT] = COLOR_GREEN,
		[RSB_SCREEN_MISS] = COLOR_RED,
		[RSB_SCREEN_NOTE] = COLOR_CYAN,
	};
	const attr_t plain[RSB_SCREEN_STYLES] = {
		[RSB_SCREEN_TITLE] = A_BOLD,
		[RSB_SCREEN_FAINT] = A_DIM,
		[RSB_SCREEN_CURRENT] = A_REVERSE,
		[RSB_SCREEN_MISS] = A_BOLD,
	};
	bool colour = cli_terminal_colour() && has_colors() && start_color() == OK &&
		      use_default_colors() == OK;

	for (short i = 0; i < RSB_SCREEN_STYLES; i++) {
		attributes[i] = plain[i];
		if (colour && colours[i] && init_pair(i, colours[i], -1) == OK)
			attributes[i] |= (attr_t)COLOR_PAIR(i);
	}
}

static void show(const struct rsb_screen *screen)
{
	erase();
	for (unsigned row = 0; row < screen->rows; row++) {
		for (unsigned column = 0; column < screen->columns; column++) {
			const struct rsb_cell *cell =
				&screen->cells[(size_t)row * screen->columns + column];
			char bytes[5];

			if (!cell->character && !cell->style)
				continue;
			rsb_character_bytes(cell->character, bytes);
			attrset((int)attributes[cell->style]);
			mvaddstr((int)row, (int)column, bytes);
		}
	}
	attrset(A_NORMAL);
	refresh();
}

/* Draws it at the size that the terminal has now. */
static bool draw(const struct cli_stepper *stepper, bool unicode)
{
	struct rsb_screen screen;
	bool good = rsb_screen_open(&screen, (unsigned)LINES, (unsigned)COLS, unicode);

	if (good) {
		cli_stepper_draw(stepper, &screen);
		show(&screen);
	}
	rsb_screen_close(&screen);
	return good;
}

static int translate(int key)
{
	switch (key) {
	case KEY_LEFT:
		return CLI_KEY_LEFT;
	case KEY_RIGHT:
		return CLI_KEY_RIGHT;
	case KEY_UP:
		return CLI_KEY_UP;
	case KEY_DOWN:
		return CLI_KEY_DOWN;
	case KEY_HOME:
		return CLI_KEY_HOME;
	case KEY_END:
		return CLI_KEY_END;
	case KEY_ENTER:
		return CLI_KEY_ENTER;
	case KEY_BACKSPACE:
		return CLI_KEY_DELETE;
	default:
		return key;
	}
}

/* Nobody is at the other end any more. */
static bool is_gone(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&in, 1, 0) > 0 && in.revents & (POLLHUP | POLLERR | POLLNVAL);
}

static bool run(struct cli_stepper *stepper, bool unicode, struct rsb_error *error)
{
	bool fresh = true;

	while (!stepper->done && !caught) {
		int key;

		if (fresh && !draw(stepper, unicode))
			return rsb_error_set(error, "out of memory");
		timeout(stepper->running ? TICK : POLL);
		key = getch();
		fresh = true;
		if (key == KEY_RESIZE)
			continue;
		if (key != ERR) {
			cli_stepper_key(stepper, translate(key));
		} else if (is_gone()) {
			return rsb_error_set(error, "the terminal is gone");
		} else if (stepper->running) {
			cli_stepper_tick(stepper);
		} else {
			fresh = false;
		}
	}
	return true;
}

bool cli_stepper_terminal(struct cli_stepper *stepper, bool unicode, struct rsb_error *error)
{
	struct sigaction before[RSB_ENDING_SIGNALS];
	const char *name = getenv("TERM");
	SCREEN *screen;
	bool good;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return rsb_error_set(error, "expected a terminal on standard input and output; "
					    "without one: --script, or --format json");
	/* Before ncurses, which else would catch them itself and exit. */
	catch_signals(before);
	screen = newterm(NULL, stdout, stdin);
	if (!screen) {
		release_signals(before);
		return rsb_error_set(error, "TERM: '%s': expected the name of a known terminal",
				     name ? name : "");
	}
	set_escdelay(50);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	curs_set(0);
	choose_styles();
	good = run(stepper, unicode, error);
	/* A terminal with one screen only goes on in its last row. */
	mvaddstr(LINES - 1, 0, "");
	clrtoeol();
	refresh();
	endwin();
	delscreen(screen);
	release_signals(before);
	/* The signal does what it does to a program that does not know it. */
	if (caught)
		raise(caught);
	return good;
}

#else

bool cli_stepper_terminal(struct cli_stepper *stepper, bool unicode, struct rsb_error *error)
{
	(void)stepper;
	(void)unicode;
	return rsb_error_set(error, "this rsbsim was built without ncurses (Debian: "
				    "libncurses-dev), which the stepper needs on a terminal; "
				    "without it: --script, or --format json");
}

#endif
