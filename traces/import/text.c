/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads traces as text: what traces/text.c writes, or a person. */
#include "traces/import/importers.h"
#include "traces/text.h"
#include "traces/util/suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"

/* A line that is being read. */
struct line {
	const struct rsb_import *import;
	char *rest;
};

/* The next word, ended by a NUL; "" at the end. */
static char *take_word(struct line *line)
{
	char *word = line->rest + strspn(line->rest, BLANKS);
	size_t length = strcspn(word, BLANKS);

	line->rest = word + length;
	if (*line->rest)
		*line->rest++ = '\0';
	return word;
}

/* Reads a number up to the first of those characters; *end is then there. */
static bool read_number(const char *text, const char *enders, uint64_t *number, const char **end)
{
	char *stop;

	errno = 0;
	*number = strtoull(text, &stop, 0);
	*end = stop;
	return *text >= '0' && *text <= '9' && !errno && (!*stop || strchr(enders, *stop));
}

static bool take_number(struct line *line, uint64_t *number, struct rsb_error *error)
{
	const char *word = take_word(line), *end;

	return read_number(word, "", number, &end) ||
	       rsb_input_error(line->import->input, error, "expected a number, found '%s'", word);
}

static bool take_end(struct line *line, struct rsb_error *error)
{
	const char *word = take_word(line);

	return !*word || rsb_input_error(line->import->input, error,
					 "expected the end of the line, found '%s'", word);
}

/* ---- lines that are no events ---- */

static bool read_about(struct line *line, struct rsb_error *error)
{
	const char *key = take_word(line);

	if (!*key || strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(key))
		return rsb_input_error(line->import->input, error,
				       "expected a key of small letters, digits and '-', found "
				       "'%s'",
				       key);
	rsb_trace_write_about(line->import->writer, key, "%s", line->rest);
	return true;
}

static bool read_thread(struct line *line, struct rsb_error *error)
{
	uint64_t thread;

	if (!take_number(line, &thread, error) || !take_end(line, error))
		return false;
	rsb_trace_write_thread(line->import->writer, thread);
	return true;
}

static bool read_instructions(struct line *line, struct rsb_error *error)
{
	uint64_t count;

	if (!take_number(line, &count, error) || !take_end(line, error))
		return false;
	rsb_trace_write_instructions(line->import->writer, count);
	return true;
}

static bool read_round(struct line *line, struct rsb_error *error)
{
	struct rsb_trace_round round;

	if (!take_number(line, &round.instructions, error) ||
	    !take_number(line, &round.traced_instructions, error) ||
	    !take_number(line, &round.traced_calls, error) || !take_end(line, error))
		return false;
	rsb_trace_write_round(line->import->writer, &round);
	return true;
}

static const struct {
	const char *word;
	bool (*read)(struct line *line, struct rsb_error *error);
} others[] = {
	{ "about", read_about },
	{ "instructions", read_instructions },
	{ "round", read_round },
	{ "thread", read_thread },
};

/* ---- events ---- */

/* An unknown word, and the words that are known there; others are known at the start of a line. */
static bool refuse_word(const struct line *line, const char *word, const struct rsb_word *words,
			bool first, struct rsb_error *error)
{
	const char *known[RSB_KINDS + sizeof(others) / sizeof(*others) + 1] = { NULL };
	size_t count = 0;
	char nearest[256];

	for (; words->word; words++)
		known[count++] = words->word;
	for (size_t i = 0; first && i < sizeof(others) / sizeof(*others); i++)
		known[count++] = others[i].word;
	rsb_suggest(word, known, nearest, sizeof(nearest));
	return rsb_input_error(line->import->input, error, "'%s': expected %s", word, nearest);
}

/* "call", or "mark:gap". */
static bool read_kind(const struct line *line, const char *word, struct rsb_site *site,
		      struct rsb_error *error)
{
	const struct rsb_word *kind, *detail;
	size_t length = strcspn(word, ":");

	kind = rsb_word_find(rsb_words_kind, word, length);
	if (!kind)
		return refuse_word(line, word, rsb_words_kind, true, error);
	site->kind = (uint8_t)kind->value;
	if (!rsb_words_detail(site->kind))
		return !word[length] || rsb_input_error(line->import->input, error,
							"'%s': nothing can follow '%s' but a blank",
							word, kind->word);
	word += length + (word[length] == ':');
	detail = rsb_word_find(rsb_words_detail(site->kind), word, strlen(word));
	if (!detail)
		return refuse_word(line, word, rsb_words_detail(site->kind), false, error);
	site->detail = (uint8_t)detail->value;
	return true;
}

