/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generated trampolines against those that kernels had in memory, mnemonic by mnemonic. The traced
 * functions of the captures have one argument, the generated one has two: what saves and loads the
 * second is left out. So are nops: an alignment depends on what is before it, and a kernel of 7.2
 * has one more behind the entry.
 */
#include "sim/image/layout.h"
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#define SITE 4 /* the captures' functions begin with endbr64, or with what it was changed to */

static struct rsb_error error;

/* The image of a capture; NULL: it is not there. */
static struct rsb_image *load(const char *capture, const char *function)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	char core[4096], symbols[4096], name[256], text[16384];
	struct rsb_layout *layout;
	struct rsb_image *image;

	snprintf(name, sizeof(name), "captures/%s.core", capture);
	if (!unit_shared_path(core, sizeof(core), name))
		return NULL;
	snprintf(name, sizeof(name), "captures/%s.kallsyms", capture);
	ck_assert(unit_shared_path(symbols, sizeof(symbols), name));
	snprintf(text, sizeof(text),
		 "{ \"name\": \"capture\", \"arch\": \"x86_64\", \"call\": \"%s\",\n"
		 "  \"core\": { \"file\": \"%s\", \"symbols\": \"%s\" } }",
		 function, core, symbols);
	layout = rsb_layout_parse("capture", text, strlen(text), ".", &error);
	ck_assert_msg(layout, "%s", error.text);
	image = rsb_layout_image(layout, &scenario, &error);
	ck_assert_msg(image, "%s", error.text);
	rsb_layout_free(layout);
	return image;
}

/* Where the call or jmp at the function's site goes. */
static uint64_t trampoline_of(const struct rsb_image *image, const char *function)
{
	uint64_t address;
	uint8_t site[5];
	int32_t displacement;

	ck_assert_msg(rsb_image_find(image, function, &address, &error), "%s", error.text);
	ck_assert(rsb_image_read(image, address + SITE, site, sizeof(site), &error));
	memcpy(&displacement, site + 1, sizeof(displacement));
	return address + SITE + sizeof(site) + (uint64_t)displacement;
}

/* Keeps the first word of each line, without nops, int3 and what is about the second argument. */
static void keep_mnemonics(char *listing)
{
	char *out = listing;

	for (char *line = strtok(listing, "\n"); line; line = strtok(NULL, "\n")) {
		size_t length = strcspn(line, " ");

		if (!strncmp(line, "nop", length) || !strncmp(line, "int3", length) ||
		    (strstr(line, "rsi") && strstr(line, "ptr")))
			continue;
		memmove(out, line, length);
		out[length] = '\n';
		out += length + 1;
	}
	*out = '\0';
}

/* Zeros follow a trampoline: no operand has as many. */
static uint64_t end_of(const struct rsb_image *image, uint64_t address)
{
	static const uint8_t zeros[8];
	uint8_t bytes[sizeof(zeros)];

	while (rsb_image_read(image, address, bytes, sizeof(bytes), &error) &&
	       memcmp(bytes, zeros, sizeof(zeros)) != 0)
		address++;
	return address;
}

/* The generated trampoline has the mnemonics of the captured one, and so its number of them. */
static void compare(const char *capture, const char *function, const char *set)
{
	struct rsb_image *captured = load(capture, function), *generated;
	char want[8192], got[8192];
	uint64_t start;

	if (!captured)
		return;
	generated = listing_family("bpf-trampoline", set, &RSB_SCENARIO_UNWIND, &error);
	ck_assert_msg(generated, "%s", error.text);
	listing_write_symbol(generated, "trampoline", got, sizeof(got));
	keep_mnemonics(got);

	start = trampoline_of(captured, function);
	listing_write(captured, start, end_of(captured, start), want, sizeof(want));
	keep_mnemonics(want);
	ck_assert_str_eq(got, want);
	rsb_image_free(generated);
	rsb_image_free(captured);
}

/* Linux 6.12 without mitigations. */
START_TEST(plain_returns)
{
	compare("linux-6.12-off", "__x64_sys_getpgid", "fentry=1");
	compare("linux-6.12-off", "__x64_sys_getsid", "fexit=1 exit=skip-frame");
	compare("linux-6.12-off", "__x64_sys_getpriority", "fentry=1 fexit=1 exit=skip-frame");
	compare("linux-6.12-off", "__x64_sys_sched_getscheduler", "fexit=2 exit=skip-frame");
	compare("linux-6.12-off", "security_task_getpgid", "fmod_ret=1 fexit=1 exit=skip-frame");
}
END_TEST

/* Linux 7.2, whose trampolines are entered by jmp. */
START_TEST(entered_by_jmp)
{
	compare("linux-7.2-off", "__x64_sys_getpgid", "fentry=1");
	compare("linux-7.2-off", "__x64_sys_getsid", "fexit=1 attach=jmp");
	compare("linux-7.2-off", "__x64_sys_getpriority", "fentry=1 fexit=1 attach=jmp");
}
END_TEST

/* Linux 6.12 that returns by a thunk, or counts its calls. */
START_TEST(return_thunks)
{
	compare("linux-6.12-srso", "__x64_sys_getsid",
		"fexit=1 exit=skip-frame return_thunk=srso-alias");
	compare("linux-6.12-calldepth", "__x64_sys_getpgid", "fentry=1 return_thunk=call-depth");
	compare("linux-6.12-calldepth", "__x64_sys_getsid",
		"fexit=1 exit=skip-frame return_thunk=call-depth");
}
END_TEST

UNIT_MAIN("captured trampolines", plain_returns, entered_by_jmp, return_thunks)
