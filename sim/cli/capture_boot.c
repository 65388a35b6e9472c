/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boots a kernel for rsbsim capture. */
#include "sim/cli/capture_boot.h"

#include "traces/util/ending.h"
#include "traces/util/suggest.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program's one boot, for a signal's handler. */
static struct rsb_boot *volatile running;

/* Nothing is left behind; the program then ends as it would have. */
static void on_signal(int number)
{
	struct rsb_boot *boot = running;

	running = NULL;
	if (boot)
		rsb_boot_abandon(boot);
	signal(number, SIG_DFL);
	raise(number);
}

static void set_handlers(void (*handler)(int number))
{
	struct sigaction action = { .sa_handler = handler }, old;

	/* None of them comes while another one is dealt with. */
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < RSB_ENDING_SIGNALS; i++)
		sigaddset(&action.sa_mask, rsb_ending_signals[i]);
	for (size_t i = 0; i < RSB_ENDING_SIGNALS; i++)
		if (!sigaction(rsb_ending_signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(rsb_ending_signals[i], &action, NULL);
}

const char *cli_boot_lonely(const struct cli_boot_choice *choice)
{
	if (choice->kernel)
		return NULL;
	if (choice->cpu_model)
		return "cpu-model";
	if (choice->append)
		return "append";
	if (choice->attach.count)
		return "attach";
	return choice->seconds.given ? "time-limit" : NULL;
}

/* One "KIND:FUNCTION", which is cut at the colon. */
static bool read_program(struct cli_attached *attached, char *word, struct rsb_error *error)
{
	char *colon = strchr(word, ':');
	const char *const *kind = rsb_attach_kinds;

	if (!colon || !colon[1] || strspn(colon + 1, " \t:") || strlen(colon + 1) > 255)
		return rsb_error_set(error, "--attach: expected KIND:FUNCTION, got '%s'", word);
	if (attached->count == RSB_BOOT_ATTACHED)
		return rsb_error_set(error, "--attach: expected at most %d programs",
				     RSB_BOOT_ATTACHED);
	*colon = '\0';
	while (*kind && strcmp(*kind, word) != 0)
		kind++;
	if (!*kind) {
		rsb_unknown(error, "kind", word, rsb_attach_kinds);
		return rsb_error_prefix(error, "--attach");
	}
	attached->all[attached->count++] = (struct rsb_attach){ *kind, colon + 1 };
	return true;
}

bool cli_attached_read(struct cli_attached *attached, const struct cli_words *words,
		       struct rsb_error *error)
{
	size_t size = 1;
	char *rest;

	attached->count = 0;
	for (size_t i = 0; i < words->count; i++)
		size += strlen(words->words[i]) + 1;
	attached->text = calloc(1, size);
	if (!attached->text)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < words->count; i++) {
		strcat(attached->text, words->words[i]);
		strcat(attached->text, ",");
	}
	rest = attached->text;
	for (char *word = strtok_r(rest, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		if (!read_program(attached, word, error))
			return false;
	return true;
}

void cli_attached_clear(struct cli_attached *attached)
{
	free(attached->text);
	attached->text = NULL;
}

/* On a terminal only, and taken away again. */
static void show(const char *what)
{
	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r%s\033[K", what);
	fflush(stderr);
}

static void on_progress(void *context, const char *what)
{
	char text[256];

	snprintf(text, sizeof(text), "%s: %s", (const char *)context, what);
	show(text);
}

struct rsb_boot *cli_boot_run(const struct cli_boot_choice *choice,
			      const struct cli_attached *attached, struct rsb_error *error)
{
	const struct rsb_boot_options options = {
		.kernel = choice->kernel,
		.cpu_model = choice->cpu_model,
		.arguments = choice->append,
		.attach = attached->all,
		.count = attached->count,
		.seconds = (unsigned)choice->seconds.value,
		.progress = on_progress,
		.context = (void *)choice->kernel,
	};
	struct rsb_boot *boot = rsb_boot_new();
	bool good;

	if (!boot)
		return rsb_error_null(error, "out of memory");
	running = boot;
	set_handlers(on_signal);
	good = rsb_boot_run(boot, &options, error);
	show("");
	if (good)
		return boot;
	cli_boot_end(boot);
	return NULL;
}

void cli_boot_end(struct rsb_boot *boot)
{
	if (!boot)
		return;
	running = NULL;
	rsb_boot_free(boot);
}
