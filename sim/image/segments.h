/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The segments of an image: a sorted array of page ranges, each a copy or a reader, and the pages
 * that were written over since. Meant for thousands of them entered in rising order.
 */
#ifndef RSB_SIM_IMAGE_SEGMENTS_H
#define RSB_SIM_IMAGE_SEGMENTS_H

#include "sim/image/image.h"

struct rsb_segments;

struct rsb_segments *rsb_segments_new(void); /* NULL: no memory */
void rsb_segments_free(struct rsb_segments *segments);

/* What each does is said at the function of rsb_image_ with that name. */
bool rsb_segments_map(struct rsb_segments *segments, const char *name, uint64_t address,
		      uint64_t size, unsigned access, const void *bytes, size_t given,
		      struct rsb_error *error);
bool rsb_segments_back(struct rsb_segments *segments, const char *name, uint64_t address,
		       uint64_t size, unsigned access, rsb_image_reader *reader, void *context,
		       struct rsb_error *error);
bool rsb_segments_page(const struct rsb_segments *segments, uint64_t address,
		       uint8_t page[RSB_PAGE], unsigned *access, struct rsb_error *error);
bool rsb_segments_patch(struct rsb_segments *segments, uint64_t address, const void *bytes,
			size_t size, struct rsb_error *error);
bool rsb_segments_next(const struct rsb_segments *segments, size_t *index, const char **name,
		       uint64_t *address, uint64_t *size, unsigned *access);
void rsb_segments_keep(struct rsb_segments *segments, struct rsb_patches *kept);
uint64_t rsb_segments_gap(const struct rsb_segments *segments, uint64_t near, uint64_t size);

#endif
