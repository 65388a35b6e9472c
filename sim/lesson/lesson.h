/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lesson: a short text with predictions to make. It is a text file (rsbsim-lesson(1)); the
 * built-in ones are sim/lessons/NN-NAME.lesson, kept inside the library. No result stands in the
 * file: what the text says of layouts and CPUs are queries, which are worked out when the lesson is
 * given (sim/lesson/given.h).
 */
#ifndef RSB_SIM_LESSON_LESSON_H
#define RSB_SIM_LESSON_LESSON_H

#include "sim/lesson/query.h"

#define RSB_LESSON_MAX         (256u << 10) /* bytes of a file */
#define RSB_LESSON_LETS_MAX    64
#define RSB_LESSON_BLOCKS_MAX  512
#define RSB_LESSON_CHOICES_MAX 8

enum rsb_lesson_kind {
	RSB_LESSON_HEADING,
	RSB_LESSON_TEXT,     /* a paragraph, to be broken into lines */
	RSB_LESSON_ITEM,     /* of a list */
	RSB_LESSON_LITERAL,  /* lines as they are, ended by newlines */
	RSB_LESSON_COMMAND,  /* a command line whose output is shown: "rsbsim score plain-call" */
	RSB_LESSON_QUESTION, /* asks for a prediction */
	RSB_LESSON_PLAYER,   /* a run to go through, on a page; its text is the layout's name */
};

/* A name for what a query finds. */
struct rsb_lesson_let {
	const char *name;
	unsigned line; /* of the file */
	struct rsb_query query;
};

/* One part of the text; {NAME} in it stands for what a query finds. */
struct rsb_lesson_block {
	enum rsb_lesson_kind kind;
	unsigned line;    /* of the file */
	const char *text; /* of a question, what is asked */

	/* Of a question: */
	const char *name;
	const struct rsb_lesson_let *answer;             /* what is right */
	const char *choices[RSB_LESSON_CHOICES_MAX + 1]; /* ended by NULL; none: a number */
	const char *why; /* told with what comes out; NULL: nothing */

	struct rsb_query played; /* of a player: the layout, the CPU and the scenario */
};

struct rsb_lesson {
	char *name; /* "overflow" */
	char *path; /* for messages: of a built-in one its file's name */
	unsigned number;
	unsigned version; /* a change of questions is another version */
	const char *title, *summary;
	struct rsb_lesson_let *lets;
	size_t let_count;
	struct rsb_lesson_block *blocks;
	size_t block_count;
	char *text; /* of the file, cut up: what all the others point to */
};

/*
 * A built-in lesson by its name ("overflow"), number ("3") or both ("03-overflow"), or a path (with
 * a slash or ending in .lesson). NULL: error names file, line and what was expected, or lists the
 * nearest names.
 */
struct rsb_lesson *rsb_lesson_load(const char *word, struct rsb_error *error);

/* Does a name end as a lesson's file does? */
bool rsb_lesson_is_file(const char *name);

/* From memory; name is that of a file. For tests and fuzzers. */
struct rsb_lesson *rsb_lesson_parse(const char *name, const char *text, size_t size,
				    struct rsb_error *error);
void rsb_lesson_free(struct rsb_lesson *lesson);

/* The files of the built-in lessons, without .lesson, in order, ended by NULL: "01-call". */
const char *const *rsb_lesson_names(void);

/* Does text of that kind stay as it is, without values in it? */
bool rsb_lesson_as_it_is(enum rsb_lesson_kind kind);

/* The length of a "{name}" at the start of text, 0 if there is none; the name is copied out. */
size_t rsb_lesson_reference(const char *text, char *name, size_t size);

/* The let of that name; NULL: there is none. */
const struct rsb_lesson_let *rsb_lesson_let(const struct rsb_lesson *lesson, const char *name);

#endif
