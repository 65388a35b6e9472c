/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs gnuplot. */
#include "sim/cli/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const char *cli_gnuplot_terminal(const char *path, struct rsb_error *error)
{
	static const char *const terminals[] = { "svg", "png" };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(terminals) / sizeof(*terminals); i++)
		if (!strcasecmp(dot + 1, terminals[i]))
			return terminals[i];
	return rsb_error_null(error, "--plot: expected a file that ends in .svg or .png, got '%s'",
			      path);
}

/* Returns 0, or an errno. */
static int spawn(pid_t *child, const char *program, FILE *script, FILE *out, FILE *complaints)
{
	char *const arguments[] = { (char *)program, NULL };
	posix_spawn_file_actions_t actions;
	int failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(complaints), STDERR_FILENO);
	failed = posix_spawnp(child, program, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* Some C libraries find only in the child that there is no such program: status 127. */
static bool wait_for(pid_t child, int *status)
{
	while (waitpid(child, status, 0) < 0)
		if (errno != EINTR)
			return false;
	return true;
}

static bool complain(const char *program, int status, FILE *complaints, struct rsb_error *error)
{
	char line[256] = "";

	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return rsb_error_set(error,
				     "--plot: cannot run %s: expected gnuplot (Debian: "
				     "gnuplot-nox)",
				     program);
	rewind(complaints);
	while (fgets(line, sizeof(line), complaints) && line[strspn(line, " \t\r\n^")] == '\0')
		;
	line[strcspn(line, "\r\n")] = '\0';
	return rsb_error_set(error, "--plot: %s failed: %s", program, line);
}

static bool run(const char *program, FILE *script, FILE *out, FILE *complaints,
		struct rsb_error *error)
{
	pid_t child;
	int status, failed;

	failed = spawn(&child, program, script, out, complaints);
	if (failed == ENOENT)
		return complain(program, 127 << 8, complaints, error);
	if (failed)
		return rsb_error_set(error, "--plot: %s: %s", program, strerror(failed));
	if (!wait_for(child, &status))
		return rsb_error_set(error, "--plot: %s: %s", program, strerror(errno));
	return !status || complain(program, status, complaints, error);
}

static const char *choose_program(void)
{
	const char *own = getenv("GNUPLOT");

	if (own && *own)
		return own;
	return access(GNUPLOT, X_OK) ? "gnuplot" : GNUPLOT;
}

bool cli_gnuplot_run(FILE *script, FILE *out, struct rsb_error *error)
{
	FILE *complaints = tmpfile();
	bool good;

	/* The descriptor's own place in the file is what the child reads from. */
	good = complaints && !fflush(script) && !fflush(out) &&
	       lseek(fileno(script), 0, SEEK_SET) == 0;
	if (good)
		good = run(choose_program(), script, out, complaints, error);
	else
		rsb_error_set(error, "--plot: %s", strerror(errno));
	if (complaints)
		fclose(complaints);
	return good;
}
