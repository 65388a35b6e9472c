/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A generated image. */
#include "sim/generate/generate.h"

#include "sim/generate/thunks.h"

#include <string.h>

/* Data that the code needs: a page at the GS base, well away from it. */
#define DATA_BASE UINT64_C(0x20000000)

/* What a kernel entry sets the call depth variable to (asm/nospec-branch.h: RESET_CALL_DEPTH). */
static const uint8_t depth_at_entry[] = { 0, 0, 0, 0, 0, 0, 0, 0x80 };

static bool map_call_depth(struct rsb_image *image, struct rsb_error *error)
{
	uint8_t page[RSB_FORMS_CALL_DEPTH + sizeof(depth_at_entry)] = { 0 };

	memcpy(page + RSB_FORMS_CALL_DEPTH, depth_at_entry, sizeof(depth_at_entry));
	rsb_image_set_gs_base(image, DATA_BASE);
	return rsb_image_map(image, "call depth", DATA_BASE, RSB_PAGE, RSB_READ | RSB_WRITE, page,
			     sizeof(page), error) &&
	       rsb_image_symbol(image, "call_depth", DATA_BASE + RSB_FORMS_CALL_DEPTH,
				sizeof(depth_at_entry), error);
}

/* Callers in user mode have nothing of the kernel's forms. */
static void emit(struct rsb_code *code, const struct rsb_family *family, const int64_t *values,
		 const struct rsb_scenario *scenario, const struct rsb_forms *forms,
		 unsigned helpers)
{
	const struct rsb_forms plain = { .return_thunk = RSB_THUNK_NONE };
	/* Two integer arguments, as the trampolines expect. */
	const struct rsb_callers callers = {
		.scenario = scenario,
		.by = family->by ? family->by(values) : RSB_CALLERS_CALL,
		.traced = rsb_code_named(code, "target"),
		.helpers = helpers,
		.count = 2,
		.registers = { { RSB_RDI, 1 }, { RSB_RSI, 2 } },
	};

	rsb_code_set_forms(code, callers.by == RSB_CALLERS_CALL ? forms : &plain);
	rsb_callers_emit(code, &callers);
	rsb_code_set_forms(code, forms);
	family->emit(code, values);
	rsb_thunks_emit(code);
}

static bool build(struct rsb_image *image, struct rsb_code *code, const struct rsb_family *family,
		  const int64_t *values, const struct rsb_forms *forms, struct rsb_error *error)
{
	struct rsb_system system = { 0 };

	if (!rsb_code_finish(code, image, error))
		return false;
	if (!family->enter)
		return !forms->account || map_call_depth(image, error);
	if (!family->enter(image, values, &system, error))
		return false;
	rsb_image_set_system(image, &system);
	return true;
}

struct rsb_image *rsb_generate_how(const struct rsb_family *family, const int64_t *values,
				   const int64_t *forms, const struct rsb_scenario *scenario,
				   const struct rsb_generate_how *how, struct rsb_error *error)
{
	struct rsb_forms made = rsb_forms_make(forms);
	struct rsb_image *image;
	struct rsb_code *code;
	char word[32];
	bool done;

	if (!rsb_scenario_check(scenario, error) ||
	    (family->check && !family->check(values, error)))
		return NULL;
	image = rsb_image_new();
	code = rsb_code_new(RSB_CODE_BASE + how->shift);
	made.returns = how->returns;
	if (image && code) {
		rsb_image_set_return_thunk(
			image, rsb_return_thunk_name(made.return_thunk, word, sizeof(word)));
		emit(code, family, values, scenario, &made, how->helpers);
		done = build(image, code, family, values, &made, error);
	} else {
		done = rsb_error_set(error, "out of memory");
	}
	rsb_code_free(code);
	if (done)
		return image;
	rsb_image_free(image);
	return NULL;
}

struct rsb_image *rsb_generate(const struct rsb_family *family, const int64_t *values,
			       const int64_t *forms, const struct rsb_scenario *scenario,
			       struct rsb_error *error)
{
	return rsb_generate_how(family, values, forms, scenario, &(struct rsb_generate_how){ 0 },
				error);
}
