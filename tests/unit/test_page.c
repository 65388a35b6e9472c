/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages: what stands in them, and that no text gets out of its place. */
#include "sim/see/page.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* What would end the data, begin a comment or an element, or end a line of JavaScript. */
#define HOSTILE "</script><!--<script>'\"&amp;\xe2\x80\xa8\xe2\x80\xa9@script@"

static char *write_page(bool (*write)(FILE *, const struct rsb_page *, struct rsb_error *),
			const struct rsb_page *page)
{
	struct rsb_error error;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert(out && write(out, page, &error));
	ck_assert(!fclose(out));
	return text;
}

static unsigned count(const char *text, const char *word)
{
	unsigned found = 0;

	for (text = strstr(text, word); text; text = strstr(text + 1, word))
		found++;
	return found;
}

static struct rsb_page *make_page(const char *text)
{
	static const char *const choices[] = { HOSTILE, "2", NULL };
	const struct rsb_page_question question = { text, choices, HOSTILE, text };
	struct rsb_page *page = rsb_page_new(text, text);

	ck_assert_ptr_nonnull(page);
	ck_assert(rsb_page_heading(page, text) && rsb_page_prose(page, text) &&
		  rsb_page_code(page, text) && rsb_page_ask(page, &question) &&
		  rsb_page_scores(page, NULL, 0) && rsb_page_sweeps(page, NULL, 0) &&
		  rsb_page_recordings(page, text, text, NULL, 0));
	return page;
}

/* A page has two scripts, the data and ours, whatever the texts in it are. */
START_TEST(keeps_texts_in_their_places)
{
	struct rsb_page *page = make_page(HOSTILE);
	char *text = write_page(rsb_page_write, page);
	const char *data = strstr(text, "id=\"data\">"), *end;

	ck_assert_uint_eq(count(text, "<script"), 2);
	ck_assert_uint_eq(count(text, "</script"), 2);
	ck_assert_ptr_nonnull(strstr(text, "<title>&lt;/script&gt;&lt;!--"));
	ck_assert_ptr_nonnull(data);
	end = strstr(data, "</script>");
	for (const char *c = data + strlen("id=\"data\">"); c < end; c++)
		ck_assert_msg(!strchr("<>&", *c) && strncmp(c, "\xe2\x80\xa8", 3) != 0, "%.40s", c);
	ck_assert_uint_eq(count(data, "\\u003c/script\\u003e\\u003c!--"), 11);
	ck_assert_uint_eq(count(data, "@script@"), 11);
	free(text);
	rsb_page_free(page);
}
END_TEST

/* The blocks are in the order in which they were added, with the words given. */
START_TEST(keeps_the_order)
{
	static const char *const types[] = { "heading", "prose",  "code",      "ask",
					     "scores",  "sweeps", "recordings" };
	struct rsb_page *page = make_page("a `b`");
	char *text = write_page(rsb_page_write_json, page);
	const char *at = text;

	ck_assert_ptr_nonnull(strstr(text, "\"title\":\"a `b`\",\"line\":\"a `b`\""));
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		char word[32];

		snprintf(word, sizeof(word), "{\"type\":\"%s\"", types[i]);
		at = strstr(at, word);
		ck_assert_msg(at, "%s", word);
	}
	free(text);
	rsb_page_free(page);
}
END_TEST

/* A page that could not be written whole is an error. */
START_TEST(tells_of_a_full_disk)
{
	struct rsb_page *page = make_page("a");
	struct rsb_error error;
	FILE *full = fopen("/dev/full", "w");

	if (full) {
		ck_assert(!rsb_page_write(full, page, &error));
		ck_assert_ptr_nonnull(strstr(error.text, "cannot write"));
		fclose(full);
	}
	rsb_page_free(page);
}
END_TEST

UNIT_MAIN("pages", keeps_texts_in_their_places, keeps_the_order, tells_of_a_full_disk)
