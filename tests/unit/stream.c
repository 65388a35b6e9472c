/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event streams and models for the tests of models/. */
#include "tests/unit/stream.h"

#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define RETURN_PC UINT64_C(0x8000)

struct stream stream_new(void)
{
	struct stream stream = { .sites = rsb_sites_new() };

	ck_assert_ptr_nonnull(stream.sites);
	return stream;
}

void stream_free(struct stream *stream)
{
	rsb_sites_free(stream->sites);
	rsb_trace_clear(&stream->trace);
	free(stream->missed);
}

void stream_reset(struct stream *stream)
{
	stream->trace.count = 0;
}

void stream_add(struct stream *stream, struct rsb_site site, uint64_t target)
{
	uint32_t id = rsb_sites_intern(stream->sites, &site, NULL);
	uint32_t address = rsb_sites_address(stream->sites, target);

	ck_assert_uint_ne(id, RSB_SITE_NONE);
	ck_assert(rsb_trace_add(&stream->trace, id, address));
}

void stream_call(struct stream *stream, uint64_t pc)
{
	stream_add(stream, (struct rsb_site){ .pc = pc, .length = CALL_LENGTH, .kind = RSB_CALL },
		   0x9000);
}

void stream_return_at(struct stream *stream, uint64_t pc, uint64_t target)
{
	stream_add(stream, (struct rsb_site){ .pc = pc, .length = 1, .kind = RSB_RETURN }, target);
}

void stream_return(struct stream *stream, uint64_t target)
{
	stream_return_at(stream, RETURN_PC, target);
}

void stream_jump_indirect(struct stream *stream, uint64_t pc, uint64_t target)
{
	stream_add(stream, (struct rsb_site){ .pc = pc, .length = 2, .kind = RSB_JUMP_INDIRECT },
		   target);
}

void stream_kind(struct stream *stream, enum rsb_kind kind)
{
	stream_add(stream, (struct rsb_site){ .pc = 0x7000, .kind = (uint8_t)kind }, 0x7000);
}

void stream_environment(struct stream *stream, enum rsb_environment what, uint32_t count)
{
	stream_add(stream,
		   (struct rsb_site){ .pc = 0x6000,
				      .kind = RSB_ENVIRONMENT,
				      .detail = (uint8_t)what,
				      .count = count },
		   0x6000);
}

