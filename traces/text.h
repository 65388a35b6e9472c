/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces as text, an event a line, to be looked at, written by hand and read back
 * (traces/import/text.c). The form is in rsbsim-trace(5):
 *
 *	rsbsim-trace 1
 *	about arch x86_64
 *	call 0x401000+5 -> 0x402000 ; main+0x10
 *	return 0x402004+1 -> 0x401005 hit ; f+0x4
 */
#ifndef RSB_TRACES_TEXT_H
#define RSB_TRACES_TEXT_H

#include "traces/file.h"

#define RSB_TEXT_FIRST "rsbsim-trace 1" /* the first line: the form and its version */

/* A word of the text and the number that it stands for. */
struct rsb_word {
	const char *word; /* NULL ends a table */
	unsigned value;
};

/* Of kinds ("indirect-jump"), flags ("zero-call"), mitigations and verdicts. */
extern const struct rsb_word rsb_words_kind[];
extern const struct rsb_word rsb_words_flag[];
extern const struct rsb_word rsb_words_mitigation[];
extern const struct rsb_word rsb_words_verdict[];

/* Of the details of a kind; NULL: it has none. */
const struct rsb_word *rsb_words_detail(enum rsb_kind kind);

/* The row of that word, or NULL; length is the word's. */
const struct rsb_word *rsb_word_find(const struct rsb_word *words, const char *word, size_t length);

/* The word for a value; "" if there is none. */
const char *rsb_word_of(const struct rsb_word *words, unsigned value);

/* The numbers of the events that are written: from first up to end. */
struct rsb_text_range {
	uint64_t first, end;
};

/*
 * Writes what a reader has still to read. RSB_TRACE_END: all is well, but for what ferror() tells;
 * else what kept it from going on.
 */
enum rsb_trace_got rsb_trace_text(struct rsb_trace_reader *reader, struct rsb_text_range range,
				  FILE *out, struct rsb_error *error);

#endif
