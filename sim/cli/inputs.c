/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands the operands of a command to layouts. */
#include "sim/cli/inputs.h"

#include "sim/cli/names.h"
#include "sim/cli/other.h"
#include "sim/cli/stdin.h"
#include "sim/image/capture.h"
#include "traces/util/grow.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_there(const struct cli_inputs *inputs, const struct cli_input *input)
{
	for (size_t i = 0; i < inputs->count; i++)
		if (is_same(inputs->all[i].name, input->name) &&
		    is_same(inputs->all[i].function, input->function) &&
		    is_same(inputs->all[i].text, input->text))
			return true;
	return false;
}

static void drop(struct cli_input *input)
{
	free(input->name);
	free(input->function);
	cJSON_free(input->text);
}

/* Takes the texts over. */
static bool keep(struct cli_inputs *inputs, struct cli_input input, struct rsb_error *error)
{
	if (is_there(inputs, &input)) {
		drop(&input);
		return true;
	}
	if (!input.name || !RSB_GROW(inputs->all, inputs->count)) {
		drop(&input);
		return rsb_error_set(error, "out of memory");
	}
	inputs->all[inputs->count++] = input;
	return true;
}

static bool add(struct cli_inputs *inputs, char *name, char *function, struct rsb_error *error)
{
	return keep(inputs, (struct cli_input){ .name = name, .function = function }, error);
}

static bool add_names(struct cli_inputs *inputs, const char *word, struct rsb_error *error)
{
	struct cli_names names = { NULL, 0 };
	bool good = cli_names_add(&names, word, rsb_layout_names(), error);

	for (size_t i = 0; good && i < names.count; i++)
		good = add(inputs, strdup(names.names[i]), NULL, error);
	cli_names_clear(&names);
	return good;
}

static int is_seen(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int compare(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static char *join(const char *folder, const char *file)
{
	size_t size = strlen(folder) + strlen(file) + 2;
	char *path = malloc(size);

	if (path)
		snprintf(path, size, "%s%s%s", folder, cli_name_ends(folder, "/") ? "" : "/", file);
	return path;
}

static bool is_folder(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISDIR(status.st_mode);
}

/*
 * Its layout files, and those of folders in it; *found of them are counted. Links to folders are
 * not followed: they may lead in a circle.
 */
static bool add_files(struct cli_inputs *inputs, const char *folder, size_t *found,
		      struct rsb_error *error)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_seen, compare);
	bool good = true;

	if (count < 0)
		return rsb_error_set(error, "%s: %s", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		char *path = join(folder, entries[i]->d_name);

		free(entries[i]);
		if (good && path && is_folder(path)) {
			good = add_files(inputs, path, found, error);
			free(path);
		} else if (good && (!path || cli_name_ends(path, ".json"))) {
			good = add(inputs, path, NULL, error);
			++*found;
		} else {
			free(path);
		}
	}
	free(entries);
	return good;
}

static bool add_folder(struct cli_inputs *inputs, const char *folder, struct rsb_error *error)
{
	size_t found = 0;

	return add_files(inputs, folder, &found, error) &&
	       (found || rsb_error_set(error, "%s: expected layout files, *.json", folder));
}

static bool add_core(struct cli_inputs *inputs, const char *core, struct rsb_error *error)
{
	size_t count;
	char **functions = rsb_capture_functions(core, &count, error);
	bool good = functions != NULL;

	for (size_t i = 0; good && i < count; i++) {
		good = add(inputs, strdup(core), functions[i], error);
		functions[i] = NULL;
	}
	rsb_capture_functions_free(functions, count);
	return good;
}

bool cli_input_is_built_in(const char *name)
{
	const char *const *each = rsb_layout_names();

	while (*each && strcmp(*each, name) != 0)
		each++;
	return *each;
}

/* A name, or a path: what else a file may be is told. */
static bool may_be_layout(const char *word, struct rsb_error *error)
{
	return cli_input_is_built_in(word) || cli_other_check(word, error);
}

/* It can be read once. */
static bool add_stdin(struct cli_inputs *inputs, struct rsb_error *error)
{
	char *text;

	for (size_t i = 0; i < inputs->count; i++)
		if (inputs->all[i].piped)
			return rsb_error_set(error, "expected " CLI_STDIN " once");
	text = cli_stdin_read(error);
	return text && keep(inputs,
			    (struct cli_input){
				    .name = strdup(CLI_STDIN_NAME), .text = text, .piped = true },
			    error);
}

