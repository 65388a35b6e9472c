/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be known of how layouts were run, each thing said once. */
#include "sim/check/remarks.h"

#include "sim/report/remarks.h"
#include "sim/score/notes.h"
#include "traces/util/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names that are told; more are counted. */
#define NAMED 4

bool rsb_check_remark(struct rsb_check_case *one, const struct rsb_run *run,
		      const struct rsb_profile *profile, const char *return_thunk, bool generated,
		      bool mitigations)
{
	return rsb_note_image(&one->remarks, &one->remark_count, run) &&
	       rsb_note_strange(&one->remarks, &one->remark_count, profile, return_thunk) &&
	       (!mitigations || rsb_note_mitigations(&one->remarks, &one->remark_count, profile,
						     return_thunk, generated));
}

static const char *skip_cpu(const struct rsb_check_case *one, const char *remark)
{
	return rsb_remark_skip_cpu(remark, one->cpu);
}

/* Where a case has this remark. NULL: it has not. */
static const char *find(const struct rsb_check_case *one, const char *text)
{
	for (size_t i = 0; i < one->remark_count; i++)
		if (!strcmp(skip_cpu(one, one->remarks[i]), text))
			return one->remarks[i];
	return NULL;
}

/* The CPU of a remark that begins with it, else the layout. */
static const char *name(const struct rsb_check_case *one, const char *remark)
{
	return skip_cpu(one, remark) == remark ? one->layout : one->cpu;
}

/* Texts, each once; they belong to the check. */
struct texts {
	const char **all;
	size_t count;
};

static bool has(const struct texts *texts, const char *text)
{
	/* The last first: the cases of a layout stand together. */
	for (size_t i = texts->count; i > 0; i--)
		if (!strcmp(texts->all[i - 1], text))
			return true;
	return false;
}

static bool enter(struct texts *texts, const char *text)
{
	if (has(texts, text))
		return true;
	if (!RSB_GROW(texts->all, texts->count))
		return false;
	texts->all[texts->count++] = text;
	return true;
}

/* Whom this is about: names, and how many cases. */
static bool gather(const struct rsb_check *check, size_t first, const char *text,
		   struct texts *names, size_t *about)
{
	for (size_t i = first; i < check->count; i++) {
		const char *remark = find(&check->cases[i], text);

		if (remark && !enter(names, name(&check->cases[i], remark)))
			return false;
		*about += remark != NULL;
	}
	return true;
}

static char *join(const char *text, const struct texts *names)
{
	char *line = NULL;
	size_t size;
	FILE *out = open_memstream(&line, &size);

	if (!out)
		return NULL;
	fputs(text, out);
	for (size_t i = 0; i < names->count && i < NAMED; i++)
		fprintf(out, "%s%s", i ? ", " : " [", names->all[i]);
	if (names->count > NAMED)
		fprintf(out, " and %zu more", names->count - NAMED);
	if (names->count)
		fputc(']', out);
	if (!fclose(out))
		return line;
	free(line);
	return NULL;
}

static char *describe(const struct rsb_check *check, size_t first, const char *text)
{
	struct texts names = { NULL, 0 };
	size_t about = 0;
	char *line = NULL;

	if (gather(check, first, text, &names, &about)) {
		if (about == check->count)
			names.count = 0;
		line = join(text, &names);
	}
	free(names.all);
	return line;
}

static bool tell(const struct rsb_check *check, size_t index, struct texts *told,
		 rsb_check_remark_writer *write, void *context)
{
	const struct rsb_check_case *one = &check->cases[index];

	for (size_t i = 0; i < one->remark_count; i++) {
		const char *text = skip_cpu(one, one->remarks[i]);
		char *line;

		if (has(told, text))
			continue;
		line = describe(check, index, text);
		if (!line || !enter(told, text)) {
			free(line);
			return false;
		}
		write(context, line);
		free(line);
	}
	return true;
}

bool rsb_check_each_remark(const struct rsb_check *check, rsb_check_remark_writer *write,
			   void *context)
{
	struct texts told = { NULL, 0 };
	bool good = true;

	for (size_t i = 0; good && i < check->count; i++)
		good = tell(check, i, &told, write, context);
	free(told.all);
	return good;
}
