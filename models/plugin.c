/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plug-ins: loading one, and refusing one that would not work. */
#include "models/plugin.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rsb_plugin {
	void *library;
};

/* Where the last byte that the loader maps stands in the file; 0: libelf cannot tell. */
static uint64_t find_end(int descriptor)
{
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL
						      : elf_begin(descriptor, ELF_C_READ, NULL);
	uint64_t end = 0;
	size_t count;
	GElf_Phdr header;

	if (elf_getphdrnum(elf, &count))
		count = 0;
	for (size_t i = 0; i < count && i < INT32_MAX && gelf_getphdr(elf, (int)i, &header); i++)
		if (header.p_type == PT_LOAD && header.p_offset + header.p_filesz > end)
			end = header.p_offset + header.p_filesz;
	elf_end(elf);
	return end;
}

/*
 * Is the file as long as it says? dlopen() maps it unseen, and the process dies at the missing
 * end.
 */
static bool check_size(const char *path, struct rsb_error *error)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	uint64_t end;

	if (descriptor < 0)
		return true; /* dlopen() says why */
	end = fstat(descriptor, &status) || !S_ISREG(status.st_mode) ? 0 : find_end(descriptor);
	close(descriptor);
	return !end || end <= (uint64_t)status.st_size ||
	       rsb_error_set(error, "%s: the file is cut short: %llu of %llu bytes are there", path,
			     (unsigned long long)status.st_size, (unsigned long long)end);
}

/* dlopen() would look elsewhere for a name without a slash. */
static void *load(const char *path)
{
	size_t size = strlen(path) + sizeof("./");
	char *local = malloc(size);
	void *library = NULL;

	if (local) {
		snprintf(local, size, "%s%s", strchr(path, '/') ? "" : "./", path);
		library = dlopen(local, RTLD_NOW | RTLD_LOCAL);
	}
	free(local);
	return library;
}

static bool check_functions(const struct rsb_model_type *type, struct rsb_error *error)
{
	const struct {
		const char *name;
		bool there;
	} needed[] = {
		{ "create", type->create },
		{ "destroy", type->destroy },
		{ "predict", type->predict },
		{ "update", type->update },
		{ "checkpoint", type->checkpoint },
		{ "restore", type->restore },
		{ "same", type->same },
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!needed[i].there)
			return rsb_error_set(error, "its function '%s' is NULL", needed[i].name);
	return true;
}

static bool check_parameters(const struct rsb_parameter *rows, struct rsb_error *error)
{
	if (!rows)
		return rsb_error_set(error, "its table of parameters is NULL");
	for (int i = 0; rows[i].name; i++) {
		if (i == RSB_PARAMETERS_MAX)
			return rsb_error_set(error, "it has more than %d parameters",
					     RSB_PARAMETERS_MAX);
		if (!rows[i].sentence)
			return rsb_error_set(error, "its parameter '%s' has no sentence",
					     rows[i].name);
		if (rows[i].value < rows[i].minimum || rows[i].value > rows[i].maximum)
			return rsb_error_set(error,
					     "the default of its parameter '%s' is out of range",
					     rows[i].name);
	}
	return true;
}

/* The version comes first: in another one the rest of the row may stand elsewhere. */
static bool check_type(const struct rsb_model_type *type, struct rsb_error *error)
{
	if (type->version < RSB_MODEL_VERSION_LEAST || type->version > RSB_MODEL_VERSION)
		return rsb_error_set(error,
				     "it is built against version %u of the model interface; this "
				     "program has version %d",
				     type->version, RSB_MODEL_VERSION);
	if (!type->name || !type->summary)
		return rsb_error_set(error, "its %s is NULL", type->name ? "summary" : "name");
	return check_functions(type, error) && check_parameters(type->parameters, error);
}

struct rsb_plugin *rsb_model_plugin_open(const char *path, const struct rsb_model_type **type,
					 struct rsb_error *error)
{
	struct rsb_plugin *plugin;

	if (!check_size(path, error))
		return NULL;
	plugin = malloc(sizeof(*plugin));
	if (!plugin)
		return rsb_error_null(error, "out of memory");
	plugin->library = load(path);
	if (!plugin->library) {
		rsb_error_set(error, "%s: not a plug-in that can be loaded: %s", path, dlerror());
		free(plugin);
		return NULL;
	}
	*type = dlsym(plugin->library, RSB_MODEL_PLUGIN_SYMBOL);
	if (*type ? check_type(*type, error)
		  : rsb_error_set(error, "it does not define " RSB_MODEL_PLUGIN_SYMBOL))
		return plugin;
	rsb_error_prefix(error, "%s", path);
	rsb_model_plugin_close(plugin);
	return NULL;
}

void rsb_model_plugin_close(struct rsb_plugin *plugin)
{
	if (!plugin)
		return;
	dlclose(plugin->library);
	free(plugin);
}
