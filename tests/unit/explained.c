/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations for tests. */
#include "tests/unit/explained.h"

#include "sim/generate/callers.h"
#include "sim/generate/x86.h"
#include "sim/image/layout.h"
#include "sim/score/score.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void check_same(const char *what, double explained, double scored)
{
	ck_assert_msg(fabs(explained - scored) < 1e-9, "%s: %g explained, %g scored", what,
		      explained, scored);
}

void explained_agrees(const struct rsb_explanation *explanation, const struct rsb_run *run,
		      const struct rsb_profile *profile, const struct rsb_scenario *scenario)
{
	const struct rsb_score_options options = { 0 };
	struct rsb_error error;
	struct rsb_score *score = rsb_score_new(run, "test", profile, scenario, &options, &error);
	double inside = 0, callers = 0, balance = 0, cold_inside = 0, cold_callers = 0;
	double intended_inside = 0, intended_callers = 0;

	ck_assert_msg(score, "%s", error.text);
	for (size_t i = 0; i < explanation->count; i++) {
		const struct rsb_finding *finding = &explanation->findings[i];

		inside += finding->misses_inside;
		callers += finding->misses_callers;
		balance += finding->balance;
		cold_inside += finding->cold_inside;
		cold_callers += finding->cold_callers;
		if (finding->cause == RSB_CAUSE_INTENDED) {
			intended_inside += finding->misses_inside;
			intended_callers += finding->misses_callers;
		}
	}
	check_same("misses inside", inside, score->per_call.misses_inside);
	check_same("misses in callers", callers, score->per_call.misses_callers);
	check_same("intended inside", intended_inside, score->per_call.intended_inside);
	check_same("intended in callers", intended_callers, score->per_call.intended_callers);
	check_same("balance", balance, score->per_call.balance);
	check_same("cold misses inside", cold_inside, score->cold_inside);
	check_same("cold misses in callers", cold_callers, score->cold_callers);
	rsb_score_free(score);
}

struct rsb_explanation *explained_image(struct rsb_image *image, const struct rsb_profile *profile,
					const struct rsb_scenario *scenario)
{
	const struct rsb_run_options options = { .kinds = RSB_KIND_ALL };
	struct rsb_error error;
	struct rsb_run *run = rsb_run_new(image, &options, &error);
	struct rsb_frames *frames = run ? rsb_frames_new(image, run, &error) : NULL;
	struct rsb_explanation *explanation;

	ck_assert_msg(frames, "%s", error.text);
	explanation = rsb_explanation_new(frames, "test", profile, scenario, &error);
	ck_assert_msg(explanation, "%s", error.text);
	explained_agrees(explanation, run, profile, scenario);
	rsb_frames_free(frames);
	rsb_run_free(run);
	rsb_image_free(image);
	return explanation;
}

static struct rsb_explanation *explain(struct rsb_layout *layout, const char *cpu,
				       const struct rsb_scenario *scenario)
{
	struct rsb_error error;
	struct rsb_profile *profile = rsb_profile_load(cpu, &error);
	struct rsb_image *image = rsb_layout_image(layout, scenario, &error);
	struct rsb_explanation *explanation;

	ck_assert_msg(profile && image, "%s", error.text);
	explanation = explained_image(image, profile, scenario);
	rsb_profile_free(profile);
	rsb_layout_free(layout);
	return explanation;
}

struct rsb_explanation *explained_layout(const char *name, const char *cpu,
					 const struct rsb_scenario *scenario)
{
	struct rsb_error error;
	struct rsb_layout *layout = rsb_layout_load(name, &error);

	ck_assert_msg(layout, "%s", error.text);
	return explain(layout, cpu, scenario);
}

struct rsb_explanation *explained_text(const char *text, const char *folder, const char *cpu,
				       const struct rsb_scenario *scenario)
{
	struct rsb_error error;
	struct rsb_layout *layout = rsb_layout_parse("test", text, strlen(text), folder, &error);

	ck_assert_msg(layout, "%s", error.text);
	return explain(layout, cpu, scenario);
}

struct rsb_code *explained_callers(const struct rsb_scenario *scenario, uint64_t rdi)
{
	struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);
	const struct rsb_callers callers = {
		.scenario = scenario,
		.traced = rsb_code_named(code, "target"),
		.count = 1,
		.registers = { { RSB_RDI, rdi } },
	};

	rsb_callers_emit(code, &callers);
	rsb_code_function(code, "target");
	return code;
}

static void describe(const struct rsb_instruction *instruction, char *out, size_t size)
{
	if (instruction->symbol)
		snprintf(out, size, "%s: %s", instruction->symbol, instruction->text);
	else
		*out = '\0';
}

void explained_check(const struct rsb_explanation *explanation, const char *name,
		     const struct explained_finding *expected, size_t count)
{
	ck_assert_msg(explanation->count == count, "%s: %zu findings, not %zu", name,
		      explanation->count, count);
	for (size_t i = 0; i < count; i++) {
		const struct rsb_finding *finding = &explanation->findings[i];
		char culprit[600];

		describe(&finding->culprit, culprit, sizeof(culprit));
		ck_assert_msg(finding->cause == expected[i].cause, "%s: finding %zu is %s, not %s",
			      name, i, rsb_cause_name(finding->cause),
			      rsb_cause_name(expected[i].cause));
		ck_assert_msg(*expected[i].culprit ? !strncmp(culprit, expected[i].culprit,
							      strlen(expected[i].culprit))
						   : !*culprit,
			      "%s: finding %zu is at \"%s\", not \"%s\"", name, i, culprit,
			      expected[i].culprit);
		ck_assert_msg(!expected[i].text || !strcmp(finding->culprit.text, expected[i].text),
			      "%s: finding %zu is at %s", name, i, culprit);
		ck_assert_msg(fabs(finding->misses_inside - expected[i].inside) < 1e-9 &&
				      fabs(finding->misses_callers - expected[i].callers) < 1e-9 &&
				      fabs(finding->balance - expected[i].balance) < 1e-9,
			      "%s: finding %zu costs %g inside, %g in callers, balance %g", name, i,
			      finding->misses_inside, finding->misses_callers, finding->balance);
	}
}
