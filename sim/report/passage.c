/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and writes the events of one traced call. */
#include "sim/report/passage.h"

#include "sim/image/incident.h"
#include "sim/report/wrap.h"

#include <inttypes.h>
#include <string.h>

#define INDENT_MAX 20 /* levels; deeper ones are not indented further */

static bool is_mark(const struct rsb_site *sites, const struct rsb_event *event, enum rsb_mark mark)
{
	return sites[event->site].kind == RSB_MARK && sites[event->site].detail == mark;
}

struct rsb_passage rsb_passage_find(const struct rsb_image *image, const struct rsb_run *run)
{
	struct rsb_passage passage = { .sites = rsb_run_sites(run), .image = image };
	size_t index = rsb_run_steady(run) == RSB_STEADY_NO ? rsb_run_count(run) - 1
							    : rsb_run_first(run);
	const struct rsb_sequence *sequence = rsb_run_sequence(run, rsb_run_round(run, index));
	size_t site_count, i = 0;
	const struct rsb_site *sites = rsb_sites_array(passage.sites, &site_count);

	while (i < sequence->count && !is_mark(sites, &sequence->events[i], RSB_MARK_TRACED_CALL))
		i++;
	if (i == sequence->count)
		return passage;
	passage.events = &sequence->events[++i];
	while (i < sequence->count && !is_mark(sites, &sequence->events[i], RSB_MARK_LANDING))
		i++;
	passage.count = (size_t)(&sequence->events[i] - passage.events);
	return passage;
}

/* How the number of open calls changes. */
static int step(enum rsb_kind kind)
{
	return (kind == RSB_CALL) - (kind == RSB_RETURN);
}

/* An event with its names. */
struct named {
	const struct rsb_site *site;
	const char *kind, *label;
	char detail[24]; /* of what acts from outside the code: "fill 32"; else "" */
	char target[256];
};

static struct named name_event(const struct rsb_passage *passage, size_t index)
{
	const struct rsb_event *event = &passage->events[index];
	size_t count;
	struct named named = { .site = &rsb_sites_array(passage->sites, &count)[event->site] };

	named.kind = rsb_kind_name(named.site->kind);
	rsb_act_describe(named.site, named.detail, sizeof(named.detail));
	named.label = rsb_site_label(passage->sites, event->site);
	rsb_image_describe(passage->image,
			   rsb_sites_addresses(passage->sites, &count)[event->target], named.target,
			   sizeof(named.target));
	return named;
}

/* From column at on. */
static void write_event(FILE *out, const struct named *named, size_t at, unsigned columns)
{
	size_t width = at + strlen(named->kind) + 2 + rsb_wrap_width(named->label) + 4 +
		       rsb_wrap_width(named->target);

	fprintf(out, "%s  %s", named->kind, named->label);
	if (width > columns)
		fprintf(out, "\n%*s-> %s\n", (int)at + 2, "", named->target);
	else
		fprintf(out, " -> %s\n", named->target);
}

void rsb_passage_text(const struct rsb_passage *passage, FILE *out, unsigned columns)
{
	int depth = 0;

	fprintf(out, "depth  event\n");
	for (size_t i = 0; i < passage->count; i++) {
		struct named named = name_event(passage, i);
		int before = depth, level, used;

		depth += step(named.site->kind);
		/* A return stands where its call stands. */
		level = before < depth ? before : depth;
		if (level < 0)
			level = 0;
		used = fprintf(out, "%+5d  %*s", depth,
			       2 * (level > INDENT_MAX ? INDENT_MAX : level), "");
		if (*named.detail)
			fprintf(out, "%s  at %s\n", named.detail, named.label);
		else
			write_event(out, &named, used > 0 ? (size_t)used : 0, columns);
	}
}

bool rsb_passage_json(const struct rsb_passage *passage, cJSON *to)
{
	int64_t depth = 0;
	bool good = true;

	for (size_t i = 0; good && i < passage->count; i++) {
		struct named named = name_event(passage, i);
		cJSON *object = rsb_add_object(to, NULL);

		depth += step(named.site->kind);
		good = rsb_add_text(object, "kind", named.kind) &&
		       rsb_add_address(object, "pc", named.site->pc) &&
		       rsb_add_text(object, "site", named.label) &&
		       rsb_add_text(object, "target", named.target) &&
		       rsb_add_number(object, "depth", (double)depth) &&
		       (!*named.detail || rsb_add_text(object, "detail", named.detail));
	}
	return good;
}
