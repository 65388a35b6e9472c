/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the options of a command line by their rows. */
#include "sim/cli/options.h"

#include "sim/cli/help.h"
#include "sim/cli/message.h"
#include "sim/cli/output.h"
#include "traces/util/grow.h"
#include "traces/util/suggest.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 64

/* What getopt_long() returns for a row without a letter. */
#define BASE 256

bool cli_take_switch(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error)
{
	(void)option;
	(void)text;
	(void)error;
	*(bool *)field = true;
	return true;
}

bool cli_take_text(const struct cli_option *option, void *field, const char *text,
		   struct rsb_error *error)
{
	(void)option;
	(void)error;
	*(const char **)field = text;
	return true;
}

bool cli_take_file(const struct cli_option *option, void *field, const char *text,
		   struct rsb_error *error)
{
	(void)option;
	(void)error;
	cli_output_spare_file(text);
	*(const char **)field = text;
	return true;
}

bool cli_take_output(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error)
{
	(void)option;
	*(const char **)field = text;
	return cli_output_want(field, text, error);
}

bool cli_take_words(const struct cli_option *option, void *field, const char *text,
		    struct rsb_error *error)
{
	struct cli_words *words = field;

	(void)option;
	if (!RSB_GROW(words->words, words->count))
		return rsb_error_set(error, "out of memory");
	words->words[words->count++] = text;
	return true;
}

void cli_words_clear(struct cli_words *words)
{
	free(words->words);
	*words = (struct cli_words){ NULL, 0 };
}

bool cli_take_number(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error)
{
	struct cli_number *number = field;
	char *end;

	/* strtoull() would take a sign and blanks. */
	errno = 0;
	number->value = strtoull(text, &end, 10);
	number->given = true;
	if (*text >= '0' && *text <= '9' && !*end && !errno && number->value >= option->minimum &&
	    number->value <= option->maximum)
		return true;
	return rsb_error_set(error, "expected a number from %" PRIu64 " to %" PRIu64 ", got '%s'",
			     option->minimum, option->maximum, text);
}

bool cli_take_decimal(const struct cli_option *option, void *field, const char *text,
		      struct rsb_error *error)
{
	struct cli_decimal *number = field;
	char *end;

	/* strtod() would take words, hexadecimals and exponents. */
	number->value = strtod(text, &end);
	number->given = true;
	if (*text && !text[strspn(text, "0123456789.")] && !*end &&
	    number->value > (double)option->minimum && number->value <= (double)option->maximum)
		return true;
	return rsb_error_set(error,
			     "expected a number above %" PRIu64 " and up to %" PRIu64
			     ", such as 5.7, got '%s'",
			     option->minimum, option->maximum, text);
}

/* "a|b|c" as "a, b or c". */
static void write_choices(char *out, size_t size, const char *choices)
{
	const char *last = strrchr(choices, '|');
	size_t used = 0;

	for (const char *c = choices; *c && used + sizeof(" or ") < size; c++) {
		const char *separator = c == last ? " or " : ", ";

		if (*c == '|')
			used += (size_t)snprintf(out + used, size - used, "%s", separator);
		else
			out[used++] = *c;
	}
	out[used] = '\0';
}

bool cli_take_choice(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error)
{
	size_t size = strlen(text);
	char choices[256];

	for (const char *choice = option->choices; choice;) {
		const char *end = strchr(choice, '|');
		size_t length = end ? (size_t)(end - choice) : strlen(choice);

		if (length == size && !strncmp(choice, text, size)) {
			*(const char **)field = text;
			return true;
		}
		choice = end ? end + 1 : NULL;
	}
	write_choices(choices, sizeof(choices), option->choices);
	return rsb_error_set(error, "expected %s, got '%s'", choices, text);
}

/* The rows as getopt_long() wants them. */
struct table {
	struct option longs[OPTIONS_MAX + 3];
	char letters[2 * OPTIONS_MAX + 3];
};

enum { HELP = 'h', VERSION = BASE - 1 };

