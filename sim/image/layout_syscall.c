/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The callers of a system call: user code beside a kernel that it enters. */
#include "sim/generate/x86.h"
#include "sim/image/kernel.h"
#include "sim/image/source.h"

#include <string.h>

/* What a system call has its arguments in, and each may be given. */
static const unsigned arguments[] = { RSB_RDI, RSB_RSI, RSB_RDX, RSB_R10, RSB_R8, RSB_R9 };
#define ARGUMENTS (sizeof(arguments) / sizeof(*arguments))

static bool is_given(const struct rsb_layout *layout, unsigned number)
{
	for (unsigned i = 0; i < layout->register_count; i++)
		if (layout->registers[i].number == number)
			return true;
	return false;
}

/* Arguments that are not given are 0; rax is the number. */
static bool load_registers(const struct rsb_layout *layout, struct rsb_image *image,
			   struct rsb_callers *callers, struct rsb_error *error)
{
	if (is_given(layout, RSB_RAX))
		return rsb_error_set(error, "rax holds the number, and cannot be given");
	for (size_t i = 0; i < ARGUMENTS; i++)
		if (!is_given(layout, arguments[i]))
			callers->registers[callers->count++].number = arguments[i];
	callers->registers[callers->count].number = RSB_RAX;
	callers->registers[callers->count++].value = (uint64_t)layout->syscall_number;
	return rsb_layout_load_registers(layout, RSB_CODE_BASE, image, callers, error);
}

/* The word of the thunk that the kernel's functions return by: that of the first that is called. */
static void note_thunk(const struct rsb_layout *layout, struct rsb_image *image)
{
	const char *name;
	struct rsb_forms forms;
	struct rsb_error ignored;
	uint64_t address;
	size_t index = 0;

	while (rsb_image_symbol_next(image, &index, &name, &address)) {
		if (strcmp(name, "do_syscall_64") != 0)
			continue;
		if (layout->source->forms(image, address, &forms, &ignored))
			rsb_layout_note_thunk(image, &forms);
		break;
	}
}

static bool replaces_kernel(const struct rsb_layout *layout)
{
	for (size_t i = 0; i < layout->incident_count; i++)
		if (layout->incidents[i].incident.kind == RSB_INCIDENT_SYSCALL)
			return true;
	return false;
}

bool rsb_layout_syscall(const struct rsb_layout *layout, const struct rsb_scenario *scenario,
			struct rsb_image *image, struct rsb_error *error)
{
	const struct rsb_forms plain = { .return_thunk = RSB_THUNK_NONE };
	struct rsb_callers callers = { .scenario = scenario, .by = RSB_CALLERS_SYSCALL };
	struct rsb_system system = { 0 };
	struct rsb_error why;

	if (replaces_kernel(layout))
		return rsb_json_error(layout->json, layout->syscall, error,
				      "\"syscall\" runs a kernel; \"environment\" cannot say what "
				      "a \"syscall\" does");
	if (!layout->source->enter(layout, image, &system, &why) ||
	    !load_registers(layout, image, &callers, &why) ||
	    !rsb_layout_emit_callers(&callers, &plain, RSB_CODE_BASE, image, &why))
		return rsb_json_error(layout->json, layout->syscall, error, "\"syscall\": %s",
				      why.text);
	rsb_image_set_gs_base(image, 0);
	rsb_image_set_system(image, &system);
	note_thunk(layout, image);
	return true;
}
