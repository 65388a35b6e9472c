/* SPDX-License-Identifier: GPL-2.0-or-later */
/* QEMU as a child process. Between fork and exec it calls only what is safe there. */
#include "sim/capture/boot_private.h"

#include "traces/util/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define ARGUMENTS 40
#define MEMORY    "512" /* MiB: a distribution's kernel needs about 200 */
#define ABSENT    127   /* the status of a child that found no program, as a shell's */
#define MONITOR   3     /* the descriptor that the child has it at */

/*
 * What the kernel is told: where to say what goes wrong, and not to wait after it; addresses that
 * are those of its own file.
 */
#define FIXED_ARGUMENTS "console=ttyS0 quiet loglevel=3 panic=-1 nokaslr"

static void become(const struct rsb_boot *boot, const char *const *arguments, int monitor)
{
	int nothing = open("/dev/null", O_RDWR);
	int says = open(boot->files[RSB_BOOT_SAYS], O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (nothing < 0 || says < 0 || chdir(boot->folder) || dup2(nothing, STDIN_FILENO) < 0 ||
	    dup2(nothing, STDOUT_FILENO) < 0 || dup2(says, STDERR_FILENO) < 0)
		_exit(ABSENT - 1);
	if (monitor == MONITOR)
		fcntl(monitor, F_SETFD, 0);
	else if (dup2(monitor, MONITOR) < 0)
		_exit(ABSENT - 1);
	/* A group of its own: what a terminal sends is for us to pass on; it ends when we do. */
	setpgid(0, 0);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	/* Not written to: the prototype is older than const. */
	execvp(arguments[0], (char *const *)arguments);
	if (strcmp(arguments[0], RSB_QEMU) != 0)
		execv(RSB_QEMU, (char *const *)arguments);
	_exit(errno == ENOENT ? ABSENT : ABSENT - 1);
}

static void list_arguments(const struct rsb_boot_options *options, const char *kernel,
			   const char *append, const char *out[ARGUMENTS])
{
	static const char *const fixed[] = {
		"qemu-system-x86_64",
		"-no-user-config",
		"-nodefaults",
		"-display",
		"none",
		"-no-reboot",
		"-accel",
		"tcg",
		"-smp",
		"1",
		"-m",
		MEMORY,
		"-serial",
		"file:console",
		"-serial",
		"file:report",
		"-chardev",
		"socket,id=monitor,fd=3",
		"-mon",
		"chardev=monitor,mode=control",
		"-initrd",
		"initrd",
	};
	size_t count = sizeof(fixed) / sizeof(*fixed);

	memcpy(out, fixed, sizeof(fixed));
	out[count++] = "-kernel";
	out[count++] = kernel;
	out[count++] = "-append";
	out[count++] = append;
	if (options->cpu_model) {
		out[count++] = "-cpu";
		out[count++] = options->cpu_model;
	}
	out[count] = NULL;
}

static bool start(struct rsb_boot *boot, const char *const *arguments, struct rsb_error *error)
{
	int ends[2];
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return rsb_error_set(error, "a socket: %s", strerror(errno));
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	child = fork();
	if (!child)
		become(boot, arguments, ends[1]);
	close(ends[1]);
	boot->monitor = ends[0];
	if (child < 0)
		return rsb_error_set(error, "%s: %s", arguments[0], strerror(errno));
	boot->child = child;
	return true;
}

bool rsb_qemu_start(struct rsb_boot *boot, const struct rsb_boot_options *options,
		    struct rsb_error *error)
{
	const char *given = options->arguments ? options->arguments : "";
	size_t size = sizeof(FIXED_ARGUMENTS) + 1 + strlen(given);
	char *append = malloc(size), *kernel = realpath(options->kernel, NULL);
	const char *arguments[ARGUMENTS];
	bool good = (append && kernel) || rsb_error_set(error, "%s", strerror(errno));

	if (good) {
		snprintf(append, size, FIXED_ARGUMENTS " %s", given);
		list_arguments(options, kernel, append, arguments);
		good = start(boot, arguments, error);
	}
	free(append);
	free(kernel);
	return good;
}

static bool ended(struct rsb_boot *boot, int status, struct rsb_error *error)
{
	char said[400], console[400];

	boot->child = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == ABSENT)
		return rsb_error_set(error, "cannot run qemu-system-x86_64 (Debian: "
					    "qemu-system-x86)");
	rsb_report_last_words(boot->files[RSB_BOOT_CONSOLE], "panic", console, sizeof(console));
	if (*console)
		return rsb_error_set(error, "the kernel ended: %s", console);
	rsb_report_last_words(boot->files[RSB_BOOT_SAYS], "qemu-system", said, sizeof(said));
	return rsb_error_set(error, "QEMU ended%s%s", *said ? ": " : "", said);
}

static bool late(const struct rsb_boot *boot, unsigned seconds, struct rsb_error *error)
{
	char console[400];

	rsb_report_last_words(boot->files[RSB_BOOT_CONSOLE], "panic", console, sizeof(console));
	return rsb_error_set(error, "the guest did not finish within %u seconds%s%s", seconds,
			     *console ? "; it said: " : ", and said nothing", console);
}

bool rsb_qemu_await(struct rsb_boot *boot, unsigned seconds, struct rsb_error *error)
{
	const struct timespec tick = { .tv_nsec = 100 * 1000 * 1000 };
	struct timespec start, now;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (!rsb_report_is_whole(boot->files[RSB_BOOT_REPORT])) {
		if (waitpid(boot->child, &status, WNOHANG) == boot->child)
			return ended(boot, status, error);
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - start.tv_sec >= (time_t)seconds)
			return late(boot, seconds, error);
		nanosleep(&tick, NULL);
	}
	return true;
}

void rsb_qemu_end(struct rsb_boot *boot)
{
	if (boot->child <= 0)
		return;
	kill(boot->child, SIGKILL);
	rsb_child_await(boot->child);
	boot->child = 0;
}