/* "0x401000+5"; the length may be left out where nothing is pushed. */
static bool read_place(struct line *line, struct rsb_site *site, struct rsb_error *error)
{
	bool pushes = site->kind == RSB_CALL || site->kind == RSB_SWAP;
	const char *word = take_word(line), *end;
	uint64_t length = 0;

	if (read_number(word, "+", &site->pc, &end) &&
	    (!*end || read_number(end + 1, "", &length, &end)) && length <= UINT8_MAX &&
	    (length || !pushes)) {
		site->length = (uint8_t)length;
		return true;
	}
	return rsb_input_error(line->import->input, error,
			       "expected an address%s, as 0x401000+5, found '%s'",
			       pushes ? " and the length of the instruction" : "", word);
}

static bool read_target(struct line *line, uint64_t *target, struct rsb_error *error)
{
	const char *word = take_word(line);

	if (strcmp(word, "->"))
		return rsb_input_error(line->import->input, error, "expected '->', found '%s'",
				       word);
	return take_number(line, target, error);
}

/* One of the words after the target. */
static bool read_word(const struct line *line, const char *word, struct rsb_site *site,
		      enum rsb_verdict *verdict, struct rsb_error *error)
{
	const struct rsb_word *found;
	const char *end;
	uint64_t count;

	if ((found = rsb_word_find(rsb_words_flag, word, strlen(word)))) {
		site->flags |= (uint8_t)found->value;
		return true;
	}
	if ((found = rsb_word_find(rsb_words_mitigation, word, strlen(word)))) {
		site->mitigation = (uint8_t)found->value;
		return true;
	}
	if ((found = rsb_word_find(rsb_words_verdict, word, strlen(word)))) {
		*verdict = found->value;
		return true;
	}
	if (!strncmp(word, "count=", 6) && read_number(word + 6, "", &count, &end) &&
	    count <= UINT32_MAX) {
		site->count = (uint32_t)count;
		return true;
	}
	return rsb_input_error(line->import->input, error,
			       "'%s': expected hit, miss, indirect, zero-call, for-jump, "
			       "for-return, for-fill, count=N or '; LABEL'",
			       word);
}

/* The part after "; ", which is cut off the line; NULL: there is none. */
static const char *cut_label(char *text)
{
	char *label = strchr(text, ';');

	if (!label)
		return NULL;
	*label++ = '\0';
	label += *label == ' ';
	return *label ? label : NULL;
}

static bool read_event(struct line *line, const char *kind, struct rsb_error *error)
{
	const struct rsb_import *import = line->import;
	const char *label = cut_label(line->rest), *word;
	enum rsb_verdict verdict = RSB_VERDICT_NONE;
	struct rsb_site site = { .pc = 0 };
	uint32_t id, target_id;
	uint64_t target;

	if (!read_kind(line, kind, &site, error) || !read_place(line, &site, error) ||
	    !read_target(line, &target, error))
		return false;
	while (*(word = take_word(line)))
		if (!read_word(line, word, &site, &verdict, error))
			return false;
	id = rsb_sites_intern(import->sites, &site, label);
	target_id = rsb_sites_address(import->sites, target);
	if (id == RSB_SITE_NONE || target_id == UINT32_MAX)
		return rsb_error_set(error, "out of memory");
	rsb_trace_write_verdict(import->writer, id, target_id, verdict);
	return true;
}

static bool read_line(const struct rsb_import *import, char *text, struct rsb_error *error)
{
	struct line line = { import, text };
	const char *word = take_word(&line);

	if (!*word || *word == '#')
		return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(others[i].word, word))
			return others[i].read(&line, error);
	return read_event(&line, word, error);
}

static bool run(const struct rsb_import *import, struct rsb_error *error)
{
	char *text;

	if (!rsb_input_line(import->input, &text, error))
		return false;
	if (!text || strcmp(text, RSB_TEXT_FIRST))
		return rsb_input_error(import->input, error,
				       "expected '" RSB_TEXT_FIRST "' as the first line");
	while (!rsb_trace_writer_failed(import->writer)) {
		if (!rsb_input_line(import->input, &text, error))
			return false;
		if (!text)
			return true;
		if (!read_line(import, text, error))
			return false;
	}
	return true; /* what failed is said where the file is ended */
}

const struct rsb_importer rsb_import_text = {
	.name = "text",
	.summary = "an event a line, as 'trace dump' writes it",
	.arch = NULL,
	.run = run,
};
