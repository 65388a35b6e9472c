/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms of generated code that a command line chooses: how it returns and calls indirectly, for
 * all CPUs alike or as Linux has it on each.
 */
#ifndef RSB_SIM_CLI_FORMS_H
#define RSB_SIM_CLI_FORMS_H

#include "models/profile.h"
#include "sim/cli/inputs.h"
#include "sim/cli/options.h"
#include "sim/generate/forms.h"
#include "sim/image/layout.h"

/* What the options say; NULL: not given. */
struct cli_form_choice {
	const char *return_thunk, *indirect;
	const char *mitigations; /* "auto" or "off" */
	bool force;
};

/* The rows of what all code can be given ... */
#define CLI_FORM_ROWS(at)                                                                  \
	{ .name = "return-thunk",                                                          \
	  .argument = "WORD",                                                              \
	  .take = cli_take_choice,                                                         \
	  .sentence = "how generated code returns, its callers included, in place of the " \
		      "layout's own: none, rethunk, retbleed, its, srso, srso-alias or "   \
		      "call-depth",                                                        \
	  .field = (at) + offsetof(struct cli_form_choice, return_thunk),                  \
	  .choices = RSB_RETURN_THUNKS },                                                  \
	{                                                                                  \
		.name = "indirect", .argument = "WORD", .take = cli_take_choice,           \
		.sentence = "how generated code calls and jumps through a register: "      \
			    "direct, retpoline, lfence or its",                            \
		.field = (at) + offsetof(struct cli_form_choice, indirect),                \
		.choices = RSB_INDIRECT_FORMS                                              \
	}

/* ... and of what depends on the CPU. */
#define CLI_FORCE_ROW(at)                                                                 \
	{                                                                                 \
		.name = "force", .take = cli_take_switch,                                 \
		.sentence = "do not refuse a return thunk that Linux never has on a CPU", \
		.field = (at) + offsetof(struct cli_form_choice, force)                   \
	}

/* --mitigations, of a command that runs code once for a CPU ... */
#define CLI_OWN_FORM_ROW(at)                                                        \
	{                                                                           \
		.name = "mitigations", .argument = "WORD", .take = cli_take_choice, \
		.sentence = "auto: generated code returns as Linux has it on each " \
			    "CPU; off: by ret alone",                               \
		.field = (at) + offsetof(struct cli_form_choice, mitigations),      \
		.choices = "auto|off"                                               \
	}

/* ... and of one that compares. */
#define CLI_MITIGATION_ROWS(at)                                                         \
	{ .name = "mitigations",                                                        \
	  .argument = "WORD",                                                           \
	  .take = cli_take_choice,                                                      \
	  .sentence = "auto: generated code also returns as Linux has it on each CPU; " \
		      "off: by ret alone",                                              \
	  .field = (at) + offsetof(struct cli_form_choice, mitigations),                \
	  .choices = "auto|off" },                                                      \
		CLI_FORCE_ROW(at)

/* Can these options go together? */
bool cli_forms_check(const struct cli_form_choice *choice, struct rsb_error *error);

/* Is code to return as Linux has it on each CPU? */
bool cli_forms_automatic(const struct cli_form_choice *choice);

#define CLI_FORMS 8 /* the most that one layout is run in: a return thunk each */

/* Returns of generated code. */
struct cli_form {
	const char *return_thunk; /* NULL: as the layout has it */
	bool for_all;             /* else for the CPUs on which Linux returns so */
};

/* The forms in which a layout is run. Returns how many. */
size_t cli_forms_list(const struct cli_form_choice *choice, const struct rsb_layout *layout,
		      struct rsb_profile *const *profiles, size_t count,
		      struct cli_form forms[CLI_FORMS]);

/* The return thunk of generated code on this CPU alone, by --mitigations, which is given. */
const char *cli_form_of(const struct cli_form_choice *choice, const struct rsb_profile *profile);

/* Does generated code return alike on these two? Without --mitigations it does on all. */
bool cli_form_alike(const struct cli_form_choice *choice, const struct rsb_profile *a,
		    const struct rsb_profile *b);

/*
 * Gives the layout the form of this CPU by --mitigations, if that is given and its code is
 * generated. False: error.
 */
bool cli_form_take(const struct cli_form_choice *choice, struct rsb_layout *layout,
		   const struct rsb_profile *profile, struct rsb_error *error);

/* Is the form one for this CPU? */
bool cli_form_is_for(const struct cli_form *form, const struct rsb_profile *profile);

/* What a score in this form says of mitigations. */
const char *cli_form_mitigations(const struct cli_form_choice *choice, const struct cli_form *form,
				 const struct rsb_profile *profile);

/* Refuses a return thunk that the CPU never runs, unless that is forced or the code is not ours. */
bool cli_form_occurs(const struct cli_form_choice *choice, const struct rsb_layout *layout,
		     const struct rsb_profile *profile, struct rsb_error *error);

/*
 * Loads a layout, gives it the forms that are chosen for all CPUs alike, and refuses it if one of
 * these CPUs never runs it so, unless --mitigations gives it another on each. NULL: error.
 */
struct rsb_layout *cli_forms_load(const struct cli_form_choice *choice,
				  const struct cli_input *input,
				  struct rsb_profile *const *profiles, size_t count,
				  struct rsb_error *error);

#endif
