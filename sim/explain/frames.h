/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a run: which call each return answers, and which instruction came between them. A
 * frame is a return address that a call pushed, at its slot on the stack. They are found by running
 * the rounds of a run once more with every instruction and every store watched; no model is needed,
 * so one such run serves every CPU.
 */
#ifndef RSB_SIM_EXPLAIN_FRAMES_H
#define RSB_SIM_EXPLAIN_FRAMES_H

#include "sim/score/run.h"

struct rsb_frames;

/*
 * The run must have recorded calls and returns. The image and the run must outlive the frames.
 * NULL: error.
 */
struct rsb_frames *rsb_frames_new(const struct rsb_image *image, const struct rsb_run *run,
				  struct rsb_error *error);
void rsb_frames_free(struct rsb_frames *frames);

#endif
