/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the text of a lesson, line by line. A block goes on until an empty line or one that begins
 * another. Lines are put together where they stand: none is ever longer than what it came from.
 */
#include "sim/lesson/read.h"

#include "traces/util/clean.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NAME 64

struct reader {
	struct rsb_lesson *lesson;
	struct rsb_lesson_block *open; /* that goes on; NULL: none */
	char *end;                     /* of its text (of a question's last choice) */
	unsigned line;
	struct rsb_error *error;
};

/* Puts the file and the line before the error. */
static bool fail(const struct reader *reader)
{
	return rsb_error_prefix(reader->error, "%s:%u", reader->lesson->path, reader->line);
}

static bool is_name(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length && length < NAME && !text[length];
}

static bool add_let(struct reader *reader, char *line)
{
	struct rsb_lesson *lesson = reader->lesson;
	struct rsb_lesson_let *let = &lesson->lets[lesson->let_count];
	char *equals = strstr(line, " = ");

	if (!equals)
		return rsb_error_set(reader->error, "expected \"let NAME = QUERY\"");
	*equals = '\0';
	if (!is_name(line))
		return rsb_error_set(reader->error,
				     "expected a name of letters, digits and _, found '%s'", line);
	if (rsb_lesson_let(lesson, line))
		return rsb_error_set(reader->error, "'%s' has a meaning already", line);
	if (lesson->let_count == RSB_LESSON_LETS_MAX)
		return rsb_error_set(reader->error, "expected at most %d lets",
				     RSB_LESSON_LETS_MAX);
	*let = (struct rsb_lesson_let){ .name = line, .line = reader->line };
	if (!rsb_query_parse(&let->query, equals + 3, reader->error))
		return false;
	if (!let->query.asks)
		for (size_t i = 0; i < 2; i++) {
			const char *name = i ? let->query.right : let->query.left;

			if (!rsb_lesson_let(lesson, name))
				return rsb_error_set(reader->error, "nothing is called '%s' yet",
						     name);
		}
	lesson->let_count++;
	return true;
}

static bool begin(struct reader *reader, enum rsb_lesson_kind kind, char *text)
{
	struct rsb_lesson *lesson = reader->lesson;

	if (lesson->block_count == RSB_LESSON_BLOCKS_MAX)
		return rsb_error_set(reader->error,
				     "expected at most %d paragraphs and other parts",
				     RSB_LESSON_BLOCKS_MAX);
	reader->open = &lesson->blocks[lesson->block_count++];
	*reader->open =
		(struct rsb_lesson_block){ .kind = kind, .line = reader->line, .text = text };
	reader->end = text + strlen(text);
	return true;
}

/* Appends a line to the text that is open: what was between them is newline and indent. */
static void go_on(struct reader *reader, char between, const char *text)
{
	size_t length = strlen(text);

	if (*reader->open->text || reader->open->choices[0] || reader->open->why)
		*reader->end++ = between;
	memmove(reader->end, text, length + 1);
	reader->end += length;
}

/* "play LAYOUT on CPU": what a query of its misses would run. */
static bool begin_player(struct reader *reader, char *line)
{
	struct rsb_query *played;

	if (!begin(reader, RSB_LESSON_PLAYER, line))
		return false;
	played = &reader->open->played;
	reader->open = NULL;
	return rsb_query_parse_rest(played, "misses", line, reader->error);
}

/* "? name = let" */
static bool begin_question(struct reader *reader, char *line)
{
	char *equals = strstr(line, " = ");

	if (!equals)
		return rsb_error_set(reader->error, "expected \"? NAME = WHAT IS RIGHT\"");
	*equals = '\0';
	if (!is_name(line))
		return rsb_error_set(reader->error,
				     "expected a name of letters, digits and _, found '%s'", line);
	for (size_t i = 0; i < reader->lesson->block_count; i++) {
		const char *name = reader->lesson->blocks[i].name;

		if (name && !strcmp(name, line))
			return rsb_error_set(reader->error, "a question is called '%s' already",
					     line);
	}
	/* What is asked begins where the name of what is right ends. */
	if (!begin(reader, RSB_LESSON_QUESTION, equals + 3 + strlen(equals + 3)))
		return false;
	reader->open->name = line;
	reader->open->answer = rsb_lesson_let(reader->lesson, equals + 3);
	return reader->open->answer ||
	       rsb_error_set(reader->error, "nothing is called '%s'", equals + 3);
}

static bool add_choice(struct reader *reader, char *text)
{
	size_t count = 0;

	while (reader->open->choices[count])
		count++;
	if (count == RSB_LESSON_CHOICES_MAX)
		return rsb_error_set(reader->error, "expected at most %d choices",
				     RSB_LESSON_CHOICES_MAX);
	reader->open->choices[count] = text;
	reader->end = text + strlen(text);
	return true;
}

static bool take_version(struct reader *reader, const char *text)
{
	char *end;
	unsigned long version = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)*text) || *end || !version || version > 1000000)
		return rsb_error_set(reader->error, "expected a version from 1 on, found '%s'",
				     text);
	reader->lesson->version = (unsigned)version;
	return true;
}

/* Of "word rest", the rest if it begins with this word. NULL: it does not. */
static char *after(char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) ? NULL : line + length + strspn(line + length, " ");
}

