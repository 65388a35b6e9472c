/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A layout: one trampoline arrangement and how it is called. A JSON file (rsbsim-layout(5)) that
 * names exactly one source of code; the built-in ones are sim/layouts/NAME.json, kept inside the
 * library. rsb_layout_image() turns it into an image for a scenario.
 */
#ifndef RSB_SIM_IMAGE_LAYOUT_H
#define RSB_SIM_IMAGE_LAYOUT_H

#include "sim/generate/generate.h"
#include "sim/image/image.h"
#include "sim/scenario.h"

struct rsb_layout;

/*
 * A built-in name, or a path (a name with a slash or ending in .json). NULL: error names file,
 * line, key and what was expected, or lists the nearest names.
 */
struct rsb_layout *rsb_layout_load(const char *name_or_path, struct rsb_error *error);

/* From memory; relative paths in it are relative to directory. For tests and fuzzers. */
struct rsb_layout *rsb_layout_parse(const char *name, const char *text, size_t size,
				    const char *directory, struct rsb_error *error);
void rsb_layout_free(struct rsb_layout *layout);

/* The names of the built-in layouts, sorted, ended by NULL. */
const char *const *rsb_layout_names(void);

const char *rsb_layout_name(const struct rsb_layout *layout);
const char *rsb_layout_summary(const struct rsb_layout *layout); /* "" if not given */
const char *rsb_layout_source(const struct rsb_layout *layout);  /* where the layout is from; "" */
const char *rsb_layout_path(const struct rsb_layout *layout);    /* as given; NULL: built in */

/* The user's file to look into: the layout's, or of one that has none, its code's. NULL: none. */
const char *rsb_layout_user_file(const struct rsb_layout *layout);

/* The layout's own scenario, if its file states one. */
bool rsb_layout_scenario(const struct rsb_layout *layout, struct rsb_scenario *scenario);

/* Is it a whole program, which makes its own calls, whatever the scenario? */
bool rsb_layout_is_program(const struct rsb_layout *layout);

/* What its author expects of one figure ("balance_layout"). False: the file does not say. */
bool rsb_layout_expect(const struct rsb_layout *layout, const char *figure, double *value);

/*
 * Sets "return_thunk" or "indirect" of a generated layout, in place of its file's. False: error
 * lists the choices, or says that the layout is not generated: other code has the forms it has.
 */
bool rsb_layout_set_form(struct rsb_layout *layout, const char *name, const char *text,
			 struct rsb_error *error);

/* The return thunk of a generated layout, in a word. NULL: not generated, so its image has it. */
const char *rsb_layout_return_thunk(const struct rsb_layout *layout, char *out, size_t size);

/* What has to be known of a layout before its code is run by a real processor. */
enum rsb_layout_code {
	RSB_LAYOUT_GENERATED, /* by this library, from a family */
	RSB_LAYOUT_KERNEL,    /* a kernel's memory */
	RSB_LAYOUT_OTHER,     /* what somebody wrote or compiled */
};
enum rsb_layout_code rsb_layout_code(const struct rsb_layout *layout);

/* How images of the layout are made from here on; what it points to must stay. False: it is not
 * generated. */
bool rsb_layout_set_how(struct rsb_layout *layout, const struct rsb_generate_how *how);

/*
 * Builds the image: the layout's code and callers for this scenario. NULL: error. The image does
 * not need the layout afterwards.
 */
struct rsb_image *rsb_layout_image(const struct rsb_layout *layout,
				   const struct rsb_scenario *scenario, struct rsb_error *error);

#endif
