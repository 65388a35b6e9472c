/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the probe found, as text, and as the file of a CPU (rsbsim-cpu(5)). */
#ifndef RSB_SIM_REPORT_PROBE_H
#define RSB_SIM_REPORT_PROBE_H

#include "sim/native/probe.h"

#include <stdio.h>

/*
 * What was found; with all, what was measured in each experiment too. False: a write failed, or no
 * memory.
 */
bool rsb_probe_text(FILE *out, const struct rsb_probe *probe, bool all, size_t columns,
		    struct rsb_error *error);
bool rsb_probe_profile(FILE *out, const struct rsb_probe *probe, const char *name,
		       struct rsb_error *error);

#endif