/* A line that stands for itself, or begins a block; *known says whether it does. */
static bool take_start(struct reader *reader, char *line, bool *known)
{
	char *rest;

	*known = true;
	if ((rest = after(line, "# ")))
		return (reader->lesson->title = rest);
	if ((rest = after(line, "## ")))
		return begin(reader, RSB_LESSON_HEADING, rest);
	if ((rest = after(line, "version: ")))
		return take_version(reader, rest);
	if ((rest = after(line, "summary: ")))
		return (reader->lesson->summary = rest);
	if ((rest = after(line, "let ")))
		return add_let(reader, rest);
	if ((rest = after(line, "play ")))
		return begin_player(reader, rest);
	if ((rest = after(line, "$ ")))
		return begin(reader, RSB_LESSON_COMMAND, rest);
	if ((rest = after(line, "? ")))
		return begin_question(reader, rest);
	if ((rest = after(line, "- ")))
		return begin(reader, RSB_LESSON_ITEM, rest);
	*known = false;
	return true;
}

/* What goes on in a question: what is asked, its choices, and why. */
static bool take_of_question(struct reader *reader, char *line)
{
	struct rsb_lesson_block *open = reader->open;

	if (!open->why && after(line, "* "))
		return add_choice(reader, after(line, "* "));
	if (!open->why && after(line, "= ")) {
		open->why = after(line, "= ");
		reader->end = line + strlen(line);
		return true;
	}
	go_on(reader, ' ', line + strspn(line, " "));
	return true;
}

static bool take_literal(struct reader *reader, char *line)
{
	if (!reader->open || reader->open->kind != RSB_LESSON_LITERAL)
		return begin(reader, RSB_LESSON_LITERAL, line);
	go_on(reader, '\n', line);
	return true;
}

/* Does the line go on with the block that is open, whatever it begins with? */
static bool goes_on(const struct rsb_lesson_block *open, char *line)
{
	return open && (open->kind == RSB_LESSON_TEXT ||
			(open->kind == RSB_LESSON_ITEM && !after(line, "- ")));
}

static bool take_line(struct reader *reader, char *line)
{
	bool known;

	if (!*line)
		reader->open = NULL;
	if (!*line || *line == '%')
		return true;
	if (*line == '\t')
		return take_literal(reader, line + 1);
	if (reader->open && reader->open->kind == RSB_LESSON_QUESTION)
		return take_of_question(reader, line);
	if (goes_on(reader->open, line)) {
		go_on(reader, ' ', line + strspn(line, " "));
		return true;
	}
	reader->open = NULL;
	if (!take_start(reader, line, &known))
		return false;
	return known || begin(reader, RSB_LESSON_TEXT, line);
}

/* What is in braces must have a meaning. */
static bool check_references(const struct reader *reader, const char *text)
{
	char name[NAME];

	for (; (text = strchr(text, '{')); text++)
		if (!rsb_lesson_reference(text, name, sizeof(name)))
			return rsb_error_set(reader->error, "expected {NAME}");
		else if (!rsb_lesson_let(reader->lesson, name))
			return rsb_error_set(reader->error, "nothing is called '%s'", name);
	return true;
}

static bool check_block(struct reader *reader, const struct rsb_lesson_block *block)
{
	reader->line = block->line;
	if (!*block->text)
		return rsb_error_set(reader->error, "expected text");
	if (!rsb_lesson_as_it_is(block->kind) && !check_references(reader, block->text))
		return false;
	for (const char *const *choice = block->choices; *choice; choice++)
		if (!check_references(reader, *choice))
			return false;
	return !block->why || check_references(reader, block->why);
}

static bool check_whole(struct reader *reader)
{
	const struct rsb_lesson *lesson = reader->lesson;

	for (size_t i = 0; i < lesson->block_count; i++)
		if (!check_block(reader, &lesson->blocks[i]))
			return false;
	reader->line = 1;
	if (!lesson->title)
		return rsb_error_set(reader->error, "expected a title: \"# ...\"");
	if (!lesson->version)
		return rsb_error_set(reader->error, "expected \"version: NUMBER\"");
	return lesson->summary || rsb_error_set(reader->error, "expected \"summary: A SENTENCE\"");
}

/* Control characters, of which only tabs at a line's start have a meaning, are masked. */
static bool read_lines(struct reader *reader)
{
	char *next;

	for (char *line = reader->lesson->text; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		reader->line++;
		rsb_clean(line + (*line == '\t'));
		if (!take_line(reader, line))
			return false;
	}
	return true;
}

bool rsb_lesson_read(struct rsb_lesson *lesson, const char *text, size_t size,
		     struct rsb_error *error)
{
	struct reader reader = { .lesson = lesson, .error = error };

	if (size > RSB_LESSON_MAX)
		return rsb_error_set(error, "%s: expected at most %u bytes", lesson->path,
				     RSB_LESSON_MAX);
	if (memchr(text, '\0', size))
		return rsb_error_set(error, "%s: expected text, found a byte 0", lesson->path);
	lesson->text = strndup(text, size);
	lesson->lets = calloc(RSB_LESSON_LETS_MAX, sizeof(*lesson->lets));
	lesson->blocks = calloc(RSB_LESSON_BLOCKS_MAX, sizeof(*lesson->blocks));
	if (!lesson->text || !lesson->lets || !lesson->blocks)
		return rsb_error_set(error, "out of memory");
	return (read_lines(&reader) && check_whole(&reader)) || fail(&reader);
}
