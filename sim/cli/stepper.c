/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the stepper's keys do. */
#include "sim/cli/stepper.h"

#include "sim/score/run.h"

#include <stdlib.h>
#include <string.h>

/* The CPUs to choose from: those that were named, or else this one and all built-in others. */
static bool list_cpus(struct cli_stepper *stepper, const struct cli_profiles *profiles)
{
	const char *const *names = rsb_profile_names();
	size_t room = profiles->count;

	for (size_t i = 0; names[i]; i++)
		room++;
	stepper->cpus = calloc(room, sizeof(*stepper->cpus));
	if (!stepper->cpus)
		return false;
	for (size_t i = 0; i < profiles->count; i++)
		stepper->cpus[stepper->cpu_count++].profile = profiles->all[i];
	for (size_t i = 0; names[i] && profiles->count == 1; i++)
		if (strcmp(names[i], rsb_profile_name(profiles->all[0])) != 0)
			stepper->cpus[stepper->cpu_count++].name = names[i];
	return true;
}

static bool load_cpu(struct cli_stepper *stepper, struct cli_stepper_cpu *cpu,
		     struct rsb_error *error)
{
	const char *name = cpu->name;
	struct cli_profile_choice choice = { .lists = { &name, 1 },
					     .settings = stepper->choice->settings };

	if (cpu->profile)
		return true;
	if (!cli_profiles_load(&cpu->loaded, &choice, error)) {
		cli_profiles_clear(&cpu->loaded);
		cpu->loaded = (struct cli_profiles){ .count = 0 };
		return false;
	}
	cpu->profile = cpu->loaded.all[0];
	return true;
}

static struct rsb_recording *make_recording(const struct cli_stepper *stepper,
					    const struct cli_subject *subject,
					    const struct rsb_image *image,
					    const struct rsb_profile *profile,
					    struct rsb_error *error)
{
	const struct rsb_recording_options options = {
		.events = stepper->events,
		.return_thunk = rsb_image_return_thunk(image),
	};
	struct rsb_recording *recording = rsb_recording_new(image, subject->name, profile,
							    &subject->scenario, &options, error);

	if (!recording)
		rsb_error_prefix(error, "%s on %s", subject->name, rsb_profile_name(profile));
	return recording;
}

/* The code as it is on this CPU, which a recording does not need any more. */
static bool record(const struct cli_stepper *stepper, struct cli_stepper_cpu *cpu, size_t side,
		   struct rsb_error *error)
{
	const struct cli_subject *subject = &stepper->subjects[side];
	struct rsb_image *image = subject->image;

	if (cpu->recordings[side])
		return true;
	if (!image && cli_form_take(subject->forms, subject->layout, cpu->profile, error))
		image = rsb_layout_image(subject->layout, &subject->scenario, error);
	if (image)
		cpu->recordings[side] =
			make_recording(stepper, subject, image, cpu->profile, error);
	if (!subject->image)
		rsb_image_free(image);
	return cpu->recordings[side];
}

/* Shows another CPU, at the same place as long as there is one. False: all stays as it was. */
static bool choose_cpu(struct cli_stepper *stepper, size_t index, struct rsb_error *error)
{
	struct cli_stepper_cpu *cpu = &stepper->cpus[index];
	struct rsb_cursor cursors[CLI_SIDES] = { 0 };
	uint32_t *progress[CLI_SIDES] = { NULL };
	bool good = load_cpu(stepper, cpu, error);

	for (size_t i = 0; good && i < stepper->side_count; i++) {
		good = record(stepper, cpu, i, error);
		if (!good)
			break;
		progress[i] = cli_sides_progress(cpu->recordings[i]);
		if (!rsb_cursor_open(&cursors[i], cpu->recordings[i]) || !progress[i])
			good = rsb_error_set(error, "out of memory");
	}
	for (size_t i = 0; i < stepper->side_count; i++) {
		if (!good) {
			rsb_cursor_close(&cursors[i]);
			free(progress[i]);
			continue;
		}
		rsb_cursor_seek(&cursors[i], stepper->cursors[i].event, stepper->cursors[i].step);
		rsb_cursor_close(&stepper->cursors[i]);
		stepper->cursors[i] = cursors[i];
		free(stepper->progress[i]);
		stepper->progress[i] = progress[i];
	}
	if (good)
		stepper->cpu = index;
	return good;
}

