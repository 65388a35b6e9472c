/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runner: starts the child, waits for it, and believes what can be believed. */
#define _GNU_SOURCE
#include "sim/native/runner.h"

#include "sim/native/child.h"
#include "sim/native/counter.h"
#include "sim/native/fate.h"
#include "traces/util/child.h"

#if RSB_NATIVE_HERE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

/* A child that is running. */
struct running {
	pid_t process;
	int start; /* what ends when it may begin: the parent's side */
	int alive; /* what ends when it does */
	int counter;
	struct rsb_native_board *board;
	uint64_t since; /* ticks */
};

static bool fail(struct rsb_error *error, const char *what)
{
	return rsb_error_set(error, "%s: %s", what, strerror(errno));
}

static void close_all(const int *files, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (files[i] >= 0)
			close(files[i]);
}

/* The child keeps its ends of the two pipes: all of it is closed when it begins, and when it ends.
 */
static bool begin(struct running *running, const struct rsb_native_plan *plan,
		  struct rsb_error *error)
{
	int files[4] = { -1, -1, -1, -1 };

	if (pipe2(files, O_CLOEXEC) || pipe2(files + 2, O_CLOEXEC)) {
		fail(error, "pipe");
		close_all(files, 4);
		return false;
	}
	running->process = fork();
	if (running->process < 0) {
		fail(error, "fork");
		close_all(files, 4);
		return false;
	}
	if (!running->process) {
		close(files[1]);
		close(files[2]);
		rsb_native_child(plan, running->board, files[0], files[3]);
	}
	close(files[0]);
	close(files[3]);
	running->start = files[1];
	running->alive = files[2];
	return true;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Until the child ends, or so many seconds are over. */
static bool wait_end(const struct running *running, double seconds)
{
	struct pollfd file = { .fd = running->alive, .events = POLLIN };
	double end = now() + seconds, left;

	while ((left = end - now()) > 0)
		if (poll(&file, 1, left > 3600 ? 3600000 : (int)(left * 1000) + 1) > 0)
			return true;
	return false;
}

/* Do the numbers that the child left go with the time that it had? */
static bool believe(const struct rsb_native_plan *plan, const struct rsb_native_board *board,
		    uint64_t elapsed, struct rsb_native_samples *samples)
{
	uint64_t sum = 0;

	if (board->taken != plan->visit.samples)
		return false;
	for (unsigned i = 0; i < plan->visit.samples; i++) {
		const struct rsb_native_sample sample = board->samples[i];

		if (!sample.ticks || !sample.before || !sample.after || sample.ticks > elapsed ||
		    sample.before > elapsed || sample.after > elapsed)
			return false;
		sum += sample.ticks + sample.before + sample.after;
		samples->samples[i] = sample;
	}
	samples->count = plan->visit.samples;
	return sum <= elapsed;
}

static bool judge(const struct running *running, const struct rsb_native_plan *plan,
		  const struct rsb_image *image, int status, bool late,
		  struct rsb_native_samples *samples, struct rsb_error *error)
{
	uint64_t elapsed = __rdtsc() - running->since;
	struct rsb_native_fate fate = {
		.image = image,
		.plan = plan,
		.status = status,
		.late = late,
		.step = running->board->step,
		.refusal = running->board->refusal,
		.number = running->board->number,
		.where = running->board->where,
	};

	if (!rsb_native_fate_good(&fate))
		return rsb_native_fate_tell(&fate, error);
	samples->counted = rsb_counter_read(running->counter, &samples->mispredicted);
	return believe(plan, running->board, elapsed, samples) ||
	       rsb_error_set(error, "the code wrote over what the runner measured");
}

static bool run(const struct rsb_native_plan *plan, const struct rsb_image *image,
		struct rsb_native_board *board, struct rsb_native_samples *samples,
		struct rsb_error *error)
{
	struct running running = { .board = board, .counter = -1, .since = __rdtsc() };
	bool late, good;

	if (!begin(&running, plan, error))
		return false;
	if (plan->visit.counter)
		running.counter = rsb_counter_open(running.process);
	close(running.start);
	late = !wait_end(&running, plan->visit.seconds);
	if (late)
		kill(running.process, SIGKILL);
	good = judge(&running, plan, image, rsb_child_await(running.process), late, samples, error);
	close_all((int[]){ running.alive, running.counter }, 2);
	return good;
}

bool rsb_native_run(const struct rsb_image *image, const struct rsb_native_visit *visit,
		    struct rsb_native_samples *samples, struct rsb_error *error)
{
	struct rsb_native_board *board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
					      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct rsb_native_plan plan;
	bool good;

	samples->count = 0;
	samples->counted = false;
	if (board == MAP_FAILED)
		return fail(error, "shared memory");
	good = rsb_native_plan(&plan, image, visit, error) &&
	       run(&plan, image, board, samples, error);
	rsb_native_plan_clear(&plan);
	munmap(board, sizeof(*board));
	return good;
}

/* Tried in a child, as it cannot be taken back. */
bool rsb_native_available(struct rsb_error *error)
{
	pid_t process = fork();

	if (process < 0)
		return fail(error, "fork");
	if (!process)
		rsb_native_leave(!rsb_native_filter(false));
	return !rsb_child_await(process) ||
	       rsb_error_set(error, "this kernel has no filter for system calls "
				    "(seccomp), without which no code is run");
}

#else

bool rsb_native_available(struct rsb_error *error)
{
	return rsb_error_set(error, "native runs need x86-64 and Linux");
}

bool rsb_native_run(const struct rsb_image *image, const struct rsb_native_visit *visit,
		    struct rsb_native_samples *samples, struct rsb_error *error)
{
	(void)image;
	(void)visit;
	samples->count = 0;
	return rsb_native_available(error);
}

#endif
