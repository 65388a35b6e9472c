/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program: finds the command and runs it. */
#include "sim/cli/help.h"
#include "sim/cli/message.h"
#include "traces/util/suggest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int run_help(const struct cli_command *command, int argc, char **argv);

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
	&cli_check, &cli_explain, &help,      &cli_list,  &cli_merge,
	&cli_score, &cli_show,    &cli_sweep, &cli_trace, NULL,
};

/* The program itself, for messages that are not about a command. */
static const struct cli_command program = { .name = "" };

static const struct cli_command *find_command(const char *name)
{
	const char *known[sizeof(commands) / sizeof(*commands)] = { NULL };
	char nearest[256];

	for (size_t i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
		known[i] = commands[i]->name;
	}
	rsb_suggest(name, known, nearest, sizeof(nearest));
	cli_trouble(&program, "unknown command '%s': expected %s", name, nearest);
	return NULL;
}

static int run_help(const struct cli_command *command, int argc, char **argv)
{
	static const struct cli_option rows[] = { { .name = NULL } };
	char *ask[] = { argv[0], "--help", NULL };
	const struct cli_command *about;

	switch (cli_options_parse(command, rows, &argc, &argv)) {
	case CLI_ANSWERED:
		return CLI_OK;
	case CLI_REFUSED:
		return CLI_TROUBLE;
	case CLI_PARSED:
		break;
	}
	if (argc > 1)
		return cli_trouble(command, "expected one command, got '%s' too", argv[1]);
	if (!argc) {
		cli_help_program(stdout, commands);
		return CLI_OK;
	}
	about = find_command(argv[0]);
	return about ? about->run(about, 2, ask) : CLI_TROUBLE;
}

/* Options before a command. */
static int run_option(const char *option)
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

static int run(int argc, char **argv)
{
	const struct cli_command *command;

	if (argc < 2) {
		cli_help_program(stderr, commands);
		return CLI_TROUBLE;
	}
	if (argv[1][0] == '-')
		return run_option(argv[1]);
	command = find_command(argv[1]);
	return command ? command->run(command, argc - 1, argv + 1) : CLI_TROUBLE;
}

/*
 * Where a shell closed one of the standard streams (>&-), the next file that is opened would take its
 * place, and reports or messages would go there. What stands there now cannot be used the way the
 * stream is, so that this is an error of its own.
 */
static bool hold_standard_streams(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
		if (fcntl(file, F_GETFD) < 0 && open("/dev/null", modes[file]) != file)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	int status = hold_standard_streams() ? run(argc, argv) : CLI_TROUBLE;

	/* A full disk shows only here, unless the command has said so already. */
	if (status == CLI_OK && (fflush(stdout) || ferror(stdout)))
		return cli_trouble(&program, "standard output: %s", strerror(errno));
	return status;
}
