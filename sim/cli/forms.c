/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which forms a layout is scored in, and on which CPUs. */
#include "sim/cli/forms.h"

#include <string.h>

bool cli_forms_check(const struct cli_form_choice *choice, struct rsb_error *error)
{
	return !choice->mitigations || !choice->return_thunk ||
	       rsb_error_set(error, "--mitigations: expected either this or --return-thunk, got "
				    "both");
}

bool cli_forms_automatic(const struct cli_form_choice *choice)
{
	return choice->mitigations && !strcmp(choice->mitigations, "auto");
}

static bool apply(const struct cli_form_choice *choice, struct rsb_layout *layout,
		  struct rsb_error *error)
{
	const struct {
		const char *name, *word;
	} forms[] = { { "return_thunk", choice->return_thunk }, { "indirect", choice->indirect } };

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (forms[i].word &&
		    !rsb_layout_set_form(layout, forms[i].name, forms[i].word, error))
			return false;
	return true;
}

static bool is_listed(const struct cli_form *forms, size_t count, const char *thunk)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(forms[i].return_thunk, thunk))
			return true;
	return false;
}

size_t cli_forms_list(const struct cli_form_choice *choice, const struct rsb_layout *layout,
		      struct rsb_profile *const *profiles, size_t count,
		      struct cli_form forms[CLI_FORMS])
{
	char word[32];
	/* Code that is not generated returns as it does, on every CPU. */
	bool fixed = !choice->mitigations || !rsb_layout_return_thunk(layout, word, sizeof(word));
	size_t listed = 1;

	forms[0] = (struct cli_form){ fixed ? NULL : "none", true };
	if (fixed || !cli_forms_automatic(choice))
		return listed;
	for (size_t i = 0; i < count; i++) {
		const char *thunk = rsb_profile_mitigation(profiles[i]);

		if (listed < CLI_FORMS && !is_listed(forms, listed, thunk))
			forms[listed++] = (struct cli_form){ thunk, false };
	}
	return listed;
}

const char *cli_form_of(const struct cli_form_choice *choice, const struct rsb_profile *profile)
{
	return cli_forms_automatic(choice) ? rsb_profile_mitigation(profile) : "none";
}

bool cli_form_alike(const struct cli_form_choice *choice, const struct rsb_profile *a,
		    const struct rsb_profile *b)
{
	return !choice->mitigations || !strcmp(cli_form_of(choice, a), cli_form_of(choice, b));
}

bool cli_form_take(const struct cli_form_choice *choice, struct rsb_layout *layout,
		   const struct rsb_profile *profile, struct rsb_error *error)
{
	char word[32];

	/* Code that is not generated returns as it does, whatever the CPU. */
	return !choice->mitigations || !rsb_layout_return_thunk(layout, word, sizeof(word)) ||
	       rsb_layout_set_form(layout, "return_thunk", cli_form_of(choice, profile), error);
}

bool cli_form_is_for(const struct cli_form *form, const struct rsb_profile *profile)
{
	return form->for_all || !strcmp(form->return_thunk, rsb_profile_mitigation(profile));
}

const char *cli_form_mitigations(const struct cli_form_choice *choice, const struct cli_form *form,
				 const struct rsb_profile *profile)
{
	if (!form->return_thunk || !strcmp(choice->mitigations, "off"))
		return form->return_thunk ? choice->mitigations : NULL;
	return strcmp(form->return_thunk, rsb_profile_mitigation(profile)) ? "off" : "auto";
}

bool cli_form_occurs(const struct cli_form_choice *choice, const struct rsb_layout *layout,
		     const struct rsb_profile *profile, struct rsb_error *error)
{
	char word[32];
	const char *thunk = rsb_layout_return_thunk(layout, word, sizeof(word));

	if (!thunk || choice->force || rsb_return_thunk_occurs(thunk, profile))
		return true;
	return rsb_error_set(error,
			     "%s on %s: Linux never returns by the return thunk %s there; --force "
			     "scores it all the same",
			     rsb_layout_name(layout), rsb_profile_name(profile), thunk);
}

struct rsb_layout *cli_forms_load(const struct cli_form_choice *choice,
				  const struct cli_input *input,
				  struct rsb_profile *const *profiles, size_t count,
				  struct rsb_error *error)
{
	struct rsb_layout *layout = cli_input_load(input, error);
	bool good = layout && apply(choice, layout, error);

	for (size_t i = 0; good && i < count && !choice->mitigations; i++)
		good = cli_form_occurs(choice, layout, profiles[i], error);
	if (good)
		return layout;
	rsb_layout_free(layout);
	return NULL;
}
