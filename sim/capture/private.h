/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The insides of a capture, for the files of sim/capture alone. */
#ifndef RSB_SIM_CAPTURE_PRIVATE_H
#define RSB_SIM_CAPTURE_PRIVATE_H

#include "sim/capture/capture.h"
#include "sim/image/patches.h"

struct rsb_capture {
	struct rsb_patches pages;
	char **called; /* functions, by name */
	size_t called_count;
};

/* Pages that follow each other and may be used in the same way. */
struct rsb_capture_run {
	size_t first, count; /* in the capture's pages */
};

/* The next run; false: no more. All zeros to start with. */
bool rsb_capture_next_run(const struct rsb_capture *capture, struct rsb_capture_run *run);

#endif
