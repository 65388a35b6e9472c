/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes what the program was writing when it is ended. */
#include "sim/cli/leftover.h"

#include "traces/util/ending.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

#define PATHS 8 /* at a time; no command has as many */

/* The program's, as its temporary files are. A child has its parent's: they are not its own. */
static const char *volatile paths[PATHS];
static volatile pid_t owner;

void cli_leftover_remove(void)
{
	if (owner != getpid())
		return;
	for (size_t i = 0; i < PATHS; i++)
		if (paths[i])
			unlink(paths[i]);
}

static void on_signal(int number)
{
	cli_leftover_remove();
	signal(number, SIG_DFL);
	raise(number);
}

/* From one handler to another, where the first is what stands. */
static void exchange_one(int number, void (*from)(int number), void (*to)(int number))
{
	struct sigaction action = { .sa_handler = to }, old;

	sigemptyset(&action.sa_mask);
	if (!sigaction(number, NULL, &old) && old.sa_handler == from)
		sigaction(number, &action, NULL);
}

static void exchange(void (*from)(int number), void (*to)(int number))
{
	for (size_t i = 0; i < RSB_ENDING_SIGNALS; i++)
		exchange_one(rsb_ending_signals[i], from, to);
	exchange_one(SIGPIPE, from, to);
}

void cli_leftover_add(const char *path)
{
	for (size_t i = 0; i < PATHS; i++)
		if (!paths[i]) {
			owner = getpid();
			paths[i] = path;
			break;
		}
	exchange(SIG_DFL, on_signal);
}

void cli_leftover_forget(const char *path)
{
	bool none = true;

	for (size_t i = 0; i < PATHS; i++) {
		if (paths[i] == path)
			paths[i] = NULL;
		none = none && !paths[i];
	}
	if (none)
		exchange(on_signal, SIG_DFL);
}