uint64_t stream_draw(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* The shadow stack of the random stream: where its true returns go. */
struct shadow {
	uint64_t addresses[128];
	unsigned count;
};

static void random_call(struct stream *stream, struct shadow *shadow, uint64_t draw)
{
	/* Call sites 8 bytes apart, for spacing; some to the next instruction, some indirect. */
	struct rsb_site site = { .pc = 0x1000 + draw % 12 * 8,
				 .length = CALL_LENGTH,
				 .kind = draw >> 8 & 15 ? RSB_CALL : RSB_SWAP };

	if (!(draw >> 12 & 7))
		site.flags = draw >> 15 & 1 ? RSB_SITE_ZERO_CALL : RSB_SITE_INDIRECT;
	if (site.kind == RSB_SWAP && shadow->count)
		shadow->count--;
	stream_add(stream, site, 0x9000 + (draw >> 16 & 3));
	if (shadow->count < 128)
		shadow->addresses[shadow->count++] = site.pc + site.length;
}

static void random_return(struct stream *stream, struct shadow *shadow, uint64_t draw)
{
	uint64_t target = 0x1000 + draw % 12 * 8 + CALL_LENGTH;

	if (shadow->count && (draw >> 8 & 7))
		target = shadow->addresses[--shadow->count];
	stream_return_at(stream, 0x8000 + (draw >> 11 & 3), target);
}

static void random_rare(struct stream *stream, uint64_t draw)
{
	switch (draw % 8) {
	case 0:
		stream_kind(stream, RSB_SPECULATE);
		break;
	case 1:
	case 2:
		stream_kind(stream, RSB_SQUASH);
		break;
	case 3:
		stream_environment(stream, draw >> 8 & 3, 0);
		break;
	case 4:
		stream_environment(stream, RSB_ENVIRONMENT_FILL, (uint32_t)(draw >> 8 & 31));
		break;
	default:
		stream_jump_indirect(stream, 0xa000 + (draw >> 8 & 1), 0xb000 + (draw >> 9 & 1));
	}
}

void stream_random(struct stream *stream, size_t count, uint64_t *seed)
{
	struct shadow shadow = { .count = 0 };

	for (size_t i = 0; i < count; i++) {
		uint64_t draw = stream_draw(seed);

		if (!(draw >> 32 & 63))
			random_rare(stream, draw);
		else if (draw >> 40 & 1)
			random_call(stream, &shadow, draw);
		else
			random_return(stream, &shadow, draw);
	}
}

static void read_settings(const struct rsb_model_type *type, const char *settings, int64_t *values)
{
	struct rsb_error error;
	char text[512], *rest = text, *name;

	rsb_parameter_defaults(type->parameters, values);
	ck_assert_uint_lt(strlen(settings), sizeof(text));
	strcpy(text, settings);
	while ((name = strtok_r(rest, " ", &rest))) {
		char *value = strchr(name, '=');

		ck_assert_ptr_nonnull(value);
		*value++ = '\0';
		ck_assert_msg(rsb_parameter_set(type->parameters, values, name, value, &error),
			      "%s", error.text);
	}
}

const struct rsb_model_type *model_values(const char *name, const char *settings, int64_t *values)
{
	struct rsb_error error;
	const struct rsb_model_type *type = rsb_model_type_find(name, &error);

	ck_assert_msg(type != NULL, "%s", error.text);
	read_settings(type, settings, values);
	return type;
}

struct rsb_model *model_new(const char *name, const char *settings)
{
	struct rsb_error error;
	int64_t values[RSB_PARAMETERS_MAX];
	const struct rsb_model_type *type = model_values(name, settings, values);
	struct rsb_model *model = rsb_model_new(type, values, &error);

	ck_assert_msg(model != NULL, "%s", error.text);
	return model;
}

size_t stream_misses(struct stream *stream, struct rsb_model *model)
{
	stream->missed =
		realloc(stream->missed, (stream->trace.count + 1) * sizeof(*stream->missed));
	ck_assert_ptr_nonnull(stream->missed);
	return rsb_model_replay(model, stream->sites, stream->trace.events, stream->trace.count,
				stream->missed);
}

static bool is_asked(const struct rsb_site *site, uint32_t predicts)
{
	return (predicts & RSB_KIND_BIT(site->kind)) &&
	       (site->kind != RSB_CALL || (site->flags & RSB_SITE_INDIRECT));
}

static enum rsb_miss_kind kind_of(struct rsb_prediction prediction)
{
	if (!prediction.valid)
		return RSB_MISS_EMPTY;
	return prediction.stale ? RSB_MISS_STALE : RSB_MISS_OTHER;
}

size_t stream_misses_of(struct stream *stream, const char *type, const char *settings)
{
	struct rsb_model *model = model_new(type, settings);
	size_t misses = stream_misses(stream, model);

	rsb_model_free(model);
	return misses;
}

uint64_t stream_site(unsigned index)
{
	return 0x10000 + index * 128;
}

uint64_t stream_behind(unsigned index)
{
	return stream_site(index) + CALL_LENGTH;
}

size_t stream_misses_plainly(struct stream *stream, const struct rsb_model_type *type,
			     const char *settings, struct rsb_miss *missed)
{
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_error error;
	size_t misses = 0, unused;
	const struct rsb_site *sites = rsb_sites_array(stream->sites, &unused);
	const uint64_t *addresses = rsb_sites_addresses(stream->sites, &unused);
	uint32_t predicts;
	void *state;

	read_settings(type, settings, values);
	predicts = type->predicts_with ? type->predicts_with(values) : type->predicts;
	state = type->create(values, &error);
	ck_assert_ptr_nonnull(state);
	for (uint32_t i = 0; i < stream->trace.count; i++) {
		const struct rsb_site *site = &sites[stream->trace.events[i].site];
		uint64_t target = addresses[stream->trace.events[i].target];
		struct rsb_step step = { stream->trace.events[i].site,
					 site->count,
					 site->pc,
					 site->fall_through,
					 site->kind,
					 site->detail,
					 site->mitigation,
					 site->flags };

		if (is_asked(site, predicts)) {
			struct rsb_prediction prediction = type->predict(state, &step);

			if (!prediction.valid || prediction.target != target)
				missed[misses++] = (struct rsb_miss){
					i, prediction.valid ? prediction.pushed_by : RSB_SITE_NONE,
					prediction.valid ? prediction.target : 0,
					kind_of(prediction)
				};
		}
		if (type->kinds & RSB_KIND_BIT(site->kind))
			type->update(state, &step, target);
	}
	type->destroy(state);
	return misses;
}
