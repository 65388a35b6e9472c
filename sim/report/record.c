/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes each miss of a run as one line of JSON. */
#include "sim/report/record.h"

#include "sim/report/json.h"
#include "sim/score/replay.h"

static const char *name_miss(enum rsb_miss_kind kind)
{
	static const char *const names[] = { "empty", "stale", "other" };

	return names[kind];
}

/* An address and what is there. */
static bool add_place(cJSON *to, const char *key, uint64_t address, const char *symbol)
{
	cJSON *object = rsb_add_object(to, key);

	return rsb_add_address(object, "pc", address) && rsb_add_text(object, "symbol", symbol);
}

static bool add_target(cJSON *to, const char *key, uint64_t address, const struct rsb_image *image)
{
	char symbol[256];

	rsb_image_describe(image, address, symbol, sizeof(symbol));
	return add_place(to, key, address, symbol);
}

static bool add_null(cJSON *to, const char *key)
{
	return rsb_add_item(to, key, cJSON_CreateNull());
}

static bool add_pushed_by(cJSON *to, const struct rsb_miss *miss, const struct rsb_sites *sites)
{
	size_t count;
	const struct rsb_site *all = rsb_sites_array(sites, &count);

	if (miss->pushed_by >= count)
		return add_null(to, "pushed_by");
	return add_place(to, "pushed_by", all[miss->pushed_by].pc,
			 rsb_site_label(sites, miss->pushed_by));
}

static bool add_run(cJSON *to, const struct rsb_record *record, uint64_t round)
{
	return rsb_add_text(to, "layout", record->layout) && rsb_add_text(to, "cpu", record->cpu) &&
	       rsb_add_text(to, "scenario", record->scenario->name) &&
	       rsb_add_integer(to, "round", round) &&
	       rsb_add_text(to, "return_thunk", record->return_thunk);
}

static bool add_miss(cJSON *to, const struct rsb_record *record, const struct rsb_replay_miss *m,
		     const struct rsb_sites *sites)
{
	size_t count;
	uint64_t actual = rsb_sites_addresses(sites, &count)[m->event->target];
	bool empty = m->miss->kind == RSB_MISS_EMPTY;

	return rsb_add_address(to, "pc", m->site->pc) &&
	       rsb_add_text(to, "symbol", rsb_site_label(sites, m->event->site)) &&
	       rsb_add_text(to, "transfer", rsb_kind_name(m->site->kind)) &&
	       (empty ? add_null(to, "predicted")
		      : add_target(to, "predicted", m->miss->predicted, record->image)) &&
	       add_target(to, "actual", actual, record->image) &&
	       add_pushed_by(to, m->miss, sites) &&
	       rsb_add_text(to, "kind", name_miss(m->miss->kind)) &&
	       rsb_add_switch(to, "intended", m->intended) &&
	       rsb_add_switch(to, "inside", m->inside);
}

void rsb_record_miss(void *context, uint64_t round, const struct rsb_replay_miss *miss,
		     const struct rsb_sites *sites)
{
	struct rsb_record *record = context;
	cJSON *line = cJSON_CreateObject();
	bool built = add_run(line, record, round) && add_miss(line, record, miss, sites);
	char *text = built ? cJSON_PrintUnformatted(line) : NULL;

	cJSON_Delete(line);
	if (text)
		fprintf(record->out, "%s\n", text);
	else
		record->failed = true;
	cJSON_free(text);
}
