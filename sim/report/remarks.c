/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences about scores, each kept once, and whom it is about in few words. */
#include "sim/report/remarks.h"

#include "traces/util/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct remark {
	char *text;
	bool *about; /* for each score */
};

struct rsb_remarks {
	const struct rsb_score *const *scores;
	size_t score_count;
	struct remark *all;
	size_t count;
};

/* A way in which scores differ. */
static const char *name_layout(const struct rsb_score *score)
{
	return score->layout;
}

static const char *name_thunk(const struct rsb_score *score)
{
	return score->return_thunk;
}

static const char *name_cpu(const struct rsb_score *score)
{
	return score->cpu;
}

static const char *name_scenario(const struct rsb_score *score)
{
	return score->scenario.name;
}

static const char *(*const ways[])(const struct rsb_score *) = { name_layout, name_thunk, name_cpu,
								 name_scenario };

/* What stands before the names in a way: first of all, and after those in another. */
static const char *const starts[] = { "", "with return thunk ", "", "" };
static const char *const joins[] = { "", " with return thunk ", " on ", " in " };

#define WAYS (sizeof(ways) / sizeof(*ways))

/* Sets of ways, by what reads best: few first. */
static const unsigned choices[] = { 0, 1, 4, 8, 2, 5, 9, 12, 3, 6, 10, 13, 7, 11, 14, 15 };

struct rsb_remarks *rsb_remarks_new(const struct rsb_score *const *scores, size_t count)
{
	struct rsb_remarks *remarks = calloc(1, sizeof(*remarks));

	if (!remarks)
		return NULL;
	remarks->scores = scores;
	remarks->score_count = count;
	return remarks;
}

void rsb_remarks_free(struct rsb_remarks *remarks)
{
	if (!remarks)
		return;
	for (size_t i = 0; i < remarks->count; i++) {
		free(remarks->all[i].text);
		free(remarks->all[i].about);
	}
	free(remarks->all);
	free(remarks);
}

static struct remark *enter(struct rsb_remarks *remarks, const char *text)
{
	struct remark *remark;

	for (size_t i = 0; i < remarks->count; i++)
		if (!strcmp(remarks->all[i].text, text))
			return &remarks->all[i];
	if (!RSB_GROW(remarks->all, remarks->count))
		return NULL;
	remark = &remarks->all[remarks->count];
	remark->text = strdup(text);
	remark->about = calloc(remarks->score_count, sizeof(*remark->about));
	if (!remark->text || !remark->about) {
		free(remark->text);
		free(remark->about);
		return NULL;
	}
	remarks->count++;
	return remark;
}

bool rsb_remarks_add(struct rsb_remarks *remarks, const char *text, size_t index)
{
	struct remark *remark = enter(remarks, text);

	if (!remark)
		return false;
	remark->about[index] = true;
	return true;
}

bool rsb_remarks_add_notes(struct rsb_remarks *remarks)
{
	for (size_t i = 0; i < remarks->score_count; i++)
		for (size_t k = 0; k < remarks->scores[i]->note_count; k++)
			if (!rsb_remarks_add(remarks, remarks->scores[i]->notes[k], i))
				return false;
	return true;
}

const char *rsb_remark_skip_cpu(const char *note, const char *cpu)
{
	size_t size = cpu ? strlen(cpu) : 0;

	return size && !strncmp(note, cpu, size) && !strncmp(note + size, ": ", 2) ? note + size + 2
										   : note;
}

bool rsb_remarks_add_plain_notes(struct rsb_remarks *remarks)
{
	for (size_t i = 0; i < remarks->score_count; i++) {
		const struct rsb_score *score = remarks->scores[i];

		for (size_t k = 0; k < score->note_count; k++)
			if (!rsb_remarks_add(remarks,
					     rsb_remark_skip_cpu(score->notes[k], score->cpu), i))
				return false;
	}
	return true;
}

size_t rsb_remarks_count(const struct rsb_remarks *remarks)
{
	return remarks->count;
}

const char *rsb_remarks_text(const struct rsb_remarks *remarks, size_t index)
{
	return remarks->all[index].text;
}

/*
 * A way to say whom a remark is about: the names, in these ways, of the scores that it is about,
 * or, with but, of those that it is not about.
 */
struct wording {
	unsigned ways;
	bool but;
	bool some; /* it is not about all that are named */
};

/* Is there a score, of those that the wording names, with the same name in this way? */
static bool is_named(const struct rsb_remarks *remarks, const struct remark *remark,
		     struct wording wording, size_t way, const char *name)
{
	for (size_t i = 0; i < remarks->score_count; i++)
		if (remark->about[i] != wording.but && !strcmp(ways[way](remarks->scores[i]), name))
			return true;
	return false;
}

/* Does the wording name exactly the scores that it is to name? */
static bool tells(const struct rsb_remarks *remarks, const struct remark *remark,
		  struct wording wording)
{
	for (size_t i = 0; i < remarks->score_count; i++) {
		bool named = true;

		for (size_t way = 0; way < WAYS && named; way++)
			if (wording.ways & 1u << way)
				named = is_named(remarks, remark, wording, way,
						 ways[way](remarks->scores[i]));
		if (named != (remark->about[i] != wording.but))
			return false;
	}
	return true;
}

/* The ways in which there is a name that the remark is not about: others tell nothing. */
static unsigned find_telling(const struct rsb_remarks *remarks, const struct remark *remark)
{
	const struct wording named = { .but = false };
	unsigned telling = 0;

	for (size_t way = 0; way < WAYS; way++)
		for (size_t i = 0; i < remarks->score_count; i++)
			if (!is_named(remarks, remark, named, way, ways[way](remarks->scores[i])))
				telling |= 1u << way;
	return telling;
}

/* The one with the fewest ways. Where none tells them exactly, all that tell come nearest. */
static struct wording choose_wording(const struct rsb_remarks *remarks, const struct remark *remark)
{
	struct wording wording;

	for (size_t i = 0; i < 2 * sizeof(choices) / sizeof(*choices); i++) {
		wording = (struct wording){ choices[i / 2], i % 2, false };
		if (tells(remarks, remark, wording))
			return wording;
	}
	return (struct wording){ find_telling(remarks, remark), false, true };
}

/* The names in one way, each once. */
static void list_names(FILE *out, const struct rsb_remarks *remarks, const struct remark *remark,
		       struct wording wording, size_t way)
{
	const char *separator = "";

	for (size_t i = 0; i < remarks->score_count; i++) {
		const char *name = ways[way](remarks->scores[i]);
		size_t k = 0;

		if (remark->about[i] == wording.but)
			continue;
		while (k < i && (remark->about[k] == wording.but ||
				 strcmp(ways[way](remarks->scores[k]), name) != 0))
			k++;
		if (k < i)
			continue;
		fprintf(out, "%s%s", separator, name);
		separator = ", ";
	}
}

char *rsb_remarks_about(const struct rsb_remarks *remarks, size_t index)
{
	const struct remark *remark = &remarks->all[index];
	const struct wording wording = choose_wording(remarks, remark);
	bool first = true;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool written;

	if (!out)
		return NULL;
	if (wording.some)
		fputs(wording.ways ? "some of " : "some", out);
	for (size_t way = 0; way < WAYS; way++) {
		if (!(wording.ways & 1u << way))
			continue;
		if (first && wording.but)
			fputs("all but ", out);
		fputs(first ? starts[way] : joins[way], out);
		list_names(out, remarks, remark, wording, way);
		first = false;
	}
	written = !ferror(out);
	if (fclose(out) || !written) {
		free(text);
		return NULL;
	}
	return text;
}
