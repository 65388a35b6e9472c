/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * startup PROGRAM: how long the whole process takes to score one generated layout on one CPU, and
 * that a thousand million rounds take no longer.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUNS     25
#define LIMIT_MS 15 /* DESIGN.md, Speed and size to reach */

extern char **environ;

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Runs the command, its output thrown away. False: it could not be run, or it failed. */
static bool run(char *const *command)
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status;
	bool started;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	started = posix_spawn(&child, command[0], &actions, NULL, command, environ) == 0;
	posix_spawn_file_actions_destroy(&actions);
	return started && waitpid(child, &status, 0) == child && status == 0;
}

/* Without rounds, only the steady state is asked for. */
static bool measure(const char *what, char *program, char *rounds)
{
	char *command[] = { program,          "score",
			    "bpf-fexit-skip", "--cpu",
			    "intel-haswell",  rounds ? "--rounds" : NULL,
			    rounds,           NULL };
	double times[RUNS];

	for (int i = -1; i < RUNS; i++) { /* the first only warms the caches */
		double start = now_ms();

		if (!run(command)) {
			fprintf(stderr, "startup: %s failed\n", program);
			return false;
		}
		if (i >= 0)
			times[i] = now_ms() - start;
	}
	qsort(times, RUNS, sizeof(*times), by_value);
	printf("%-50s min %.2f ms, median %.2f ms, limit %d ms\n", what, times[0], times[RUNS / 2],
	       LIMIT_MS);
	return true;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: startup PROGRAM\n");
		return 2;
	}
	if (!measure("score one layout on one CPU, whole process", argv[1], NULL) ||
	    !measure("the same for 1000000000 rounds", argv[1], "1000000000"))
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
