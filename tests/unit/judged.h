/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a shadow stack would say of an image's run: what cannot be judged fails the test. */
#ifndef RSB_TESTS_JUDGED_H
#define RSB_TESTS_JUDGED_H

#include "sim/explain/shadow.h"

/* A run of the calls and returns of the image. */
struct rsb_run *judged_run(const struct rsb_image *image);

/* The verdict on it, to be cleared. */
struct rsb_shadow_verdict judged_verdict(const struct rsb_image *image, const struct rsb_run *run);

#endif
