/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole programs: the code before one, which enters it as the system would, or calls the function
 * that a file without an entry of its own is to be entered by.
 */
#include "sim/generate/x86.h"
#include "sim/image/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define START "_start" /* the name that linkers look for */

#define CODE_SIZE     256
#define HEAP_SIZE     (UINT64_C(256) << 20)
#define MAPPINGS_SIZE (UINT64_C(1) << 30)
#define HEAP_NEAR     UINT64_C(0x600000000000)
#define MAPPINGS_NEAR UINT64_C(0x680000000000)

#define SYS_EXIT_GROUP 231

/* exit_group(what is in eax), as whoever called main() would do in the end. */
static void emit_exit(struct rsb_code *code)
{
	static const uint8_t exit[] = {
		0x89, 0xc7,                             /* mov edi, eax */
		0xb8, SYS_EXIT_GROUP, 0x00, 0x00, 0x00, /* mov eax, 231 */
		0x0f, 0x05,                             /* syscall */
	};

	rsb_code_bytes(code, exit, sizeof(exit));
	rsb_x86_ud2(code);
}

/* function(argc, argv, envp): the stack is as a process starts with it. */
static void emit_call(struct rsb_code *code, rsb_label function)
{
	static const uint8_t lea_rdx[] = { 0x48, 0x8d, 0x54, 0xfe, 0x08 }; /* [rsi+rdi*8+8] */

	rsb_x86_load(code, RSB_RDI, RSB_RSP, 0);
	rsb_x86_lea(code, RSB_RSI, RSB_RSP, 8);
	rsb_code_bytes(code, lea_rdx, sizeof(lea_rdx));
	rsb_x86_call_bare(code, function);
	emit_exit(code);
}

/* Emits rsb_round: to where the program starts, or a call of its entry. */
static bool emit_round(const struct rsb_program *program, struct rsb_image *image,
		       struct rsb_error *error)
{
	uint64_t near = program->start.entry ? program->start.entry : program->entry;
	uint64_t base = rsb_image_gap(image, near, CODE_SIZE);
	struct rsb_code *code = base ? rsb_code_new(base) : NULL;
	bool good;

	if (!base)
		return rsb_error_set(error, "there is no room for code near 0x%" PRIx64, near);
	if (!code)
		return rsb_error_set(error, "out of memory");
	rsb_code_function(code, "rsb_round");
	if (program->start.entry)
		rsb_x86_jmp(code, rsb_code_external(code, program->start.entry));
	else
		emit_call(code, rsb_code_external(code, program->entry));
	good = rsb_code_finish(code, image, error);
	rsb_code_free(code);
	return good;
}

/* Room that the program may ask the system for. Nothing is there until it does. */
static bool find_room(struct rsb_program *program, const struct rsb_image *image,
		      struct rsb_error *error)
{
	program->heap = rsb_image_gap(image, HEAP_NEAR, HEAP_SIZE);
	program->heap_end = program->heap + HEAP_SIZE;
	program->mappings = rsb_image_gap(image, MAPPINGS_NEAR, MAPPINGS_SIZE);
	program->mappings_end = program->mappings + MAPPINGS_SIZE;
	return (program->heap && program->mappings) ||
	       rsb_error_set(error, "there is no room for a program's memory");
}

static bool is_symbol(const cJSON *item, const char *name)
{
	return cJSON_IsString(item) && !strcmp(item->valuestring, name);
}

/*
 * Where the program starts: where its file says, or at _start. A file that was stripped has no
 * symbol _start, but says where it is.
 */
static bool find_entry(const struct rsb_layout *layout, const struct rsb_image *image,
		       struct rsb_program *program, struct rsb_error *error)
{
	struct rsb_error ignored;
	uint64_t symbol;

	program->start = *rsb_image_start(image);
	if (program->start.dynamic && is_symbol(layout->entry, START))
		return rsb_json_error(
			layout->json, layout->entry, error,
			"\"entry\": the program is linked dynamically, and the loader and "
			"the libraries that start it are not in its file: link it with "
			"-static, or enter it by a function");
	if (!program->start.entry && !program->start.dynamic &&
	    rsb_image_find(image, START, &symbol, &ignored))
		program->start.entry = symbol;
	if (program->start.entry && is_symbol(layout->entry, START) &&
	    !rsb_image_find(image, START, &symbol, &ignored))
		program->entry = program->start.entry;
	else if (!rsb_layout_address(layout, layout->entry, image, &program->entry, error))
		return false;
	return rsb_layout_check_present(layout, layout->entry, image, program->entry, error);
}

static bool find_traced(const struct rsb_layout *layout, const struct rsb_image *image,
			struct rsb_program *program, struct rsb_error *error)
{
	program->traced = program->entry;
	program->whole = !layout->traced;
	return program->whole ||
	       (rsb_layout_address(layout, layout->traced, image, &program->traced, error) &&
		rsb_layout_check_present(layout, layout->traced, image, program->traced, error));
}

bool rsb_layout_program(const struct rsb_layout *layout, struct rsb_image *image,
			struct rsb_error *error)
{
	struct rsb_program program = { .name = "program" };
	struct rsb_error why;

	if (!find_entry(layout, image, &program, error) ||
	    !find_traced(layout, image, &program, error))
		return false;
	if (!emit_round(&program, image, &why) || !find_room(&program, image, &why))
		return rsb_json_error(layout->json, layout->entry, error, "\"entry\": %s",
				      why.text);
	rsb_image_set_program(image, &program);
	return true;
}
