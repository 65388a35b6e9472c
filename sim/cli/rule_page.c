/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the page of a rule. */
#include "sim/cli/rule_page.h"

#include "sim/check/rule.h"
#include "sim/cli/output.h"
#include "sim/cli/terminal.h"
#include "sim/report/style.h"
#include "sim/report/wrap.h"

#include <string.h>
#include <strings.h>

#define PREFIX "RSB"
#define INDENT 4

bool cli_rule_is_meant(const char *text)
{
	size_t digits = strspn(text + strnlen(text, strlen(PREFIX)), "0123456789");
	struct rsb_error error;

	if (rsb_rule_find(text, &error))
		return true;

	return !strncasecmp(text, PREFIX, strlen(PREFIX)) && digits &&
	       !text[strlen(PREFIX) + digits];
}

static void write_part(FILE *out, const char *heading, const char *text)
{
	bool colour = cli_terminal_colour();

	fprintf(out, "\n%s%s%s\n%*s", rsb_style_start(RSB_STYLE_BOLD, colour), heading,
		rsb_style_end(RSB_STYLE_BOLD, colour), INDENT, "");
	rsb_wrap_write(out, text, INDENT, INDENT, cli_terminal_columns());
}

static bool write_page(FILE *out, const void *from, struct rsb_error *error)
{
	const struct rsb_rule *rule = from;

	(void)error;
	fprintf(out, "%s %s: ", rule->id, rule->name);
	rsb_wrap_write(out, rule->sentence, strlen(rule->id) + strlen(rule->name) + 3, 0,
		       cli_terminal_columns());
	fprintf(out, "Its level is %s; --rule %s=LEVEL of rsbsim check changes it.\n",
		rsb_level_name(rule->level), rule->id);
	write_part(out, "What it means", rule->meaning);
	write_part(out, "An example", rule->example);
	write_part(out, "Where it comes from", rule->cause);
	write_part(out, "What to do", rule->cure);
	return true;
}

bool cli_rule_page(const char *rule, const char *path, struct rsb_error *error)
{
	const struct rsb_rule *found = rsb_rule_find(rule, error);

	return found && cli_output_write(path, write_page, found, error);
}