bool cli_inputs_add(struct cli_inputs *inputs, const char *word, struct rsb_error *error)
{
	struct stat status;

	if (!strcmp(word, CLI_STDIN))
		return add_stdin(inputs, error);
	if ((strchr(word, '/') || !cli_input_is_built_in(word)) && !stat(word, &status) &&
	    S_ISDIR(status.st_mode))
		return add_folder(inputs, word, error);
	if (rsb_capture_is(word))
		return add_core(inputs, word, error);
	return may_be_layout(word, error) && add_names(inputs, word, error);
}

static bool add_sources(struct cli_inputs *inputs, struct rsb_error *error)
{
	const struct cli_sources *sources = &inputs->sources;
	size_t count = cli_sources_count(sources);

	if (!cli_sources_check(sources, error))
		return false;
	for (size_t i = 0; i < count; i++) {
		char *text = cli_sources_write(sources, i, error);

		if (!text)
			return false;
		if (!keep(inputs,
			  (struct cli_input){ .name = strdup(cli_sources_name(sources, i)),
					      .text = text },
			  error))
			return false;
	}
	return true;
}

bool cli_inputs_take(struct cli_inputs *inputs, int argc, char **argv, struct rsb_error *error)
{
	for (int i = 0; i < argc; i++)
		if (!cli_inputs_add(inputs, argv[i], error))
			return false;
	return add_sources(inputs, error) &&
	       (inputs->count ||
		rsb_error_set(error, "expected a layout: a name (rsbsim list layouts), a pattern "
				     "over them, a file, a folder of files, a capture, or code by "
				     "--asm, --elf, --jitdump, --core or --bytes"));
}

bool cli_inputs_take_one(struct cli_inputs *inputs, int argc, char **argv, struct rsb_error *error)
{
	for (int i = 0; i < argc; i++)
		if (rsb_capture_is(argv[i]) ? !add_core(inputs, argv[i], error)
					    : !may_be_layout(argv[i], error) ||
						      !add(inputs, strdup(argv[i]), NULL, error))
			return false;
	if (!add_sources(inputs, error))
		return false;
	if (inputs->count > 1 && argc == 1 && inputs->all[1].function)
		return rsb_error_set(
			error,
			"%s has %zu functions: expected one of them, such as --core %s "
			"--symbols ... --call %s",
			argv[0], inputs->count, argv[0], inputs->all[0].function);
	if (inputs->count > 1)
		return rsb_error_set(error, "expected one layout, got '%s' too",
				     inputs->all[1].name);
	return inputs->count ||
	       rsb_error_set(error, "expected a layout: a name (rsbsim list layouts), a file, or "
				    "code by --asm, --elf, --jitdump, --core or --bytes");
}

void cli_inputs_clear(struct cli_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		drop(&inputs->all[i]);
	free(inputs->all);
	cli_sources_clear(&inputs->sources);
	*inputs = (struct cli_inputs){ .all = NULL };
}

/*
 * Messages about options name keys; there is no layout file and no line to name. A file of code
 * that cannot be read is named here: later it would stand behind the function's name.
 */
static struct rsb_layout *load_text(const struct cli_input *input, struct rsb_error *error)
{
	struct rsb_layout *layout =
		rsb_layout_parse("", input->text, strlen(input->text), ".", error);
	const char *file = layout ? rsb_layout_user_file(layout) : NULL;

	if (!file || !access(file, R_OK))
		return layout;
	if (!strcmp(file, CLI_STDIN))
		rsb_error_set(
			error,
			"-: expected a file: code is read more than once, which " CLI_STDIN_NAME
			" cannot be");
	else
		rsb_error_set(error, "%s: cannot be opened: %s", file, strerror(errno));
	rsb_layout_free(layout);
	return NULL;
}

struct rsb_layout *cli_input_load(const struct cli_input *input, struct rsb_error *error)
{
	if (input->piped)
		return rsb_layout_parse(CLI_STDIN_NAME, input->text, strlen(input->text), ".",
					error);
	if (input->text)
		return load_text(input, error);
	if (input->function)
		return rsb_capture_layout(input->name, input->function, error);
	return rsb_layout_load(input->name, error);
}
