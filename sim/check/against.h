/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A layout compared with another version of it. */
#ifndef RSB_SIM_CHECK_AGAINST_H
#define RSB_SIM_CHECK_AGAINST_H

#include "sim/check/check.h"
#include "sim/score/score.h"

struct rsb_check_figures rsb_against_figures(const struct rsb_score *score);

/* Is any figure of head further from 0 than base's? */
bool rsb_against_is_worse(const struct rsb_check_figures *base,
			  const struct rsb_check_figures *head);

/*
 * Finds the case's base, by the name of its layout there, its CPU, and sets what changed. False:
 * the base is there and could not be judged, as the error says.
 */
bool rsb_against_set(struct rsb_check_case *one, const struct rsb_check *base,
		     const char *base_layout, struct rsb_error *error);

#endif
