/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations for tests: each is compared with the score of the same run. */
#ifndef RSB_TESTS_EXPLAINED_H
#define RSB_TESTS_EXPLAINED_H

#include "sim/explain/explain.h"
#include "sim/generate/code.h"

/* What a test expects of one finding. */
struct explained_finding {
	enum rsb_cause cause;
	const char *culprit; /* how it begins: "target+0x6: pop rax"; "": no instruction */
	int inside, callers; /* misses a call */
	int balance;
	const char *text; /* of the culprit, all of it; NULL: any */
};

/* The test fails unless the explanation accounts for all that the score of the run says. */
void explained_agrees(const struct rsb_explanation *explanation, const struct rsb_run *run,
		      const struct rsb_profile *profile, const struct rsb_scenario *scenario);

/*
 * Explains the image, which is freed, on that CPU. The test fails if it cannot, or if that does
 * not agree with the score.
 */
struct rsb_explanation *explained_image(struct rsb_image *image, const struct rsb_profile *profile,
					const struct rsb_scenario *scenario);

/* The same of a layout by name, or of a layout file's text with paths relative to folder. */
struct rsb_explanation *explained_layout(const char *name, const char *cpu,
					 const struct rsb_scenario *scenario);
struct rsb_explanation *explained_text(const char *text, const char *folder, const char *cpu,
				       const struct rsb_scenario *scenario);

/* Callers of the scenario below a function "target", which the test emits after this. */
struct rsb_code *explained_callers(const struct rsb_scenario *scenario, uint64_t rdi);

/* The findings must be these, in this order. name is for messages. */
void explained_check(const struct rsb_explanation *explanation, const char *name,
		     const struct explained_finding *expected, size_t count);

#endif
