/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs programs. Between fork and exec the child calls only what is safe there. */
#include "sim/image/tool.h"

#include "traces/util/child.h"
#include "traces/util/ending.h"
#include "traces/util/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define ABSENT 127 /* the status of a child that found no program, as a shell's */
#define FOLDER "/rsbsim-XXXXXX"
#define TICK   100 /* milliseconds between looks at whether a signal came */

void rsb_tool_hold(struct rsb_tool_hold *hold)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < RSB_ENDING_SIGNALS; i++)
		sigaddset(&set, rsb_ending_signals[i]);
	pthread_sigmask(SIG_BLOCK, &set, &hold->before);
}

void rsb_tool_release(const struct rsb_tool_hold *hold)
{
	pthread_sigmask(SIG_SETMASK, &hold->before, NULL);
}

/* One that is held back waits all the same. */
static bool is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

/* Is one waiting? */
static bool is_ended(void)
{
	sigset_t set;

	if (sigpending(&set))
		return false;
	for (size_t i = 0; i < RSB_ENDING_SIGNALS; i++)
		if (sigismember(&set, rsb_ending_signals[i]) == 1 &&
		    !is_ignored(rsb_ending_signals[i]))
			return true;
	return false;
}

static void limit(int resource, rlim_t value)
{
	const struct rlimit bound = { value, value };

	setrlimit(resource, &bound);
}

static void become(const struct rsb_tool *tool, const struct rsb_tool_hold *hold, int says)
{
	int in = tool->in ? fileno(tool->in) : open("/dev/null", O_RDONLY);
	int out = tool->out ? fileno(tool->out) : says;

	if (in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(says, STDERR_FILENO) < 0)
		_exit(ABSENT - 1);
	/* A group of its own, so that what it starts ends with it. */
	setpgid(0, 0);
	limit(RLIMIT_CPU, RSB_TOOL_SECONDS);
	limit(RLIMIT_FSIZE, RSB_TOOL_FILE_MAX);
	signal(SIGXFSZ, SIG_DFL); /* that limit ends it, even where ours do not end us */
	limit(RLIMIT_AS, RSB_TOOL_MEMORY_MAX);
	limit(RLIMIT_CORE, 0);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* where nothing can hold the signal back */
#endif
	rsb_tool_release(hold);
	/* Not written to: the prototype is older than const. */
	execvp(tool->arguments[0], (char *const *)tool->arguments);
	_exit(errno == ENOENT ? ABSENT : ABSENT - 1);
}

static bool is_late(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec >= RSB_TOOL_SECONDS;
}

/* Reads what the program says until it ends. False: its time is over, or ours. */
static bool listen(int from, char says[RSB_TOOL_SAYS])
{
	struct pollfd wait = { .fd = from, .events = POLLIN };
	struct timespec start;
	size_t used = 0;
	char rest[512];
	ssize_t got;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		size_t room = RSB_TOOL_SAYS - 1 - used;
		int ready = poll(&wait, 1, TICK);

		if (is_ended() || is_late(&start))
			return false;
		got = 1;
		if (ready <= 0)
			continue;
		if (room)
			got = read(from, says + used, room);
		else
			got = read(from, rest, sizeof(rest));
		if (got > 0 && room)
			used += (size_t)got;
		says[used] = '\0';
	} while (got > 0 || (got < 0 && errno == EINTR));
	return true;
}

static enum rsb_tool_end judge(int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == ABSENT)
		return RSB_TOOL_ABSENT;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? RSB_TOOL_DONE : RSB_TOOL_FAILED;
}

static enum rsb_tool_end run(const struct rsb_tool *tool, const struct rsb_tool_hold *hold,
			     char says[RSB_TOOL_SAYS], struct rsb_error *error)
{
	const char *program = tool->arguments[0];
	int ends[2], status;
	bool in_time;
	pid_t child;

	says[0] = '\0';
	if (pipe(ends)) {
		rsb_error_set(error, "%s: %s", program, strerror(errno));
		return RSB_TOOL_BROKEN;
	}
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	child = fork();
	if (!child)
		become(tool, hold, ends[1]);
	close(ends[1]);
	if (child < 0) {
		rsb_error_set(error, "%s: %s", program, strerror(errno));
		close(ends[0]);
		return RSB_TOOL_BROKEN;
	}
	setpgid(child, child); /* here too: whoever comes first */
	in_time = listen(ends[0], says);
	close(ends[0]);
	if (!in_time)
		kill(-child, SIGKILL);
	status = rsb_child_await(child);
	if (in_time)
		return judge(status);
	if (is_ended())
		rsb_error_set(error, "%s: was ended by a signal", program);
	else
		rsb_error_set(error, "%s: took longer than %d seconds", program, RSB_TOOL_SECONDS);
	return RSB_TOOL_BROKEN;
}

enum rsb_tool_end rsb_tool_run(const struct rsb_tool *tool, char says[RSB_TOOL_SAYS],
			       struct rsb_error *error)
{
	struct rsb_tool_hold hold;
	enum rsb_tool_end end;

	rsb_tool_hold(&hold);
	end = run(tool, &hold, says, error);
	rsb_tool_release(&hold);
	return end;
}

bool rsb_tool_folder(char *folder, size_t size, struct rsb_error *error)
{
	int length = snprintf(folder, size, "%s" FOLDER, rsb_scratch_folder());

	if ((size_t)length >= size)
		return rsb_error_set(error, "TMPDIR: expected at most %zu characters",
				     size - sizeof(FOLDER));
	return mkdtemp(folder) || rsb_error_set(error,
						"%s: a temporary folder cannot be made: %s: "
						"expected TMPDIR to name a folder for such",
						rsb_scratch_folder(), strerror(errno));
}
