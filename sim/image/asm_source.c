/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source "asm": a file for the assembler, whose object file is loaded. */
#include "sim/image/assemble.h"
#include "sim/image/elf_source.h"
#include "sim/image/kernel.h"

#include <stdlib.h>
#include <string.h>

static bool read_asm(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error)
{
	const char *syntax = "att";

	if (!rsb_json_keys(layout->json, object, "file|syntax|base|define", error) ||
	    !rsb_elf_source_read(layout, object, error) ||
	    !rsb_json_text(layout->json, object, "syntax", &syntax, error))
		return false;
	layout->elf.syntax = syntax;
	return !strcmp(syntax, "att") || !strcmp(syntax, "intel") ||
	       rsb_json_error(layout->json, cJSON_GetObjectItemCaseSensitive(object, "syntax"),
			      error, "\"syntax\": expected \"att\" or \"intel\", found \"%s\"",
			      syntax);
}

static struct rsb_image *make_image(const struct rsb_layout *layout, const char *path,
				    struct rsb_error *error)
{
	struct rsb_assembled assembled;
	struct rsb_image *image;

	if (!rsb_assemble(path, !strcmp(layout->elf.syntax, "intel"), &assembled, error))
		return NULL;
	image = rsb_elf_source_make(layout, path, assembled.object.bytes, assembled.object.size,
				    error);
	rsb_file_clear(&assembled.object);
	if (!image || !assembled.warnings[0] || rsb_image_note(image, "%s", assembled.warnings))
		return image;
	rsb_image_free(image);
	return rsb_error_null(error, "out of memory");
}

static struct rsb_image *make_asm(const struct rsb_layout *layout,
				  const struct rsb_scenario *scenario, struct rsb_error *error)
{
	char *path = rsb_layout_file(layout, layout->elf.file);
	struct rsb_image *image;

	(void)scenario;
	if (!path)
		return rsb_error_null(error, "out of memory");
	image = make_image(layout, path, error);
	free(path);
	return image;
}

const struct rsb_source rsb_source_asm = {
	.key = "asm",
	.example = "{ \"file\": \"stub.S\" }",
	.called = true,
	.program = true,
	.read = read_asm,
	.make = make_asm,
	.forms = rsb_kernel_forms,
};
