/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curve of misses against depth: its knee, and where it begins and ends to rise. */
#include "sim/sweep/sweep.h"

#include <stdlib.h>

struct point {
	size_t value; /* index in the axis */
	long depth;
	double misses;
};

static int compare_points(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return (x->depth > y->depth) - (x->depth < y->depth);
}

/* From the deepest one down, as long as misses do not fall from one to the next. */
static size_t find_knee(const struct point *points, size_t count)
{
	size_t knee = count - 1;

	while (knee && points[knee - 1].misses <= points[knee].misses)
		knee--;
	return knee;
}

/* The points of a line by depth; NULL: the depth is not swept, or no memory. */
static struct point *list_points(const struct rsb_sweep *sweep, size_t row, size_t *count)
{
	const struct rsb_axis *depths = rsb_grid_depths(&sweep->grid);
	struct point *points = depths ? malloc(depths->count * sizeof(*points)) : NULL;

	if (!points)
		return NULL;
	*count = depths->count;
	for (size_t i = 0; i < depths->count; i++)
		points[i] = (struct point){ i, strtol(depths->values[i], NULL, 10),
					    sweep->rows[row + i].misses };
	qsort(points, depths->count, sizeof(*points), compare_points);
	return points;
}

static struct rsb_sweep_spot spot(const struct rsb_sweep *sweep, const struct point *point)
{
	const struct rsb_axis *depths = rsb_grid_depths(&sweep->grid);

	return (struct rsb_sweep_spot){ depths->values[point->value], point->misses };
}

/* The deepest that has more misses than the knee, and the deepest of those that have the most. */
static void find_rise(struct rsb_sweep_curve *curve, const struct rsb_sweep *sweep,
		      const struct point *points, size_t knee)
{
	size_t most = knee;

	for (size_t i = knee; i--;)
		if (points[i].misses > points[most].misses)
			most = i;
	if (most == knee)
		return;
	curve->most = spot(sweep, &points[most]);
	for (size_t i = knee; i-- > most;)
		if (points[i].misses > points[knee].misses) {
			curve->begins = spot(sweep, &points[i]);
			return;
		}
}

/*
 * Have all shallower ones the most, and is there one? Of what only the shallowest has, those that
 * are shallower still may have more.
 */
static bool stays_at_most(const struct point *points, size_t count,
			  const struct rsb_sweep_curve *curve)
{
	size_t same = 0;

	while (same < count && points[same].misses == curve->most.misses)
		same++;
	return curve->most.depth && same > 1 &&
	       points[same - 1].depth == strtol(curve->most.depth, NULL, 10);
}

/* What only the deepest one reaches may go on beyond it. */
static enum rsb_sweep_trend find_trend(const struct point *points, size_t count, size_t knee)
{
	if (knee)
		return knee + 1 < count ? RSB_SWEEP_KNEE : RSB_SWEEP_FALLING;
	return points[count - 1].misses > points[0].misses ? RSB_SWEEP_RISING : RSB_SWEEP_FLAT;
}

bool rsb_sweep_curve(const struct rsb_sweep *sweep, size_t row, struct rsb_sweep_curve *curve)
{
	size_t count = 0, found;
	struct point *points = list_points(sweep, row, &count);

	*curve = (struct rsb_sweep_curve){ .saturates = false };
	if (!points)
		return false;
	found = find_knee(points, count);
	curve->trend = find_trend(points, count, found);
	curve->knee = spot(sweep, &points[found]);
	curve->deepest = spot(sweep, &points[count - 1]);
	find_rise(curve, sweep, points, found);
	curve->saturates = stays_at_most(points, count, curve);
	free(points);
	return true;
}

const char *rsb_sweep_knee(const struct rsb_sweep *sweep, size_t row)
{
	struct rsb_sweep_curve curve;

	if (!rsb_sweep_curve(sweep, row, &curve) || curve.trend != RSB_SWEEP_KNEE)
		return NULL;
	return curve.knee.depth;
}
