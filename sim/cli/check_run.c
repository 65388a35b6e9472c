/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the layouts of a check, each in the forms that the CPUs have it in. */
#include "sim/cli/check_run.h"

#include "sim/cli/progress.h"

#include <stdlib.h>
#include <string.h>

struct subject {
	const struct cli_check_request *request;
	const struct cli_profiles *profiles;
};

static bool check_loaded(struct rsb_check *into, const struct subject *subject,
			 struct rsb_layout *layout, struct rsb_profile *const *profiles,
			 size_t count, struct rsb_check_options *options, struct rsb_error *error)
{
	struct rsb_scenario scenario =
		cli_scenarios_choose_one(&subject->request->scenarios, layout);
	struct cli_progress progress;
	bool good;

	options->context = &progress;
	cli_progress_start(&progress, rsb_layout_name(layout));
	good = rsb_check_run(into, layout, &scenario, profiles, count, options, error);
	cli_progress_end(&progress);
	return good;
}

/*
 * The CPUs from that of this number on which generated code returns as on that one. None: one
 * before it had them already.
 */
static size_t find_alike(const struct subject *subject, size_t first, struct rsb_profile **alike)
{
	const struct cli_form_choice *forms = &subject->request->forms;
	struct rsb_profile *const *all = subject->profiles->all;
	size_t count = 0;

	for (size_t i = 0; i < subject->profiles->count; i++) {
		if (!cli_form_alike(forms, all[i], all[first]))
			continue;
		if (i < first)
			return 0;
		alike[count++] = all[i];
	}
	return count;
}

/* Each CPU judges the code as Linux has it there: one run serves those where it is alike. */
static bool check_forms(struct rsb_check *into, const struct subject *subject,
			struct rsb_layout *layout, struct rsb_check_options *options,
			struct rsb_error *error)
{
	const bool altered = options->altered;
	struct rsb_profile **alike = calloc(subject->profiles->count, sizeof(struct rsb_profile *));
	char own[32] = "";
	bool good = alike || rsb_error_set(error, "out of memory");

	rsb_layout_return_thunk(layout, own, sizeof(own));
	for (size_t i = 0; good && i < subject->profiles->count; i++) {
		const char *thunk =
			cli_form_of(&subject->request->forms, subject->profiles->all[i]);
		size_t count = find_alike(subject, i, alike);

		if (!count)
			continue;
		options->altered = altered || strcmp(thunk, own) != 0;
		good = rsb_layout_set_form(layout, "return_thunk", thunk, error) &&
		       check_loaded(into, subject, layout, alike, count, options, error);
	}
	options->altered = altered;
	free(alike);
	return good;
}

/* Code that is not generated returns as it does, whatever the CPU. */
static bool check_layout(struct rsb_check *into, const struct subject *subject,
			 struct rsb_layout *layout, struct rsb_check_options *options,
			 struct rsb_error *error)
{
	char word[32];

	if (subject->request->forms.mitigations &&
	    rsb_layout_return_thunk(layout, word, sizeof(word)))
		return check_forms(into, subject, layout, options, error);
	return check_loaded(into, subject, layout, subject->profiles->all, subject->profiles->count,
			    options, error);
}

/* Baselines and comparisons know a layout by its name: a file may not have that of another. */
static bool is_only_one(const struct rsb_check *into, const struct cli_input *input,
			const struct rsb_layout *layout, struct rsb_error *error)
{
	const char *name = rsb_layout_name(layout), *path = rsb_layout_user_file(layout);

	for (size_t i = 0; path && !input->text && !input->function && i < into->count; i++) {
		const struct rsb_check_case *one = &into->cases[i];

		if (!strcmp(one->layout, name) && strcmp(one->path, path) != 0)
			return rsb_error_set(
				error, "%s: expected a name of its own: %s is called '%s' too",
				input->name, *one->path ? one->path : "another layout", name);
	}
	return true;
}

static struct rsb_layout *load(const struct rsb_check *into, const struct subject *subject,
			       const struct cli_input *input, struct rsb_error *error)
{
	struct rsb_layout *layout = cli_forms_load(&subject->request->forms, input,
						   subject->profiles->all, subject->profiles->count,
						   error);

	if (layout && is_only_one(into, input, layout, error))
		return layout;
	rsb_layout_free(layout);
	return NULL;
}

/* A layout that cannot be loaded is trouble of its own: the others are still checked. */
static bool check_input(struct rsb_check *into, const struct subject *subject,
			const struct cli_input *input, struct rsb_check_options *options,
			struct rsb_error *error)
{
	struct rsb_error trouble;
	struct rsb_layout *layout = load(into, subject, input, &trouble);
	bool good;

	if (layout)
		good = check_layout(into, subject, layout, options, error);
	else
		good = rsb_check_trouble(into, input->name, input->text ? "" : input->name,
					 trouble.text) ||
		       rsb_error_set(error, "out of memory");
	rsb_layout_free(layout);
	return good;
}

bool cli_check_run(struct rsb_check *into, const struct cli_check_request *request,
		   const struct cli_profiles *profiles, const struct cli_inputs *inputs,
		   struct rsb_check_options *options, struct rsb_error *error)
{
	const struct subject subject = { request, profiles };
	bool good = true;

	for (size_t i = 0; good && i < inputs->count; i++)
		good = check_input(into, &subject, &inputs->all[i], options, error);
	return good;
}