bool cli_stepper_open(struct cli_stepper *stepper, struct cli_subject *subjects, size_t count,
		      const struct cli_profiles *profiles, const struct cli_profile_choice *choice,
		      size_t events, struct rsb_error *error)
{
	*stepper = (struct cli_stepper){
		.subjects = subjects, .side_count = count, .choice = choice, .events = events
	};
	return (list_cpus(stepper, profiles) || rsb_error_set(error, "out of memory")) &&
	       choose_cpu(stepper, 0, error);
}

void cli_stepper_close(struct cli_stepper *stepper)
{
	for (size_t i = 0; i < CLI_SIDES; i++) {
		rsb_cursor_close(&stepper->cursors[i]);
		free(stepper->progress[i]);
	}
	for (size_t i = 0; i < stepper->cpu_count; i++) {
		for (size_t side = 0; side < CLI_SIDES; side++)
			rsb_recording_free(stepper->cpus[i].recordings[side]);
		cli_profiles_clear(&stepper->cpus[i].loaded);
	}
	free(stepper->cpus);
}

static void say(struct cli_stepper *stepper, const char *text)
{
	snprintf(stepper->message, sizeof(stepper->message), "%s", text);
}

static void move(struct cli_stepper *stepper, enum rsb_move move, const char *otherwise)
{
	if (!cli_sides_move(stepper, move))
		say(stepper, otherwise);
}

/* The end of what there is, and why there is no more of it. */
static void say_end(struct cli_stepper *stepper)
{
	const char *why = NULL;

	for (size_t i = 0; i < stepper->side_count && !why; i++)
		why = stepper->cursors[i].recording->why_left_out;
	for (size_t i = 0; i < stepper->side_count && !why; i++)
		if (stepper->cursors[i].recording->refusals_end <
		    stepper->cursors[i].recording->round_count)
			why = "what would be refused is not marked up to here, there is too much";
	snprintf(stepper->message, sizeof(stepper->message), "this is the end%s%s", why ? ": " : "",
		 why ? why : "");
}

/* Tries the CPUs from here on until one can run the code. */
static void change_cpu(struct cli_stepper *stepper, size_t by)
{
	size_t index = stepper->cpu;
	struct rsb_error error = { "" };

	if (stepper->cpu_count == 1)
		say(stepper, "there is only this CPU");
	for (size_t i = 1; i < stepper->cpu_count; i++) {
		index = (index + by) % stepper->cpu_count;
		if (!load_cpu(stepper, &stepper->cpus[index], &error) ||
		    (stepper->cpus[index].name &&
		     !rsb_profile_runs(stepper->cpus[index].profile, RSB_RUN_ARCH)))
			continue;
		if (!choose_cpu(stepper, index, &error))
			say(stepper, error.text);
		return;
	}
}

static void go_to_round(struct cli_stepper *stepper)
{
	unsigned long round = strtoul(stepper->typed, NULL, 10);
	bool moved = false;

	stepper->mode = CLI_STEPPER_VIEW;
	if (!*stepper->typed)
		return;
	for (size_t i = 0; i < stepper->side_count; i++)
		moved |= rsb_cursor_round(&stepper->cursors[i], round);
	if (!moved)
		snprintf(stepper->message, sizeof(stepper->message),
			 "there is no round %lu: they are 0 to %zu", round,
			 stepper->cursors[0].recording->round_count - 1);
}

