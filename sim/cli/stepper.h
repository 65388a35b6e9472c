/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stepper: one or two layouts that are stepped through, what keys do, and what is drawn. It
 * knows no terminal: sim/cli/step_terminal.c has one, and a script gives its keys without any.
 */
#ifndef RSB_SIM_CLI_STEPPER_H
#define RSB_SIM_CLI_STEPPER_H

#include "sim/cli/forms.h"
#include "sim/cli/profiles.h"
#include "sim/image/image.h"
#include "sim/see/view.h"

#define CLI_SIDES 2

/* Keys that have no character. */
enum {
	CLI_KEY_LEFT = 256,
	CLI_KEY_RIGHT,
	CLI_KEY_UP,
	CLI_KEY_DOWN,
	CLI_KEY_HOME,
	CLI_KEY_END,
};

#define CLI_KEY_ENTER  '\n'
#define CLI_KEY_ESCAPE 27
#define CLI_KEY_DELETE 8

/* A layout, ready to be recorded on any CPU. All is the caller's. */
struct cli_subject {
	const char *name;
	struct rsb_scenario scenario;
	struct rsb_layout *layout;
	const struct cli_form_choice *forms;
	struct rsb_image *image; /* as it is on all CPUs alike; NULL: made for each */
};

/* A CPU that can be chosen, loaded when it is. */
struct cli_stepper_cpu {
	const char *name; /* of a profile; NULL: it is loaded already */
	struct cli_profiles loaded;
	const struct rsb_profile *profile; /* NULL: not yet */
	struct rsb_recording *recordings[CLI_SIDES];
};

enum cli_stepper_mode { CLI_STEPPER_VIEW, CLI_STEPPER_HELP, CLI_STEPPER_WHY, CLI_STEPPER_ROUND };

struct cli_stepper {
	struct cli_subject *subjects; /* side_count of them */
	size_t side_count;
	struct cli_stepper_cpu *cpus;
	size_t cpu_count, cpu;
	const struct cli_profile_choice *choice;
	size_t events; /* to keep at the most; 0: as usual */
	struct rsb_cursor cursors[CLI_SIDES];
	uint32_t *progress[CLI_SIDES]; /* before each event, and at the end: see cli_sides_move() */
	enum cli_stepper_mode mode;
	char typed[8];      /* the number of a round, so far */
	char message[1024]; /* for the last row until the next key; "" */
	bool running, done;
};

/*
 * Opens the first CPU of the profiles, which must outlive it as the subjects must. More than one:
 * these can be chosen; one: all built-in ones too. False: error, and it is still to be closed.
 */
bool cli_stepper_open(struct cli_stepper *stepper, struct cli_subject *subjects, size_t count,
		      const struct cli_profiles *profiles, const struct cli_profile_choice *choice,
		      size_t events, struct rsb_error *error);
void cli_stepper_close(struct cli_stepper *stepper);

/* A key was pressed. What it cannot do is told in the message. */
void cli_stepper_key(struct cli_stepper *stepper, int key);

/* While it is running: goes on by an event. */
void cli_stepper_tick(struct cli_stepper *stepper);

void cli_stepper_draw(const struct cli_stepper *stepper, struct rsb_screen *screen);

/* What a cursor's progress is counted from; to be freed. NULL: no memory. */
uint32_t *cli_sides_progress(const struct rsb_recording *recording);

/*
 * Moves the sides so that they stay together. Two layouts do the same outside of their traced
 * calls, so progress is counted in events there, and in landings: one that has landed waits for the
 * other. False: none of them can move.
 */
bool cli_sides_move(struct cli_stepper *stepper, enum rsb_move move);

/*
 * Drives it by the keys of a script, words with spaces between, and prints the screen after the
 * last one, or after each. False: error.
 */
bool cli_stepper_script(struct cli_stepper *stepper, const char *script, struct rsb_screen *screen,
			bool each, FILE *out, struct rsb_error *error);

/* Drives it on the terminal until it is left. False: error. */
bool cli_stepper_terminal(struct cli_stepper *stepper, bool unicode, struct rsb_error *error);

#endif
