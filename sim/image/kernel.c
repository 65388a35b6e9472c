/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source "core": a Linux kernel's memory, with the symbols of /proc/kallsyms beside it. */
#include "sim/image/kernel.h"

#include "sim/image/core.h"
#include "sim/image/core_symbols.h"
#include "sim/image/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The functions that call in order to mispredict (arch/x86/lib/retpoline.S and, of the barrier,
 * arch/x86/entry/entry.S, Linux 6.12). A name that ends in an underscore stands for all that begin
 * so: one for each register.
 */
static const struct {
	const char *name;
	enum rsb_mitigation kind;
} mitigations[] = {
	{ "__x86_indirect_call_thunk_", RSB_MITIGATION_JUMP },
	{ "__x86_indirect_jump_thunk_", RSB_MITIGATION_JUMP },
	{ "__x86_indirect_thunk_", RSB_MITIGATION_JUMP },
	{ "call_depth_return_thunk", RSB_MITIGATION_RETURN },
	{ "srso_alias_return_thunk", RSB_MITIGATION_RETURN },
	{ "srso_alias_safe_ret", RSB_MITIGATION_RETURN },
	{ "srso_return_thunk", RSB_MITIGATION_RETURN },
	{ "srso_safe_ret", RSB_MITIGATION_RETURN },

	/* What fills the return stack behind a barrier; the latter name since 6.15. */
	{ "entry_ibpb", RSB_MITIGATION_FILL },
	{ "write_ibpb", RSB_MITIGATION_FILL },

	/* clang's retpolines, and gcc's for a target in memory. */
	{ "__llvm_retpoline_", RSB_MITIGATION_JUMP },
	{ "__x86_indirect_thunk", RSB_MITIGATION_JUMP },
};

/*
 * A kernel's only return, or go on to what does; gcc's (-mfunction-return=thunk) call in order to
 * mispredict.
 */
static const char *const return_thunks[] = { "__x86_return_thunk", "__x86_return_thunk_ecx" };

#define CALL 0xe8

static bool is_named(const char *symbol, const char *name)
{
	size_t length;

	if (symbol[0] != name[0])
		return false;
	length = strlen(name);
	return name[length - 1] == '_' ? strncmp(symbol, name, length) == 0
				       : strcmp(symbol, name) == 0;
}

static enum rsb_mitigation mitigation_of(const char *symbol)
{
	for (size_t i = 0; i < sizeof(mitigations) / sizeof(*mitigations); i++)
		if (is_named(symbol, mitigations[i].name))
			return mitigations[i].kind;
	return RSB_MITIGATION_NONE;
}

static bool is_return_thunk(const char *symbol)
{
	for (size_t i = 0; i < sizeof(return_thunks) / sizeof(*return_thunks); i++)
		if (strcmp(return_thunks[i], symbol) == 0)
			return true;
	return false;
}

static bool begins_with_call(const struct rsb_image *image, uint64_t address)
{
	struct rsb_error ignored;
	uint8_t byte;

	return rsb_image_read(image, address, &byte, 1, &ignored) && byte == CALL;
}

/* The symbol behind the last thunk may be missing; no thunk is longer than a page. */
static bool mitigate(struct rsb_image *image, uint64_t address, enum rsb_mitigation kind)
{
	uint64_t start, end;

	if (!rsb_image_symbol_at(image, address, &start, &end))
		return true;
	if (end - address > RSB_PAGE)
		end = address + RSB_PAGE;
	return rsb_image_mitigate(image, address, end, kind);
}

bool rsb_kernel_mitigate(struct rsb_image *image)
{
	const char *name;
	uint64_t address;
	size_t index = 0;

	while (rsb_image_symbol_next(image, &index, &name, &address)) {
		enum rsb_mitigation kind = mitigation_of(name);

		if (!kind && is_return_thunk(name) && begins_with_call(image, address))
			kind = RSB_MITIGATION_RETURN;
		if (kind && !mitigate(image, address, kind))
			return false;
	}
	return true;
}

