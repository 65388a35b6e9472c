/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an importer finds, and how it gets into the trace. */
#ifndef RSB_TRACES_IMPORT_FOUND_H
#define RSB_TRACES_IMPORT_FOUND_H

#include "traces/import/importer.h"

/* One transfer. */
struct rsb_found {
	uint64_t pc, target;
	uint8_t kind;    /* enum rsb_kind */
	uint8_t length;  /* of the instruction; 0: not known, which a call cannot have here */
	uint8_t flags;   /* RSB_SITE_INDIRECT */
	uint8_t verdict; /* enum rsb_verdict */
};

/* Writes it; label may be NULL. False: no memory. */
bool rsb_found_write(const struct rsb_import *import, const struct rsb_found *found,
		     const char *label, struct rsb_error *error);

/* Writes that events are missing here. False: no memory. */
bool rsb_found_gap(const struct rsb_import *import, struct rsb_error *error);

#endif
