/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The importers that there are, each in the file of its name. */
#ifndef RSB_TRACES_IMPORT_IMPORTERS_H
#define RSB_TRACES_IMPORT_IMPORTERS_H

#include "traces/import/importer.h"

extern const struct rsb_importer rsb_import_cbp;
extern const struct rsb_importer rsb_import_champsim;
extern const struct rsb_importer rsb_import_champsim_cloudsuite;
extern const struct rsb_importer rsb_import_cvp;
extern const struct rsb_importer rsb_import_drmemtrace;
extern const struct rsb_importer rsb_import_perf;
extern const struct rsb_importer rsb_import_text;

#endif