/* Not rsb_image_find(): that spends its time on a message about an absent symbol. */
bool rsb_kernel_symbol(const struct rsb_image *image, const char *wanted, uint64_t *address)
{
	const char *name;
	size_t index = 0;

	while (rsb_image_symbol_next(image, &index, &name, address))
		if (strcmp(name, wanted) == 0)
			return true;
	return false;
}

bool rsb_kernel_find_gs_base(struct rsb_image *image, struct rsb_error *error)
{
	uint64_t address, base = 0;
	uint8_t bytes[8];

	if (!rsb_kernel_symbol(image, "__per_cpu_offset", &address))
		return true;
	if (!rsb_image_read(image, address, bytes, sizeof(bytes), error))
		return error->text[0]
			       ? false
			       : rsb_error_set(error,
					       "__per_cpu_offset (0x%" PRIx64
					       "), which holds the GS base, is not in the core; "
					       "give \"gs_base\"",
					       address);
	for (size_t i = sizeof(bytes); i-- > 0;)
		base = base << 8 | bytes[i];
	rsb_image_set_gs_base(image, base);
	return true;
}

static bool read_core(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error)
{
	const struct rsb_json *json = layout->json;

	if (!rsb_json_keys(json, object, "file|symbols", error) ||
	    !rsb_json_text(json, object, "file", &layout->core.file, error) ||
	    !rsb_json_text(json, object, "symbols", &layout->core.symbols, error))
		return false;
	return layout->core.file ||
	       rsb_json_error(json, object, error,
			      "\"core\": expected \"file\", the path of an ELF core");
}

static bool load_symbols(const struct rsb_layout *layout, struct rsb_image *image,
			 const struct rsb_core_notes *notes, struct rsb_error *error)
{
	char *path = rsb_layout_file(layout, layout->core.symbols);
	bool good = path ? rsb_core_symbols_load(image, notes, path, error)
			 : rsb_error_set(error, "out of memory");

	free(path);
	return good;
}

static bool load_core(const struct rsb_layout *layout, struct rsb_image *image,
		      struct rsb_error *error)
{
	char *path = rsb_layout_file(layout, layout->core.file);
	struct rsb_core_notes notes = { .bytes = NULL };
	bool good = path ? rsb_core_load_notes(image, path, &notes, error)
			 : rsb_error_set(error, "out of memory");

	good = good && (!layout->core.symbols || load_symbols(layout, image, &notes, error)) &&
	       ((rsb_core_process_apply(image, &notes) && rsb_kernel_mitigate(image)) ||
		rsb_error_set(error, "out of memory"));
	rsb_core_notes_clear(&notes);
	free(path);
	return good && (layout->has_gs_base || rsb_kernel_find_gs_base(image, error));
}

static struct rsb_image *make_core(const struct rsb_layout *layout,
				   const struct rsb_scenario *scenario, struct rsb_error *error)
{
	struct rsb_image *image = rsb_image_new();

	(void)scenario;
	if (!image)
		return rsb_error_null(error, "out of memory");
	if (layout->kept)
		rsb_image_keep(image, layout->kept);
	if (load_core(layout, image, error))
		return image;
	rsb_image_free(image);
	return NULL;
}

static bool enter_core(const struct rsb_layout *layout, struct rsb_image *image,
		       struct rsb_system *system, struct rsb_error *error)
{
	if (!layout->has_gs_base && !rsb_image_gs_base(image))
		return rsb_error_set(error, "the symbols lack __per_cpu_offset, which holds the "
					    "base of a processor's data; give \"gs_base\"");
	return rsb_kernel_system(image, system, error);
}

const struct rsb_source rsb_source_core = {
	.key = "core",
	.example = "{ \"file\": \"mine.core\", \"symbols\": \"mine.kallsyms\" }",
	.called = true,
	.read = read_core,
	.make = make_core,
	.enter = enter_core,
	.forms = rsb_kernel_forms,
};
