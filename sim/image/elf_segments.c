/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads executables and shared objects. */
#include "sim/image/elf_runs.h"
#include "sim/image/elf_symbols.h"

/* A program that needs no loader relocates itself, its indirect functions too. */
static bool relocate(struct rsb_elf_runs *runs, struct rsb_elf *file, struct rsb_error *error)
{
	if (!file->options->program)
		return rsb_elf_runs_relocate(runs, file, error);
	if (!file->start.dynamic && file->header.e_entry)
		file->start.entry = file->header.e_entry + runs->bias;
	rsb_image_set_start(file->image, &file->start);
	return file->start.entry || rsb_elf_runs_relocate(runs, file, error);
}

bool rsb_elf_load_segments(struct rsb_elf *file, struct rsb_error *error)
{
	struct rsb_elf_runs runs = { .all = NULL };
	bool good = rsb_elf_runs_read(&runs, file, error) &&
		    rsb_elf_symbols_enter(file, runs.bias, error) && relocate(&runs, file, error) &&
		    rsb_elf_runs_map(&runs, file, error);

	rsb_elf_runs_release(&runs);
	return good;
}
