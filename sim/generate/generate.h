/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A generated image: a family's code, the callers of a scenario, and the forms all of it takes. */
#ifndef RSB_SIM_GENERATE_GENERATE_H
#define RSB_SIM_GENERATE_GENERATE_H

#include "sim/generate/family.h"
#include "sim/generate/forms.h"
#include "sim/scenario.h"

/* How an image is unlike the usual one of the same code. */
struct rsb_generate_how {
	uint64_t shift;    /* bytes that the code lies after RSB_CODE_BASE, less than 1 MiB */
	bool jump_returns; /* no ret: each is an indirect jump that does the same ... */
	bool pad_returns;  /* int3 behind each, so that all lies where it lies otherwise ... */
	const bool *kept;  /* ... but of these, by their numbers (rsb_image_returns()) */
	size_t kept_count;
	size_t forced;    /* the number, and 1, of a return that is made to miss; 0: none */
	unsigned helpers; /* balanced calls that are made before each traced call */
};

/* values are of the family's rows, forms of rsb_forms_parameters. NULL: error. */
struct rsb_image *rsb_generate(const struct rsb_family *family, const int64_t *values,
			       const int64_t *forms, const struct rsb_scenario *scenario,
			       struct rsb_error *error);
struct rsb_image *rsb_generate_how(const struct rsb_family *family, const int64_t *values,
				   const int64_t *forms, const struct rsb_scenario *scenario,
				   const struct rsb_generate_how *how, struct rsb_error *error);

#endif
