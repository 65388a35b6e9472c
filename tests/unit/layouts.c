/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tests/unit/layouts.h. */
#include "tests/unit/layouts.h"

#include "tests/unit/unit.h"

#include <string.h>

struct rsb_error layouts_error;

struct rsb_layout *layouts_parse(const char *text)
{
	return rsb_layout_parse("t", text, strlen(text), ".", &layouts_error);
}

struct rsb_layout *layouts_good(const char *text)
{
	struct rsb_layout *layout = layouts_parse(text);

	ck_assert_msg(layout != NULL, "%s", layouts_error.text);
	return layout;
}

struct rsb_image *layouts_image_for(const char *text, struct rsb_scenario scenario)
{
	struct rsb_layout *layout = layouts_good(text);
	struct rsb_image *image = rsb_layout_image(layout, &scenario, &layouts_error);

	rsb_layout_free(layout);
	return image;
}

struct rsb_image *layouts_image(const char *text)
{
	struct rsb_image *image = layouts_image_for(text, RSB_SCENARIO_UNWIND);

	ck_assert_msg(image != NULL, "%s", layouts_error.text);
	return image;
}

uint64_t layouts_address(const struct rsb_image *image, const char *name)
{
	uint64_t address = 0;

	ck_assert_msg(rsb_image_find(image, name, &address, &layouts_error), "%s",
		      layouts_error.text);
	return address;
}

void layouts_begins(const char *text, const char *message)
{
	ck_assert_msg(strncmp(layouts_error.text, message, strlen(message)) == 0,
		      "%s\nexpected: %s\nfound: %s", text, message, layouts_error.text);
}
