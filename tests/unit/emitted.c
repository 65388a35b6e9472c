/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tests/unit/emitted.h. */
#include "tests/unit/emitted.h"

#include "sim/generate/callers.h"
#include "tests/unit/unit.h"

#define DATA 0x20000000u /* a page of counters, 8 bytes each */

static struct rsb_error error;

static void emit32(struct rsb_code *code, uint32_t value)
{
	rsb_code_bytes(code, &value, 4);
}

static uint32_t counter_at(unsigned counter)
{
	return DATA + 8 * counter;
}

void emit_count(struct rsb_code *code, unsigned counter)
{
	EMIT(code, 0x48, 0xff, 0x04, 0x25);
	emit32(code, counter_at(counter));
}

rsb_label emit_every(struct rsb_code *code, unsigned counter, unsigned n)
{
	rsb_label past = rsb_code_label(code);

	EMIT(code, 0xff, 0x0c, 0x25);
	emit32(code, counter_at(counter));
	EMIT(code, 0x0f, 0x85);
	rsb_code_relative32(code, past, 0);
	EMIT(code, 0xc7, 0x04, 0x25);
	emit32(code, counter_at(counter));
	emit32(code, n);
	return past;
}

rsb_label emit_above(struct rsb_code *code, unsigned counter, unsigned n)
{
	rsb_label past = rsb_code_label(code);

	EMIT(code, 0x81, 0x3c, 0x25);
	emit32(code, counter_at(counter));
	emit32(code, n);
	EMIT(code, 0x0f, 0x86);
	rsb_code_relative32(code, past, 0);
	return past;
}

rsb_label emit_masked(struct rsb_code *code, unsigned counter, unsigned mask)
{
	rsb_label past = rsb_code_label(code);

	EMIT(code, 0xf7, 0x04, 0x25);
	emit32(code, counter_at(counter));
	emit32(code, mask);
	EMIT(code, 0x0f, 0x85);
	rsb_code_relative32(code, past, 0);
	return past;
}

void emit_skip(struct rsb_code *code)
{
	EMIT(code, 0xe8, 1, 0, 0, 0, 0xcc, 0x48, 0x83, 0xc4, 8);
}

void emit_push_return(struct rsb_code *code)
{
	EMIT(code, 0x48, 0x8d, 0x05, 2, 0, 0, 0, 0x50, 0xc3);
}

void emit_rewrite(struct rsb_code *code)
{
	EMIT(code, 0xe8, 2, 0, 0, 0, 0xeb, 12, 0x48, 0x8d, 0x05, 5, 0, 0, 0, 0x48, 0x89, 0x04, 0x24,
	     0xc3);
}

void emit_balanced(struct rsb_code *code)
{
	EMIT(code, 0xe8, 2, 0, 0, 0, 0xeb, 1, 0xc3);
}

struct rsb_image *emitted_image(emit_body *emit, const uint32_t *choice, const uint64_t *counters,
				size_t count, const struct rsb_scenario *scenario)
{
	struct rsb_image *image = rsb_image_new();
	struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);
	struct rsb_callers callers = { .scenario = scenario };

	callers.traced = rsb_code_named(code, "target");
	rsb_callers_emit(code, &callers);
	rsb_code_function(code, "target");
	emit(code, choice);
	EMIT(code, 0xc3);
	ck_assert_msg(rsb_code_finish(code, image, &error), "%s", error.text);
	ck_assert_msg(rsb_image_map(image, "counters", DATA, RSB_PAGE, RSB_READ | RSB_WRITE,
				    counters, count * sizeof(*counters), &error),
		      "%s", error.text);
	rsb_code_free(code);
	return image;
}

struct rsb_score *emitted_score(const struct rsb_image *image, const struct rsb_scenario *scenario,
				uint64_t rounds)
{
	struct rsb_run_options options = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN), .rounds = rounds
	};
	struct rsb_score_options score_options = { .rounds = rounds };
	struct rsb_profile *ring = rsb_profile_load("intel-haswell", &error);
	struct rsb_run *run = rsb_run_new(image, &options, &error);
	struct rsb_score *score;

	ck_assert_msg(ring && run, "%s", error.text);
	score = rsb_score_new(run, "test", ring, scenario, &score_options, &error);
	ck_assert_msg(score, "%s", error.text);
	rsb_run_free(run);
	rsb_profile_free(ring);
	return score;
}
