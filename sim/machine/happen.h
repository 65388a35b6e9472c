/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the incidents of an image happen, for those who decode its blocks. */
#ifndef RSB_SIM_MACHINE_HAPPEN_H
#define RSB_SIM_MACHINE_HAPPEN_H

#include "sim/image/image.h"

/* Is one at an address from start up to end? */
bool rsb_incidents_touch(const struct rsb_image *image, uint64_t start, uint64_t end);

/* Is there one for system calls, so that they do not stop the run? */
bool rsb_incidents_serve_syscalls(const struct rsb_image *image);

struct rsb_machine;

/* Tells one act at pc, if its kind is recorded. No memory: trouble. */
void rsb_environment_tell(struct rsb_machine *machine, enum rsb_environment what, uint64_t pc);

#endif