/* A key while the number of a round is typed. */
static void type_key(struct cli_stepper *stepper, int key)
{
	size_t size = strlen(stepper->typed);

	if (key == CLI_KEY_ENTER || key == '\r') {
		go_to_round(stepper);
	} else if (key == CLI_KEY_DELETE || key == 127) {
		if (size)
			stepper->typed[size - 1] = '\0';
	} else if (key >= '0' && key <= '9') {
		if (size + 1 < sizeof(stepper->typed))
			stepper->typed[size] = (char)key;
	} else {
		stepper->mode = CLI_STEPPER_VIEW;
	}
}

static void move_key(struct cli_stepper *stepper, int key)
{
	switch (key) {
	case 's':
	case ' ':
	case CLI_KEY_RIGHT:
		if (!cli_sides_move(stepper, RSB_MOVE_STEP))
			say_end(stepper);
		break;
	case 'b':
	case CLI_KEY_LEFT:
		move(stepper, RSB_MOVE_BACK, "this is the start");
		break;
	case 'n':
	case CLI_KEY_DOWN:
		move(stepper, RSB_MOVE_NEXT, "there is no call or return from here on");
		break;
	case 'p':
	case CLI_KEY_UP:
		move(stepper, RSB_MOVE_PREVIOUS, "this is the start");
		break;
	case 'm':
		move(stepper, RSB_MOVE_NEXT_MISS, "nothing misses from here on");
		break;
	case 'M':
		move(stepper, RSB_MOVE_PREVIOUS_MISS, "nothing missed before");
		break;
	case 'x':
		move(stepper, RSB_MOVE_NEXT_REFUSED, "nothing is refused from here on");
		break;
	case 'X':
		move(stepper, RSB_MOVE_PREVIOUS_REFUSED, "nothing was refused before");
		break;
	case '0':
	case CLI_KEY_HOME:
		move(stepper, RSB_MOVE_START, "this is the start");
		break;
	case '$':
	case CLI_KEY_END:
		cli_sides_move(stepper, RSB_MOVE_END);
		say_end(stepper);
		break;
	default:
		say(stepper, "this key does nothing; ?: help");
		break;
	}
}

static void view_key(struct cli_stepper *stepper, int key)
{
	switch (key) {
	case 'q':
		stepper->done = true;
		break;
	case '?':
	case 'h':
		stepper->mode = CLI_STEPPER_HELP;
		break;
	case 'w':
		stepper->mode = CLI_STEPPER_WHY;
		break;
	case 'g':
		stepper->mode = CLI_STEPPER_ROUND;
		memset(stepper->typed, 0, sizeof(stepper->typed));
		break;
	case 'r':
		stepper->running = true;
		break;
	case 'c':
		change_cpu(stepper, 1);
		break;
	case 'C':
		change_cpu(stepper, stepper->cpu_count - 1);
		break;
	default:
		move_key(stepper, key);
		break;
	}
}

void cli_stepper_key(struct cli_stepper *stepper, int key)
{
	*stepper->message = '\0';
	if (stepper->running) {
		/* Any key stops it. */
		stepper->running = false;
		return;
	}
	switch (stepper->mode) {
	case CLI_STEPPER_VIEW:
		view_key(stepper, key);
		break;
	case CLI_STEPPER_ROUND:
		type_key(stepper, key);
		break;
	default:
		/* Pages are left by any key; one that means something does that too. */
		stepper->mode = CLI_STEPPER_VIEW;
		if (key != CLI_KEY_ESCAPE && key != CLI_KEY_ENTER && key != '\r' && key != 'q' &&
		    key != 'w' && key != '?' && key != 'h' && key != ' ')
			view_key(stepper, key);
		break;
	}
}

void cli_stepper_tick(struct cli_stepper *stepper)
{
	move(stepper, RSB_MOVE_EVENT, "");
	stepper->running = false;
	for (size_t i = 0; i < stepper->side_count; i++)
		stepper->running |= stepper->cursors[i].event <
				    stepper->cursors[i].recording->event_count;
	if (!stepper->running)
		say_end(stepper);
}
