/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Families of generated layouts. A family emits the traced function and all it needs into the code
 * under construction; the callers come from sim/generate/callers.c. To add one: one C file here and
 * one row in sim/generate/family.c. Its parameters are rows (models/parameter.h) that the
 * "generate" object of a layout file sets.
 */
#ifndef RSB_SIM_GENERATE_FAMILY_H
#define RSB_SIM_GENERATE_FAMILY_H

#include "models/parameter.h"
#include "sim/generate/callers.h"
#include "sim/generate/code.h"

struct rsb_family {
	const char *name; /* "bpf-trampoline" */
	const char *summary;
	const struct rsb_parameter *parameters;

	/* Can these values go together? Error says why not. NULL: always. */
	bool (*check)(const int64_t *values, struct rsb_error *error);

	/* Emits the traced function as the symbol "target", and what it calls. */
	void (*emit)(struct rsb_code *code, const int64_t *values);

	/*
	 * The code is a kernel. Says how it is entered, and fills in the data that it finds. NULL:
	 * it is not.
	 */
	bool (*enter)(struct rsb_image *image, const int64_t *values, struct rsb_system *system,
		      struct rsb_error *error);

	/*
	 * Of a kernel, how the callers come to "target": those that do not call it are user code,
	 * and "target" is what serves them. NULL: they call it.
	 */
	enum rsb_callers_by (*by)(const int64_t *values);
};

/* All families, ended by NULL, sorted by name. */
const struct rsb_family *const *rsb_families(void);
const struct rsb_family *rsb_family_find(const char *name, struct rsb_error *error);

#endif
