/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands the operands of a command to layouts. */
#include "sim/cli/inputs.h"

#include "sim/cli/names.h"
#include "sim/image/capture.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Takes the texts over. */
static bool add(struct cli_inputs *inputs, char *name, char *function, struct rsb_error *error)
{
	struct cli_input *more = NULL;

	if (name)
		more = realloc(inputs->all, (inputs->count + 1) * sizeof(*more));
	if (!more) {
		free(name);
		free(function);
		return rsb_error_set(error, "out of memory");
	}
	inputs->all = more;
	more[inputs->count++] = (struct cli_input){ name, function };
	return true;
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

static bool ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), length = strlen(end);

	return size >= length && !strcmp(text + size - length, end);
}

static int is_layout(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && ends_with(entry->d_name, ".json");
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
		snprintf(path, size, "%s%s%s", folder, ends_with(folder, "/") ? "" : "/", file);
	return path;
}

static bool add_folder(struct cli_inputs *inputs, const char *folder, struct rsb_error *error)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_layout, compare);
	bool good = true;

	if (count < 0)
		return rsb_error_set(error, "%s: %s", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		good = good && add(inputs, join(folder, entries[i]->d_name), NULL, error);
		free(entries[i]);
	}
	free(entries);
	return good && (count || rsb_error_set(error, "%s: expected layout files, *.json", folder));
}

static bool add_core(struct cli_inputs *inputs, const char *core, struct rsb_error *error)
{
	size_t count;
	char **functions = rsb_capture_traced(core, &count, error);
	bool good = functions != NULL;

	for (size_t i = 0; good && i < count; i++) {
		good = add(inputs, strdup(core), functions[i], error);
		functions[i] = NULL;
	}
	rsb_capture_traced_free(functions, count);
	return good;
}

bool cli_inputs_add(struct cli_inputs *inputs, const char *word, struct rsb_error *error)
{
	struct stat status;

	if (strchr(word, '/') && !stat(word, &status) && S_ISDIR(status.st_mode))
		return add_folder(inputs, word, error);
	if (ends_with(word, ".core"))
		return add_core(inputs, word, error);
	return add_names(inputs, word, error);
}

void cli_inputs_clear(struct cli_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		free(inputs->all[i].name);
		free(inputs->all[i].function);
	}
	free(inputs->all);
	*inputs = (struct cli_inputs){ NULL, 0 };
}

struct rsb_layout *cli_input_load(const struct cli_input *input, struct rsb_error *error)
{
	if (input->function)
		return rsb_capture_layout(input->name, input->function, error);
	return rsb_layout_load(input->name, error);
}
