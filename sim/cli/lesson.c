/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim lesson: lists the lessons, gives one, grades predictions. */
#include "sim/cli/lesson_command.h"
#include "sim/cli/lesson_grade.h"
#include "sim/cli/lesson_list.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/stdin.h"
#include "sim/cli/terminal.h"
#include "sim/lesson/answers.h"
#include "sim/lesson/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE 256 /* bytes of a prediction that is typed in */

struct request {
	const char *format, *output, *answers;
	bool grade;
};

/* Somebody who predicts, and where from. */
struct reader {
	FILE *in;   /* NULL: nobody is asked */
	bool typed; /* at a terminal: ask again for what is not understood */
	char *text; /* else: the file's, which in reads */

	unsigned rows;  /* of the terminal; 0: nobody is waited for */
	unsigned shown; /* lines since somebody last typed */
	bool colour;    /* the terminal does more than write */
};

/* A line without its end. False: there is none. What is longer than it may be is cut off. */
static bool read_line(FILE *in, char line[LINE])
{
	int byte;

	if (!fgets(line, LINE, in))
		return false;
	if (!strchr(line, '\n'))
		while ((byte = getc(in)) != EOF && byte != '\n')
			;
	line[strcspn(line, "\r\n")] = '\0';
	return true;
}

static bool ask(void *context, struct rsb_given *given, struct rsb_given_block *question)
{
	struct reader *reader = context;
	struct rsb_error error;
	char line[LINE];

	for (;;) {
		if (reader->typed) {
			fputs("  your prediction (Enter: none): ", stdout);
			fflush(stdout);
		}
		reader->shown = 0;
		if (!read_line(reader->in, line)) {
			if (reader->typed)
				putchar('\n');
			reader->rows = 0;
			return false;
		}
		if (rsb_given_predict(given, question, line, &error) || !reader->typed)
			return true;
		printf("  %s\n", error.text);
		rsb_given_predict(given, question, "", &error);
	}
}

/* Nothing leaves the screen before it was read. What was asked is taken back where that can be. */
static void wait_for(void *context, unsigned lines)
{
	struct reader *reader = context;
	char line[LINE];

	/* One row is the cursor's; what is longer than the screen begins at its top. */
	if (reader->rows && reader->shown && reader->shown + lines >= reader->rows) {
		fputs("  (Enter: on) ", stdout);
		fflush(stdout);
		if (!read_line(reader->in, line)) {
			putchar('\n');
			reader->rows = 0;
		} else if (reader->colour) {
			fputs("\033[A\033[2K\r", stdout);
		}
		reader->shown = 0;
	}
	reader->shown += lines;
}

/* As it goes: what is typed in is typed between its lines. */
static bool give_text(struct rsb_given *given, struct reader *reader, struct rsb_error *error)
{
	const struct rsb_lesson_options options = {
		.colour = cli_terminal_colour(),
		.columns = cli_terminal_columns(),
		.ask = reader->in ? ask : NULL,
		.wait = reader->typed ? wait_for : NULL,
		.context = reader,
	};

	return rsb_lesson_text(stdout, given, &options, error);
}

static bool write_answers(FILE *out, const void *from, struct rsb_error *error)
{
	return rsb_answers_write(out, from, error);
}

/* The question of this number, from 1. NULL: there are fewer. */
static struct rsb_given_block *find_question(struct rsb_given *given, size_t number)
{
	for (size_t i = 0; i < given->count; i++)
		if (given->blocks[i].block->kind == RSB_LESSON_QUESTION && !--number)
			return &given->blocks[i];
	return NULL;
}

/* Could this be an answer to it? Nothing is noted. */
static bool check_answer(struct rsb_given *given, size_t number, const char *line, size_t size,
			 struct rsb_error *error)
{
	struct rsb_given_block *question = find_question(given, number);
	struct rsb_error ignored;
	char copy[LINE];
	bool good;

	if (!question)
		return true;
	snprintf(copy, sizeof(copy), "%.*s", (int)size, line);
	good = rsb_given_predict(given, question, copy, error);
	rsb_given_predict(given, question, "", &ignored);
	return good;
}

/*
 * Of predictions that are given by file, none is cut, left out or taken for a wrong one in silence.
 */
static bool check_answers(const char *name, const char *text, struct rsb_given *given,
			  struct rsb_error *error)
{
	const size_t questions = given->questions;

	for (size_t line = 1; *text; line++) {
		size_t size = strcspn(text, "\n");

		if (size >= LINE - 1)
			return rsb_error_set(error, "%s:%zu: expected at most %d bytes", name, line,
					     LINE - 2);
		if (line > questions && strspn(text, " \t\r") < size)
			return rsb_error_set(error,
					     "%s:%zu: expected a line for each of %zu questions, "
					     "found '%.*s' after them",
					     name, line, questions, (int)size, text);
		if (!check_answer(given, line, text, size, error))
			return rsb_error_prefix(error, "%s:%zu", name, line);
		text += size + (text[size] == '\n');
	}
	return true;
}

