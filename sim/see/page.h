/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page for the browser: one file of HTML that needs no network and no server. It is a list of
 * blocks, shown in the order in which they are added; the page's own scripts (sim/see/page/) draw
 * them. A report is such a page, and so is a lesson:
 *
 *	page = rsb_page_new("The lost return", "a lesson");
 *	good = rsb_page_heading(page, "What happens") &&
 *	       rsb_page_prose(page, "The trampoline is entered by `call`.\n\nIt then ...") &&
 *	       rsb_page_ask(page, &(struct rsb_page_question){
 *		       .question = "How many returns miss?", .answer = "9",
 *		       .why = "One inside, and each of the eight callers." }) &&
 *	       rsb_page_recordings(page, "bpf-fexit-skip", "entered by call, drops it",
 *				   recordings, count) &&
 *	       rsb_page_write(out, page, &error);
 *	rsb_page_free(page);
 *
 * Every function that adds returns false where there was no memory, and does nothing after that
 * has happened once, so that one check at the end is enough: rsb_page_write() tells of it too. All
 * texts are copied, and are shown as they are: nothing in them is taken for HTML.
 */
#ifndef RSB_SIM_SEE_PAGE_H
#define RSB_SIM_SEE_PAGE_H

#include "sim/score/score.h"
#include "sim/see/recording.h"
#include "sim/sweep/sweep.h"

#include <stdio.h>

struct rsb_page;

/* The title, and a line below it (may be NULL). NULL: no memory. */
struct rsb_page *rsb_page_new(const char *title, const char *line);
void rsb_page_free(struct rsb_page *page);

/* A heading; it is listed at the top of the page. */
bool rsb_page_heading(struct rsb_page *page, const char *text);

/* Paragraphs, with empty lines between; `code` stands between backquotes. */
bool rsb_page_prose(struct rsb_page *page, const char *text);

/* Lines shown as they are: code, a command. */
bool rsb_page_code(struct rsb_page *page, const char *text);

/*
 * A prediction to make: the reader answers, and is then told the answer and why. Spaces around the
 * answer and capitals do not count.
 */
struct rsb_page_question {
	const char *question;
	const char *const *choices; /* ended by NULL; NULL: any text may be typed */
	const char *answer;         /* one of the choices, if there are any */
	const char *why;            /* paragraphs, as in prose; may be NULL */
};
bool rsb_page_ask(struct rsb_page *page, const struct rsb_page_question *question);

/* The table that compares scores, and the chart of what they cost. */
bool rsb_page_scores(struct rsb_page *page, const struct rsb_score *const *scores, size_t count);

/* The chart of misses against depth; the sweeps' one axis is the depth. */
bool rsb_page_sweeps(struct rsb_page *page, const struct rsb_sweep *const *sweeps, size_t count);

/*
 * A player: a layout's code, its return stack, its events and why returns miss. One of the
 * recordings, which are of one layout on several CPUs or in several scenarios, is shown at a time.
 * summary may be NULL.
 */
bool rsb_page_recordings(struct rsb_page *page, const char *layout, const char *summary,
			 const struct rsb_recording *const *recordings, size_t count);

/* Writes the page; false: no memory, or a write failed. */
bool rsb_page_write(FILE *out, const struct rsb_page *page, struct rsb_error *error);

/* Writes what the page shows, as JSON: the very text that is in the page. */
bool rsb_page_write_json(FILE *out, const struct rsb_page *page, struct rsb_error *error);

#endif
