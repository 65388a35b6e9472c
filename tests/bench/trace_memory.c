/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_memory PROGRAM [SHORT LONG]: the memory that replaying a trace takes must not grow with its
 * length. The traces come through a pipe, as they are made.
 */
#include "tests/bench/long_trace.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHORT_EVENTS 1000000
#define LONG_EVENTS  10000000
#define LIMIT_KIB    1024 /* what the longer one may take more: noise of the allocator */

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The child that makes the trace; it does not return. */
static void make(int to, uint64_t events)
{
	FILE *out = fdopen(to, "w");
	bool good = out && long_trace_write(out, events);

	_exit(out && !fclose(out) && good ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* The child that replays it. */
static void replay(int from, char *program)
{
	int nowhere = open("/dev/null", O_WRONLY);

	if (dup2(from, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
		_exit(EXIT_FAILURE);
	execl(program, program, "trace", "replay", "-", (char *)NULL);
	_exit(EXIT_FAILURE);
}

static bool succeeded(pid_t child)
{
	int status;

	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* Replays a trace of so many events. False: something failed. */
static bool run(char *program, uint64_t events)
{
	pid_t maker, replayer;
	int ends[2];
	bool made;

	if (pipe(ends))
		return false;
	maker = fork();
	if (!maker) {
		close(ends[0]);
		make(ends[1], events);
	}
	close(ends[1]);
	replayer = fork();
	if (!replayer)
		replay(ends[0], program);
	close(ends[0]);
	made = succeeded(maker);
	return succeeded(replayer) && made;
}

/* The most memory that any child has taken so far. */
static long peak_kib(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_CHILDREN, &usage) ? -1 : usage.ru_maxrss;
}

int main(int argc, char **argv)
{
	uint64_t events[2] = { SHORT_EVENTS, LONG_EVENTS };
	long peaks[2];

	if (argc != 2 && argc != 4) {
		fprintf(stderr, "usage: trace_memory PROGRAM [SHORT LONG]\n");
		return 2;
	}
	for (int i = 0; i < 2; i++) {
		double start = now_s();

		if (argc == 4)
			events[i] = strtoull(argv[2 + i], NULL, 10);
		if (!run(argv[1], events[i])) {
			fprintf(stderr, "trace_memory: %s failed\n", argv[1]);
			return EXIT_FAILURE;
		}
		peaks[i] = peak_kib();
		printf("replay of %llu events: %ld KiB at the most, %.1f s\n",
		       (unsigned long long)events[i], peaks[i], now_s() - start);
	}
	printf("%-50s %ld KiB more, limit %d KiB\n", "memory while replaying a file that is longer",
	       peaks[1] - peaks[0], LIMIT_KIB);
	return peaks[1] - peaks[0] <= LIMIT_KIB ? EXIT_SUCCESS : EXIT_FAILURE;
}