static void make_table(struct table *table, const struct cli_option *rows)
{
	char *letter = table->letters;
	size_t count = 0;

	*letter++ = ':';
	*letter++ = HELP;
	for (; rows && rows[count].name && count < OPTIONS_MAX; count++) {
		const struct cli_option *row = &rows[count];

		table->longs[count] =
			(struct option){ row->name, row->argument ? required_argument : no_argument,
					 NULL, BASE + (int)count };
		if (!row->letter)
			continue;
		*letter++ = row->letter;
		if (row->argument)
			*letter++ = ':';
	}
	*letter = '\0';
	table->longs[count++] = (struct option){ "help", no_argument, NULL, HELP };
	table->longs[count++] = (struct option){ "version", no_argument, NULL, VERSION };
	table->longs[count] = (struct option){ NULL, 0, NULL, 0 };
}

static const struct cli_option *find_row(const struct cli_option *rows, int code)
{
	if (code >= BASE)
		return &rows[code - BASE];
	for (; rows->name; rows++)
		if (rows->letter == code)
			return rows;
	return NULL;
}

/* How the user wrote the option, without its argument. */
static const char *written(char *out, size_t size, char **argv)
{
	const char *text = argv[optind - 1];

	if (!strncmp(text, "--", 2))
		snprintf(out, size, "%.*s", (int)strcspn(text, "="), text);
	else
		snprintf(out, size, "-%c", optopt);
	return out;
}

/* getopt_long() takes the start of a name too, if it is the start of one only. */
static size_t count_starts(const struct table *table, const char *name)
{
	size_t count = 0;

	for (const struct option *o = table->longs; o->name; o++)
		count += !strncmp(o->name, name, strlen(name));
	return count;
}

/* Says what is wrong with --name. */
static void refuse_long(const struct cli_command *command, const struct table *table,
			const char *option, bool is_known)
{
	const char *known[OPTIONS_MAX + 3] = { NULL };
	char nearest[256];

	if (is_known) {
		cli_trouble(command, "%s: takes no argument", option);
		return;
	}
	if (count_starts(table, option + 2) > 1) {
		cli_trouble(command, "%s: more than one option starts like that", option);
		return;
	}
	for (size_t i = 0; table->longs[i].name; i++)
		known[i] = table->longs[i].name;
	rsb_suggest(option + 2, known, nearest, sizeof(nearest));
	if (*nearest)
		cli_trouble(command, "%s: unknown option; the nearest is --%s", option, nearest);
	else
		cli_trouble(command, "%s: unknown option; see --help", option);
}

static enum cli_parsed refuse(const struct cli_command *command, const struct table *table,
			      char **argv)
{
	char option[128];

	written(option, sizeof(option), argv);
	/* Of a long option, getopt_long() sets optopt only if it knows it. */
	if (!strncmp(option, "--", 2))
		refuse_long(command, table, option, optopt != 0);
	else
		cli_trouble(command, "%s: unknown option; see --help", option);
	return CLI_REFUSED;
}

static enum cli_parsed take(const struct cli_command *command, const struct cli_option *option,
			    void *request)
{
	struct rsb_error error;

	if (option->take(option, (char *)request + option->field, optarg, &error))
		return CLI_PARSED;
	cli_trouble(command, "--%s: %s", option->name, error.text);
	return CLI_REFUSED;
}

/* One option, as getopt_long() gave it. */
static enum cli_parsed handle(const struct cli_command *command, void *request,
			      const struct table *table, int code, char **argv)
{
	char option[128];

	switch (code) {
	case HELP:
		cli_help_command(command);
		return CLI_ANSWERED;
	case VERSION:
		cli_help_version();
		return CLI_ANSWERED;
	case ':':
		cli_trouble(command, "%s: an argument is missing",
			    written(option, sizeof(option), argv));
		return CLI_REFUSED;
	case '?':
		return refuse(command, table, argv);
	default:
		return take(command, find_row(command->options, code), request);
	}
}

enum cli_parsed cli_options_parse(const struct cli_command *command, void *request, int *argc,
				  char ***argv)
{
	enum cli_parsed parsed = CLI_PARSED;
	struct table table;
	int code;

	make_table(&table, command->options);
	opterr = 0;
	optind = 1;
	while (parsed == CLI_PARSED &&
	       (code = getopt_long(*argc, *argv, table.letters, table.longs, NULL)) != -1)
		parsed = handle(command, request, &table, code, *argv);
	*argc -= optind;
	*argv += optind;
	return parsed;
}
