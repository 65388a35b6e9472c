/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words for what is done to the return stack. */
#include "sim/image/incident.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILL_MAX 4096

void rsb_act_describe(const struct rsb_site *site, char *out, size_t size)
{
	static const char *const names[] = {
		[RSB_ENVIRONMENT_CLEAR] = "clear",
		[RSB_ENVIRONMENT_FILL] = "fill",
		[RSB_ENVIRONMENT_IBPB] = "ibpb",
		[RSB_ENVIRONMENT_SWITCH] = "switch",
		[RSB_ENVIRONMENT_CR3] = "cr3 write",
		[RSB_ENVIRONMENT_CR3_FLUSH] = "cr3 write, flush",
	};

	if (site->kind != RSB_ENVIRONMENT || site->detail >= sizeof(names) / sizeof(*names))
		*out = '\0';
	else if (site->detail == RSB_ENVIRONMENT_FILL)
		snprintf(out, size, "fill %" PRIu32, site->count);
	else
		snprintf(out, size, "%s", names[site->detail]);
}

static bool parse_fill(const char *text, struct rsb_act *act)
{
	char *end;
	unsigned long count;

	if (*text < '0' || *text > '9')
		return false;
	count = strtoul(text, &end, 10);
	*act = (struct rsb_act){ true, RSB_ENVIRONMENT_FILL, (uint32_t)count };
	return !*end && count >= 1 && count <= FILL_MAX;
}

bool rsb_act_parse(const char *text, struct rsb_act *act, struct rsb_error *error)
{
	static const struct {
		const char *word;
		struct rsb_act act;
	} words[] = {
		{ "nothing", { false, RSB_ENVIRONMENT_CLEAR, 0 } },
		{ "clear", { true, RSB_ENVIRONMENT_CLEAR, 0 } },
		{ "ibpb", { true, RSB_ENVIRONMENT_IBPB, 0 } },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i].word, text) == 0) {
			*act = words[i].act;
			return true;
		}
	if (strncmp(text, "fill ", 5) == 0 && parse_fill(text + 5, act))
		return true;
	return rsb_error_set(
		error,
		"expected \"nothing\", \"clear\", \"ibpb\" or \"fill N\" with N from 1 "
		"to %d, found \"%s\"",
		FILL_MAX, text);
}
