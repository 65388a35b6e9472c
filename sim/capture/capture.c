/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs what is captured. */
#include "sim/capture/private.h"

#include "sim/image/source.h"
#include "sim/score/run.h"
#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

struct rsb_capture *rsb_capture_new(void)
{
	return calloc(1, sizeof(struct rsb_capture));
}

void rsb_capture_free(struct rsb_capture *capture)
{
	if (!capture)
		return;
	rsb_patches_release(&capture->pages);
	for (size_t i = 0; i < capture->called_count; i++)
		free(capture->called[i]);
	free(capture->called);
	free(capture);
}

size_t rsb_capture_pages(const struct rsb_capture *capture)
{
	return capture->pages.count;
}

bool rsb_capture_next_run(const struct rsb_capture *capture, struct rsb_capture_run *run)
{
	struct rsb_patch *const *pages = capture->pages.array;
	size_t count = capture->pages.count, end;

	run->first += run->count;
	if (run->first == count)
		return false;
	end = run->first + 1;
	while (end < count && pages[end]->address == pages[end - 1]->address + RSB_PAGE &&
	       pages[end]->access == pages[end - 1]->access)
		end++;
	run->count = end - run->first;
	return true;
}

/* As many rounds as a score runs: what is touched late, when a counter runs out, is kept too. */
static bool run_scenario(const struct rsb_layout *layout, const struct rsb_scenario *scenario,
			 const struct rsb_capture_options *options, struct rsb_error *error)
{
	const struct rsb_run_options how = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN),
		.budget = options->budget,
		.progress = options->progress,
		.context = options->context,
	};
	struct rsb_image *image = rsb_layout_image(layout, scenario, error);
	struct rsb_run *run = image ? rsb_run_new(image, &how, error) : NULL;

	rsb_run_free(run);
	rsb_image_free(image);
	return run;
}

/* A system call is no function that can be called alone. */
static bool note_called(struct rsb_capture *capture, const struct rsb_layout *layout,
			struct rsb_error *error)
{
	char *name;

	if (!cJSON_IsString(layout->call))
		return true;
	name = strdup(layout->call->valuestring);
	if (name && RSB_GROW(capture->called, capture->called_count)) {
		capture->called[capture->called_count++] = name;
		return true;
	}
	free(name);
	return rsb_error_set(error, "out of memory");
}

bool rsb_capture_add(struct rsb_capture *capture, struct rsb_layout *layout,
		     const struct rsb_capture_options *options, struct rsb_error *error)
{
	const struct rsb_scenario unwind = RSB_SCENARIO_UNWIND, bench = RSB_SCENARIO_BENCH;
	bool good;

	if (layout->source != &rsb_source_core)
		return rsb_error_set(error, "%s: expected code out of a core",
				     rsb_layout_name(layout));
	layout->kept = &capture->pages;
	good = run_scenario(layout, &unwind, options, error) &&
	       run_scenario(layout, &bench, options, error) && note_called(capture, layout, error);
	layout->kept = NULL;
	return good || rsb_error_prefix(error, "%s", rsb_layout_name(layout));
}
