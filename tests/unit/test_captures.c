/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Images of captured kernels, one for each capture and each function traced there. They hold the
 * kernel's own code and are not part of the project; without them the tests are skipped.
 */
#include "sim/image/kernel.h"
#include "sim/image/layout.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The return form is what the captures' README says. The GS base is the first element of
 * __per_cpu_offset as objdump -s shows it, the offset what objdump -d shows in
 * call_depth_return_thunk: shl QWORD PTR gs:[rip+0x7e368eb3], 5, which is 0x35010.
 */
static const struct {
	const char *name;
	uint64_t gs_base;
	const char *thunk;      /* NULL: plain ret */
	int64_t account_offset; /* 0: calls are not accounted */
} captures[] = {
	{ "linux-6.1-off", 0xffff88801f400000, NULL, 0 },
	{ "linux-6.12-off", 0xffff88801f400000, NULL, 0 },
	{ "linux-6.12-srso", 0xffff88801f400000, "srso_alias_return_thunk", 0 },
	{ "linux-6.12-calldepth", 0xffff88801f400000, "call_depth_return_thunk", 0x35010 },
	{ "linux-6.12-pti", 0xffff88801f400000, NULL, 0 },
	{ "linux-7.2-off", 0xffff88809b65b000, NULL, 0 },
};

#define CAPTURES  (sizeof(captures) / sizeof(*captures))
#define FUNCTIONS 6 /* rows of the README's second table */

static struct rsb_error error;

/* The capture that a layout's name begins with, and the function that it ends in. */
static size_t split_name(const char *name, const char **function)
{
	for (size_t i = 0; i < CAPTURES; i++) {
		size_t length = strlen(captures[i].name);

		if (strncmp(name, captures[i].name, length) == 0 && name[length] == '-') {
			*function = name + length + 1;
			return i;
		}
	}
	ck_abort_msg("%s: no such capture is known here", name);
}

static void check_form(const struct rsb_image *image, size_t capture, uint64_t function)
{
	const char *thunk = captures[capture].thunk;
	uint64_t address = 0;
	struct rsb_forms forms;

	ck_assert_msg(rsb_kernel_forms(image, function, &forms, &error), "%s", error.text);
	ck_assert_int_eq(forms.return_thunk, thunk ? RSB_THUNK_EXTERNAL : RSB_THUNK_NONE);
	ck_assert_int_eq(forms.account, captures[capture].account_offset != 0);
	ck_assert_int_eq(forms.account_offset, captures[capture].account_offset);
	if (!thunk)
		return;
	ck_assert_msg(rsb_image_find(image, thunk, &address, &error), "%s", error.text);
	ck_assert_uint_eq(forms.thunk, address);
	ck_assert_int_eq(rsb_image_mitigation(image, address), RSB_MITIGATION_RETURN);
	/* No thunk is longer than a page; the symbol behind it may not have been captured. */
	ck_assert_int_eq(rsb_image_mitigation(image, address - RSB_PAGE), RSB_MITIGATION_NONE);
	ck_assert_int_eq(rsb_image_mitigation(image, address + RSB_PAGE), RSB_MITIGATION_NONE);
}

static void check_layout(const char *path)
{
	struct rsb_layout *layout = rsb_layout_load(path, &error);
	struct rsb_image *image;
	struct rsb_scenario scenario;
	uint64_t address = 0, start, end;
	const char *function;
	size_t capture;

	ck_assert_msg(layout != NULL, "%s", error.text);
	ck_assert(rsb_layout_scenario(layout, &scenario));
	image = rsb_layout_image(layout, &scenario, &error);
	ck_assert_msg(image != NULL, "%s", error.text);
	capture = split_name(rsb_layout_name(layout), &function);
	ck_assert_msg(rsb_image_find(image, function, &address, &error), "%s", error.text);
	ck_assert_str_eq(rsb_image_symbol_at(image, address + 1, &start, &end), function);
	ck_assert_uint_eq(rsb_image_gs_base(image), captures[capture].gs_base);
	check_form(image, capture, address);
	ck_assert_msg(rsb_image_find(image, "rsb_round", &address, &error), "%s", error.text);
	rsb_image_free(image);
	rsb_layout_free(layout);
}

/* Each layout that make-layouts.sh writes makes an image with the kernel's own base and form. */
START_TEST(makes_every_image)
{
	char script[512], command[1024], path[512];
	FILE *paths;
	size_t count = 0;

	if (!unit_shared_path(path, sizeof(path), "captures"))
		return;
	unit_source_path(script, sizeof(script), "tests/captures/make-layouts.sh");
	snprintf(command, sizeof(command), "sh '%s' captures-layouts", script);
	paths = popen(command, "r");
	ck_assert_ptr_nonnull(paths);
	while (fgets(path, sizeof(path), paths)) {
		path[strcspn(path, "\n")] = '\0';
		check_layout(path);
		remove(path);
		count++;
	}
	ck_assert_int_eq(pclose(paths), 0);
	ck_assert_uint_eq(count, CAPTURES * FUNCTIONS);
	remove("captures-layouts");
}
END_TEST

UNIT_MAIN("captures", makes_every_image)