/* All of it at once, so that what is wrong with it is said before the lesson begins. */
static bool open_answers(struct reader *reader, const char *path, struct rsb_given *given,
			 struct rsb_error *error)
{
	const char *name = !strcmp(path, CLI_STDIN) ? CLI_STDIN_NAME : path;

	reader->text = cli_text_read(path, error);
	if (!reader->text || !check_answers(name, reader->text, given, error))
		return false;
	if (!*reader->text) /* which fmemopen() may refuse */
		return true;
	reader->in = fmemopen(reader->text, strlen(reader->text), "r");
	return reader->in || rsb_error_set(error, "%s: %s", name, strerror(errno));
}

static bool open_reader(struct reader *reader, const char *answers, struct rsb_given *given,
			struct rsb_error *error)
{
	if (answers)
		return open_answers(reader, answers, given, error);
	reader->typed = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (reader->typed) {
		reader->in = stdin;
		reader->rows = cli_terminal_rows();
		reader->colour = cli_terminal_colour();
		reader->shown = 2; /* the title */
	}
	return true;
}

static bool run_in_terminal(const struct request *request, struct rsb_given *given,
			    struct rsb_error *error)
{
	struct reader reader = { .in = NULL };
	bool good = open_reader(&reader, request->answers, given, error) &&
		    give_text(given, &reader, error);

	if (reader.in && reader.in != stdin)
		fclose(reader.in);
	free(reader.text);
	return good &&
	       (!request->output || cli_output_write(request->output, write_answers, given, error));
}

/* A lesson, and how it is written. */
struct written {
	const struct rsb_lesson_format *format;
	struct rsb_given *given;
};

static bool write_page(FILE *out, const void *from, struct rsb_error *error)
{
	const struct written *written = from;
	const struct rsb_lesson_options options = { .columns = 0 };

	return written->format->write(out, written->given, &options, error);
}

static bool give(const struct request *request, const char *word, struct rsb_error *error)
{
	const struct rsb_lesson_format *format = rsb_lesson_format_find(request->format, error);
	struct rsb_lesson *lesson = format ? rsb_lesson_load(word, error) : NULL;
	struct rsb_given *given = lesson ? rsb_given_new(lesson, cli_lesson_run, NULL, error)
					 : NULL;
	bool good = given;

	if (good && format == rsb_lesson_formats())
		good = run_in_terminal(request, given, error);
	else if (good)
		good = cli_output_write(request->output, write_page,
					&(struct written){ format, given }, error);
	rsb_given_free(given);
	rsb_lesson_free(lesson);
	return good;
}

static bool check_request(const struct request *request, int argc, char **argv,
			  struct rsb_error *error)
{
	if (request->answers && (request->grade || !argc || strcmp(request->format, "text")))
		return rsb_error_set(error, "--answers is for a lesson that is given as text");
	if (!request->grade && argc > 1)
		return rsb_error_set(error, "expected one lesson, got '%s' too", argv[1]);
	return true;
}

static bool run(const struct request *request, int argc, char **argv, struct rsb_error *error)
{
	if (!check_request(request, argc, argv, error))
		return false;
	if (request->grade)
		return cli_lesson_grade(request->format, request->output, argc, argv, error);
	return argc ? give(request, argv[0], error)
		    : cli_lesson_list(request->format, request->output, error);
}

static void prepare(void *from)
{
	struct request *request = from;

	request->format = "text";
}

static enum cli_status run_lesson(void *from, int argc, char **argv, struct rsb_error *error)
{
	return run(from, argc, argv, error) ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	{ .name = "answers",
	  .argument = "FILE",
	  .take = cli_take_file,
	  .sentence = "take the predictions from FILE, a line for each question (-: standard "
		      "input), in place of asking at the terminal",
	  .field = offsetof(struct request, answers) },
	{ .name = "grade",
	  .take = cli_take_switch,
	  .sentence = "grade predictions: the operands are files that -o wrote",
	  .field = offsetof(struct request, grade) },
	{ .name = "format",
	  .letter = 'f',
	  .argument = "NAME",
	  .take = cli_take_choice,
	  .sentence = "of a lesson text, html, markdown or json; of the list text or json; of "
		      "grades text, json or csv (default text)",
	  .field = offsetof(struct request, format),
	  .choices = "text|html|markdown|json|csv" },
	{ .name = "output",
	  .letter = 'o',
	  .argument = "FILE",
	  .take = cli_take_output,
	  .sentence = "of a lesson that is given as text: write what was predicted to FILE, as "
		      "JSON; else: write to FILE, whole or not at all",
	  .field = offsetof(struct request, output) },
	CLI_OPTIONS_END,
};

const struct cli_command cli_lesson = {
	.name = "lesson",
	.summary = "Teaches what return stacks do, with predictions to make.",
	.arguments = "[LESSON|--grade FILE...]",
	.help = "LESSON is a name or number from the list, which is shown without it, or a lesson's "
		"file. What the text says is computed as it is shown.",
	.example = "rsbsim lesson fexit -o answers.json",
	.options = options,
	.request_size = sizeof(struct request),
	.prepare = prepare,
	.run = run_lesson,
};
