/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Importers turn traces that others recorded into ours. To add one: one C file here that defines a
 * struct rsb_importer, and one row in traces/import/importers.c.
 *
 * An importer reads import->input to its end and writes what it finds to import->writer, with sites
 * interned in import->sites. It infers only what is certain; what it cannot tell it counts and says
 * in a note at the end:
 *
 *	rsb_trace_write_about(import->writer, "note",
 *			      "%llu of %llu branches could not be classified", ...);
 */
#ifndef RSB_TRACES_IMPORT_IMPORTER_H
#define RSB_TRACES_IMPORT_IMPORTER_H

#include "traces/file.h"

struct rsb_import {
	struct rsb_input *input;
	struct rsb_sites *sites;
	struct rsb_trace_writer *writer;

	/*
	 * Code bytes of the program that was traced: writes up to size of them from address on and
	 * returns how many are known. NULL: none are known.
	 */
	size_t (*code)(void *context, uint64_t address, uint8_t *bytes, size_t size);
	void *code_context;
};

struct rsb_importer {
	const char *name;    /* "perf" */
	const char *summary; /* one sentence */
	const char *arch;    /* of what it reads; "" where that differs or is not known; NULL where
				the input says so itself, and where it is from */

	/* False: error names the input, the place (byte and record, or line) and what was expected.
	 */
	bool (*run)(const struct rsb_import *import, struct rsb_error *error);
};

/* All importers, sorted by name, ended by NULL. */
const struct rsb_importer *const *rsb_importers(void);

/* By name. NULL: error lists the nearest. */
const struct rsb_importer *rsb_importer_find(const char *name, struct rsb_error *error);

#endif
