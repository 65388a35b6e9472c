/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a page shows: a JSON text, built block by block. */
#include "sim/see/page.h"

#include "sim/report/formats.h"
#include "sim/report/json.h"
#include "sim/see/page_private.h"

#include <stdlib.h>

struct rsb_page *rsb_page_new(const char *title, const char *line)
{
	struct rsb_page *page = calloc(1, sizeof(*page));

	if (!page)
		return NULL;
	page->root = rsb_json_new();
	if (rsb_add_text(page->root, "program", "rsbsim " PACKAGE_VERSION) &&
	    rsb_add_text(page->root, "title", title) && rsb_add_text(page->root, "line", line))
		page->blocks = rsb_add_array(page->root, "blocks");
	if (page->blocks)
		return page;
	rsb_page_free(page);
	return NULL;
}

void rsb_page_free(struct rsb_page *page)
{
	if (!page)
		return;
	cJSON_Delete(page->root);
	free(page);
}

/* A block of this type. NULL: no memory, now or before. */
static cJSON *add_block(struct rsb_page *page, const char *type)
{
	cJSON *block = page->failed ? NULL : rsb_add_object(page->blocks, NULL);

	return rsb_add_text(block, "type", type) ? block : NULL;
}

/* Remembers what went wrong. */
static bool end(struct rsb_page *page, bool good)
{
	page->failed = page->failed || !good;
	return !page->failed;
}

static bool add_plain(struct rsb_page *page, const char *type, const char *text)
{
	return end(page, rsb_add_text(add_block(page, type), "text", text));
}

bool rsb_page_heading(struct rsb_page *page, const char *text)
{
	return add_plain(page, "heading", text);
}

bool rsb_page_prose(struct rsb_page *page, const char *text)
{
	return add_plain(page, "prose", text);
}

bool rsb_page_code(struct rsb_page *page, const char *text)
{
	return add_plain(page, "code", text);
}

bool rsb_page_ask(struct rsb_page *page, const struct rsb_page_question *question)
{
	cJSON *block = add_block(page, "ask");
	cJSON *choices = rsb_add_array(block, "choices");
	bool good = choices;

	for (size_t i = 0; good && question->choices && question->choices[i]; i++)
		good = rsb_add_text(choices, NULL, question->choices[i]);
	return end(page, good && rsb_add_text(block, "question", question->question) &&
				 rsb_add_text(block, "answer", question->answer) &&
				 rsb_add_text(block, "why", question->why));
}

bool rsb_page_scores(struct rsb_page *page, const struct rsb_score *const *scores, size_t count)
{
	cJSON *results = rsb_add_array(add_block(page, "scores"), "results");
	bool good = results;

	for (size_t i = 0; good && i < count; i++)
		good = rsb_add_score(results, NULL, scores[i]);
	return end(page, good);
}

/* One line of the chart, from row on: a figure for each depth. */
static bool add_line(cJSON *to, const struct rsb_sweep *sweep, size_t row)
{
	struct rsb_sweep_place place = rsb_sweep_place(sweep, row);
	const struct rsb_axis *depths = rsb_grid_depths(&sweep->grid);
	cJSON *object = rsb_add_object(to, NULL), *depth, *inside, *callers;
	const struct rsb_sweep_case *of = &sweep->cases[place.number];
	bool good = rsb_add_text(object, "layout", of->subject) &&
		    rsb_add_text(object, "cpu", sweep->cpus[place.cpu].name) &&
		    rsb_add_text(object, "scenario", of->scenario.name) &&
		    rsb_add_text(object, "knee", rsb_sweep_knee(sweep, row));

	depth = good ? rsb_add_array(object, "depths") : NULL;
	inside = depth ? rsb_add_array(object, "misses_inside") : NULL;
	callers = inside ? rsb_add_array(object, "misses_callers") : NULL;
	good = callers;
	for (size_t i = 0; good && i < depths->count; i++)
		good = rsb_add_item(depth, NULL, cJSON_CreateRaw(depths->values[i])) &&
		       rsb_add_number(inside, NULL, sweep->rows[row + i].inside) &&
		       rsb_add_number(callers, NULL, sweep->rows[row + i].callers);
	return good;
}

bool rsb_page_sweeps(struct rsb_page *page, const struct rsb_sweep *const *sweeps, size_t count)
{
	cJSON *lines = rsb_add_array(add_block(page, "sweeps"), "lines");
	bool good = lines;

	for (size_t i = 0; i < count; i++)
		for (size_t row = 0; good && row < sweeps[i]->count;
		     row += rsb_sweep_line(sweeps[i]))
			good = add_line(lines, sweeps[i], row);
	return end(page, good);
}

/* A recording as its own format has it, but for the white space that it has for people. */
static cJSON *write_recording(const struct rsb_recording *recording)
{
	struct rsb_error error;
	cJSON *item = NULL;
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	bool good = stream && rsb_recording_json(stream, recording, &error);

	if (stream && !fclose(stream) && good) {
		cJSON_Minify(text);
		item = cJSON_CreateRaw(text);
	}
	free(text);
	return item;
}

bool rsb_page_recordings(struct rsb_page *page, const char *layout, const char *summary,
			 const struct rsb_recording *const *recordings, size_t count)
{
	cJSON *block = add_block(page, "recordings"), *array;
	bool good = rsb_add_text(block, "layout", layout) &&
		    rsb_add_text(block, "summary", summary && *summary ? summary : NULL);

	array = good ? rsb_add_array(block, "recordings") : NULL;
	good = array;
	for (size_t i = 0; good && i < count; i++)
		good = rsb_add_item(array, NULL, write_recording(recordings[i]));
	return end(page, good);
}
