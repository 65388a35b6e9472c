/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints help from the rows of commands and options, and the versions. */
#include "sim/cli/help.h"

#include "models/profile.h"
#include "sim/check/format.h"
#include "sim/cli/options.h"
#include "sim/image/layout.h"
#include "sim/report/explanation.h"
#include "sim/report/report.h"
#include "sim/report/sweep.h"
#include "sim/report/wrap.h"

#include <capstone/capstone.h>
#include <cjson/cJSON.h>
#include <string.h>
#include <unicorn/unicorn.h>

#define COLUMNS 80
#define INDENT  26 /* where the sentences of options begin */

void cli_help_program(FILE *out, const struct cli_command *const *commands)
{
	fputs("usage: rsbsim COMMAND [OPTION...] [ARGUMENT...]\n\n"
	      "Says which returns of trampoline code a processor would mispredict, and why.\n\n",
	      out);
	for (; *commands; commands++) {
		fprintf(out, "  %-9s", (*commands)->name);
		rsb_wrap_write(out, (*commands)->summary, 10, 10, COLUMNS);
	}
	fputs("\nrsbsim COMMAND --help explains a command; rsbsim --version tells the versions.\n"
	      "Exit status: 0; 1 for findings of check; 2 for usage, bad input or trouble.\n"
	      "The manual: man rsbsim, or man -l doc/rsbsim.1 in the sources.\n\n"
	      "example: rsbsim score 'bpf-*' --cpu intel-haswell,amd-zen4\n",
	      out);
}

static void print_option(char letter, const char *name, const char *argument, const char *sentence)
{
	char left[64];
	int size;

	size = snprintf(left, sizeof(left), "  %c%c%s --%s%s%s", letter ? '-' : ' ',
			letter ? letter : ' ', letter ? "," : " ", name, argument ? " " : "",
			argument ? argument : "");
	fputs(left, stdout);
	if (size > INDENT - 2)
		printf("\n%*s", INDENT, "");
	else
		printf("%*s", INDENT - size, "");
	rsb_wrap_write(stdout, sentence, INDENT, INDENT, COLUMNS);
}

/* "a, b or c"; a list that is too long ends early. */
static void list_names(char *out, size_t size, const char *(*name_of)(size_t index))
{
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; name_of(i) && used < size; i++) {
		const char *before = i ? name_of(i + 1) ? ", " : " or " : "";

		used += (size_t)snprintf(out + used, size - used, "%s%s", before, name_of(i));
	}
}

static void print_row(const struct cli_option *row)
{
	const char *place = row->name_of ? strstr(row->sentence, "{}") : NULL;
	char names[256], sentence[512];

	if (!place) {
		print_option(row->letter, row->name, row->argument, row->sentence);
		return;
	}
	list_names(names, sizeof(names), row->name_of);
	snprintf(sentence, sizeof(sentence), "%.*s%s%s", (int)(place - row->sentence),
		 row->sentence, names, place + strlen("{}"));
	print_option(row->letter, row->name, row->argument, sentence);
}

void cli_help_command(const struct cli_command *command)
{
	printf("usage: rsbsim %s [OPTION...]%s%s\n\n", command->name,
	       *command->arguments ? " " : "", command->arguments);
	rsb_wrap_write(stdout, command->summary, 0, 0, COLUMNS);
	rsb_wrap_write(stdout, command->help, 0, 0, COLUMNS);
	printf("\n");
	for (const struct cli_option *row = command->options; row && row->name; row++)
		print_row(row);
	print_option('h', "help", NULL, "show this");
	print_option(0, "version", NULL, "show the versions");
	printf("\nexample: %s\n", command->example);
}

static size_t count_names(const char *const *names)
{
	size_t count = 0;

	while (names[count])
		count++;
	return count;
}

static void print_models(void)
{
	const char *separator = "";

	printf("models: ");
	for (const struct rsb_model_type *const *type = rsb_model_types(); *type; type++) {
		printf("%s%s", separator, (*type)->name);
		separator = ", ";
	}
	printf("\n");
}

/* Rows of formats, of whatever type, have their name first and end with a row without one. */
static void print_formats(const char *command, const void *rows, size_t size)
{
	const char *const *name = rows;

	printf("formats of %s:", command);
	for (size_t i = 0; *name; i++) {
		printf("%s %s", i ? "," : "", *name);
		name = (const char *const *)((const char *)name + size);
	}
	printf("\n");
}

void cli_help_version(void)
{
	unsigned major, minor, extra = uc_version(&major, &minor) & 0xffff;
	int capstone_major, capstone_minor;

	cs_version(&capstone_major, &capstone_minor);
	printf("rsbsim %s\n", PACKAGE_VERSION);
	printf("Unicorn %u.%u.%u, Capstone %d.%d, cJSON %s\n", major, minor, extra >> 8,
	       capstone_major, capstone_minor, cJSON_Version());
	printf("architectures: x86_64\n");
	print_models();
	printf("CPUs: %zu built in; layouts: %zu built in\n", count_names(rsb_profile_names()),
	       count_names(rsb_layout_names()));
	print_formats("check", rsb_check_formats(), sizeof(struct rsb_check_format));
	print_formats("explain", rsb_explanation_formats(), sizeof(struct rsb_explanation_format));
	print_formats("score", rsb_report_formats(), sizeof(struct rsb_report_format));
	print_formats("sweep", rsb_sweep_formats(), sizeof(struct rsb_sweep_format));
}
