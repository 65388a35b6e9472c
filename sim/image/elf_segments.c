/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads executables and shared objects. */
#include "sim/image/elf_runs.h"
#include "sim/image/elf_symbols.h"

bool rsb_elf_load_segments(struct rsb_elf *file, struct rsb_error *error)
{
	struct rsb_elf_runs runs = { .all = NULL };
	bool good = rsb_elf_runs_read(&runs, file, error) &&
		    rsb_elf_symbols_enter(file, runs.bias, error) &&
		    rsb_elf_runs_relocate(&runs, file, error) &&
		    rsb_elf_runs_map(&runs, file, error);

	rsb_elf_runs_release(&runs);
	return good;
}
