/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The importers. */
#include "traces/import/importers.h"

#include "traces/util/suggest.h"

#include <string.h>

/* To add one: its declaration in importers.h and its row here, sorted. */
static const struct rsb_importer *const importers[] = {
	&rsb_import_cbp,
	&rsb_import_champsim,
	&rsb_import_champsim_cloudsuite,
	&rsb_import_cvp,
	&rsb_import_drmemtrace,
	&rsb_import_perf,
	&rsb_import_text,
	NULL,
};

const struct rsb_importer *const *rsb_importers(void)
{
	return importers;
}

const struct rsb_importer *rsb_importer_find(const char *name, struct rsb_error *error)
{
	const char *known[sizeof(importers) / sizeof(*importers)] = { NULL };

	for (size_t i = 0; importers[i]; i++) {
		if (!strcmp(importers[i]->name, name))
			return importers[i];
		known[i] = importers[i]->name;
	}
	return rsb_unknown(error, "format", name, known);
}
