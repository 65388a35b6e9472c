/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands in a lesson: run as a reader would, and what they print. */
#include "sim/cli/lesson_command.h"

#include "sim/cli/command.h"
#include "sim/cli/terminal.h"
#include "traces/util/child.h"
#include "traces/util/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX  48
#define OUTPUT_MAX (1u << 20) /* bytes that a lesson shows */
#define COLUMNS    80         /* what most terminals have, and pages print */

/* A command line cut into words. */
struct line {
	char *text;
	char *words[WORDS_MAX + 1];
	size_t count;
};

/* What is behind the bar: which lines of the output are shown. */
struct part {
	bool tail;
	unsigned long lines; /* 0: all */
};

/* Words stand between spaces; single quotes keep them together. */
static bool split(struct line *line, const char *command, struct rsb_error *error)
{
	char *at = line->text = strdup(command);

	if (!at)
		return rsb_error_set(error, "out of memory");
	for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
		char stop = *at == '\'' ? '\'' : ' ';

		if (line->count == WORDS_MAX)
			return rsb_error_set(error, "expected at most %d words", WORDS_MAX);
		line->words[line->count++] = at += stop == '\'';
		at = strchr(at, stop);
		if (!at && stop == '\'')
			return rsb_error_set(error, "expected a second '");
		if (!at)
			break;
		*at++ = '\0';
	}
	return true;
}

static bool is_among(const char *word, const char *const *among)
{
	for (; *among; among++)
		if (!strcmp(word, *among))
			return true;
	return false;
}

/* "| head -n 9" */
static bool take_part(struct line *line, struct part *part, struct rsb_error *error)
{
	static const char *const programs[] = { "head", "tail", NULL };
	size_t bar = 0;
	char *end = "?";

	while (bar < line->count && strcmp(line->words[bar], "|"))
		bar++;
	if (bar == line->count)
		return true;
	if (line->count == bar + 4 && is_among(line->words[bar + 1], programs) &&
	    !strcmp(line->words[bar + 2], "-n"))
		part->lines = strtoul(line->words[bar + 3], &end, 10);
	if (!part->lines || *end)
		return rsb_error_set(error, "after | expected \"head -n N\" or \"tail -n N\"");
	part->tail = !strcmp(line->words[bar + 1], "tail");
	line->count = bar;
	line->words[bar] = NULL;
	return true;
}

static bool check_word(const char *word, struct rsb_error *error)
{
	static const char *const options[] = {
		"-a",
		"--all",
		"--batch",
		"-c",
		"--cpu",
		"--depth",
		"-e",
		"--events",
		"--keys",
		"--mitigations",
		"--return-thunk",
		"-s",
		"--scenario",
		"--script",
		"--set",
		"--shadow-stack",
		NULL,
	};
	char name[32];

	if (strchr(word, '/') || strstr(word, ".json"))
		return rsb_error_set(error, "'%s': expected no file in a lesson's command", word);
	if (*word != '-')
		return true;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	return is_among(name, options) ||
	       rsb_error_set(error, "'%s': expected an option that a lesson's command may have",
			     word);
}

static bool check_line(const struct line *line, struct rsb_error *error)
{
	static const char *const commands[] = { "explain", "list",  "score", "show",
						"step",    "sweep", NULL };

	if (line->count < 2 || strcmp(line->words[0], "rsbsim") ||
	    !is_among(line->words[1], commands))
		return rsb_error_set(error, "expected \"rsbsim COMMAND\", COMMAND one of explain, "
					    "list, score, show, step and sweep");
	for (size_t i = 2; i < line->count; i++)
		if (!check_word(line->words[i], error))
			return false;
	return true;
}

/* In the child: the program once more, with other streams. */
static void be_command(struct line *line, FILE *out, FILE *complaints)
{
	enum cli_status status = CLI_TROUBLE;

	if (dup2(fileno(out), STDOUT_FILENO) >= 0 && dup2(fileno(complaints), STDERR_FILENO) >= 0) {
		cli_terminal_set_columns(COLUMNS);
		status = cli_run((int)line->count, line->words);
	}
	if (fflush(stdout))
		status = CLI_TROUBLE;
	_exit((int)status);
}

/* The first line of what was complained of. */
static bool complain(FILE *complaints, struct rsb_error *error)
{
	char text[512] = "the command failed";

	rewind(complaints);
	if (fgets(text, sizeof(text), complaints))
		text[strcspn(text, "\n")] = '\0';
	return rsb_error_set(error, "%s", text);
}

static bool run_line(struct line *line, FILE *out, FILE *complaints, struct rsb_error *error)
{
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	if (child == 0)
		be_command(line, out, complaints);
	if (child < 0)
		return rsb_error_set(error, "%s", strerror(errno));
	status = rsb_child_await(child);
	return (WIFEXITED(status) && WEXITSTATUS(status) == CLI_OK) || complain(complaints, error);
}

static char *read_output(FILE *out)
{
	char *text = malloc(OUTPUT_MAX + 1);

	if (!text)
		return NULL;
	rewind(out);
	text[fread(text, 1, OUTPUT_MAX, out)] = '\0';
	return text;
}

/* Where line number (from 0) begins, or the end. */
static char *find_line(char *text, unsigned long number)
{
	while (number-- && *text) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return text;
}

/* Empty lines at the end are not shown. */
static void trim(char *text)
{
	size_t size = strlen(text);

	while (size > 1 && text[size - 1] == '\n' && text[size - 2] == '\n')
		text[--size] = '\0';
}

static void cut(char *text, const struct part *part)
{
	unsigned long lines = 0;

	if (!part->lines)
		return;
	if (!part->tail) {
		*find_line(text, part->lines) = '\0';
		return;
	}
	for (const char *at = text; *at; at++)
		lines += *at == '\n';
	if (lines > part->lines) {
		const char *from = find_line(text, lines - part->lines);

		memmove(text, from, strlen(from) + 1);
	}
}

static char *run_into(struct line *line, struct rsb_error *error)
{
	FILE *out = rsb_scratch_open(error), *complaints = out ? rsb_scratch_open(error) : NULL;
	char *text = NULL;

	if (complaints && run_line(line, out, complaints, error) && !(text = read_output(out)))
		rsb_error_set(error, "out of memory");
	if (out)
		fclose(out);
	if (complaints)
		fclose(complaints);
	return text;
}

char *cli_lesson_run(void *context, const char *command, struct rsb_error *error)
{
	struct line line = { .count = 0 };
	struct part part = { .lines = 0 };
	char *text = NULL;

	(void)context;
	if (split(&line, command, error) && take_part(&line, &part, error) &&
	    check_line(&line, error))
		text = run_into(&line, error);
	if (text) {
		cut(text, &part);
		trim(text);
	}
	free(line.text);
	return text;
}
