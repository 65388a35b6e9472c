/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A generated image: a family's code, the callers of a scenario, and the forms all of it takes. */
#ifndef RSB_SIM_GENERATE_GENERATE_H
#define RSB_SIM_GENERATE_GENERATE_H

#include "sim/generate/family.h"
#include "sim/generate/forms.h"
#include "sim/scenario.h"

/* How an image is unlike the usual one of the same code. */
struct rsb_generate_how {
	uint64_t shift;   /* bytes that the code lies after RSB_CODE_BASE, less than 1 MiB */
	unsigned helpers; /* balanced calls that are made before each traced call */
	struct rsb_returns_how returns;
};

/* values are of the family's rows, forms of rsb_forms_parameters. NULL: error. */
struct rsb_image *rsb_generate(const struct rsb_family *family, const int64_t *values,
			       const int64_t *forms, const struct rsb_scenario *scenario,
			       struct rsb_error *error);
struct rsb_image *rsb_generate_how(const struct rsb_family *family, const int64_t *values,
				   const int64_t *forms, const struct rsb_scenario *scenario,
				   const struct rsb_generate_how *how, struct rsb_error *error);

#endif
