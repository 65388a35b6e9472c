/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A grid: parameters of models, each with the values that it is to have, in every combination. The
 * values are texts; which of them a model takes is the model's to say.
 */
#ifndef RSB_SIM_SWEEP_GRID_H
#define RSB_SIM_SWEEP_GRID_H

#include "models/parameter.h"

#define RSB_GRID_AXES_MAX   8
#define RSB_GRID_VALUES_MAX 100000 /* of one parameter */

struct rsb_axis {
	char *parameter;
	char **values;
	size_t count;
};

/*
 * The last one varies fastest from combination to combination; that is the depth, if it is there.
 */
struct rsb_grid {
	struct rsb_axis axes[RSB_GRID_AXES_MAX];
	size_t count;
};

/*
 * Adds "parameter=values": values and ranges "a..b" or "a..b:step" with commas between. False:
 * error, and the grid is still to be cleared.
 */
bool rsb_grid_add(struct rsb_grid *grid, const char *text, struct rsb_error *error);
void rsb_grid_clear(struct rsb_grid *grid);

/* How many combinations: 1 without axes; SIZE_MAX where they cannot be counted. */
size_t rsb_grid_size(const struct rsb_grid *grid);

/* The value that an axis has in a combination. */
const char *rsb_grid_value(const struct rsb_grid *grid, size_t combination, size_t axis);

/* The axis of the depth, which is the last; NULL: there is none. */
const struct rsb_axis *rsb_grid_depths(const struct rsb_grid *grid);

/* Sets the parameters of a combination in values. False: error names the parameter. */
bool rsb_grid_set(const struct rsb_grid *grid, size_t combination, const struct rsb_parameter *rows,
		  int64_t *values, struct rsb_error *error);

/* Does each value by itself suit these rows? */
bool rsb_grid_check(const struct rsb_grid *grid, const struct rsb_parameter *rows,
		    struct rsb_error *error);

#endif
