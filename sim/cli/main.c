/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program: finds the command and runs it. */
#include "sim/cli/help.h"
#include "sim/cli/leftover.h"
#include "sim/cli/message.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "traces/util/suggest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum cli_status run_help(void *request, int argc, char **argv, struct rsb_error *error);

static const struct cli_command help = {
	.name = "help",
	.summary = "Explains a command.",
	.arguments = "[COMMAND]",
	.help = "Without one, lists the commands.",
	.example = "rsbsim help score",
	.run = run_help,
};

/* To add one: one row, sorted. */
static const struct cli_command *const commands[] = {
	&cli_capture, &cli_check,  &cli_explain, &help,       &cli_lesson, &cli_list,
	&cli_merge,   &cli_native, &cli_probe,   &cli_report, &cli_score,  &cli_show,
	&cli_step,    &cli_sweep,  &cli_trace,   NULL,
};

#define PARTS_MAX 32 /* of a command, and of the program */

/* The program itself, for messages that are not about a command. */
static const struct cli_command program = { .name = "", .parts = commands };

/* Of "trace dump", "dump". */
static const char *last_word(const char *name)
{
	const char *space = strrchr(name, ' ');

	return space ? space + 1 : name;
}

static const struct cli_command *find_part(const struct cli_command *whole, const char *name)
{
	const char *known[PARTS_MAX + 1] = { NULL };
	struct rsb_error error;

	for (size_t i = 0; i < PARTS_MAX && whole->parts[i]; i++) {
		known[i] = last_word(whole->parts[i]->name);
		if (!strcmp(known[i], name))
			return whole->parts[i];
	}
	rsb_unknown(&error, "command", name, known);
	cli_trouble(whole, "%s", error.text);
	return NULL;
}

static enum cli_status run_help(void *request, int argc, char **argv, struct rsb_error *error)
{
	const struct cli_command *about = &program;

	(void)request;
	if (!argc) {
		cli_help_program(stdout, commands);
		return CLI_OK;
	}
	for (int i = 0; i < argc; i++) {
		if (!about->parts) {
			rsb_error_set(error, "expected one command, got '%s' too", argv[i]);
			return CLI_TROUBLE;
		}
		about = find_part(about, argv[i]);
		if (!about)
			return CLI_TROUBLE;
	}
	cli_help_command(about);
	return CLI_OK;
}

static enum cli_status run_request(const struct cli_command *command, void *request, int argc,
				   char **argv)
{
	struct rsb_error error = { "" };
	enum cli_status status;

	switch (cli_options_parse(command, request, &argc, &argv)) {
	case CLI_ANSWERED:
		return CLI_OK;
	case CLI_REFUSED:
		return CLI_TROUBLE;
	case CLI_PARSED:
		break;
	}
	cli_output_spare(argv);
	status = cli_output_check_wanted(&error) ? command->run(request, argc, argv, &error)
						 : CLI_TROUBLE;
	if (status == CLI_TROUBLE && *error.text)
		cli_trouble(command, "%s", error.text);
	return status;
}

static enum cli_status run_command(const struct cli_command *command, int argc, char **argv)
{
	void *request = calloc(1, command->request_size);
	enum cli_status status;

	if (!request && command->request_size)
		return cli_trouble(command, "out of memory");
	if (command->prepare)
		command->prepare(request);
	status = run_request(command, request, argc, argv);
	if (command->clear)
		command->clear(request);
	free(request);
	return status;
}

/* argv[0] is the command's name. */
static enum cli_status run_part(const struct cli_command *command, int argc, char **argv)
{
	if (!command->parts || argc < 2 || argv[1][0] == '-')
		return run_command(command, argc, argv);
	command = find_part(command, argv[1]);
	return command ? run_part(command, argc - 1, argv + 1) : CLI_TROUBLE;
}

/* Options before a command. */
static enum cli_status run_option(const char *option)
{
	if (!strcmp(option, "--help") || !strcmp(option, "-h"))
		cli_help_program(stdout, commands);
	else if (!strcmp(option, "--version"))
		cli_help_version();
	else
		return cli_trouble(&program,
				   "%s: unknown option; before a command there are --help and "
				   "--version",
				   option);
	return CLI_OK;
}

enum cli_status cli_run(int argc, char **argv)
{
	if (argc < 2) {
		cli_help_program(stderr, commands);
		return CLI_TROUBLE;
	}
	return argv[1][0] == '-' ? run_option(argv[1]) : run_part(&program, argc, argv);
}

/*
 * Where a shell closed one of the standard streams (>&-), the next file that is opened would take
 * its place, and reports or messages would go there. What stands there now cannot be used the way
 * the stream is, so that this is an error of its own.
 */
static bool hold_standard_streams(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
		if (fcntl(file, F_GETFD) < 0 && open("/dev/null", modes[file]) != file)
			return false;
	return true;
}

/*
 * Unicorn 2.0.1 aborts the process, with a line of its own, when it translates certain code. The
 * machine keeps it from most of that (sim/machine/ahead.c); from the rest nothing leads back.
 */
static void on_abort(int number)
{
	static const char text[] = "rsbsim: the engine cannot translate the code that comes next, "
				   "and ended the program\n";
	ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)number;
	(void)written; /* the status says it too */
	cli_leftover_remove();
	_exit(CLI_TROUBLE);
}

int main(int argc, char **argv)
{
	enum cli_status status;

	signal(SIGABRT, on_abort);
	signal(SIGCHLD,
	       SIG_DFL); /* whoever started this may ignore it: no child would have a status */
	signal(SIGXFSZ, SIG_IGN); /* ulimit -f: then writing fails, and that is told */
	status = hold_standard_streams() ? cli_run(argc, argv) : CLI_TROUBLE;

	/* A full disk shows only here, unless the command has said so already. */
	if (status == CLI_OK && (fflush(stdout) || ferror(stdout)))
		return cli_trouble(&program, "standard output: %s", strerror(errno));
	return status;
}
