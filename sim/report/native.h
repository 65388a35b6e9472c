/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was measured on this machine, as text, as JSON and as Markdown. */
#ifndef RSB_SIM_REPORT_NATIVE_H
#define RSB_SIM_REPORT_NATIVE_H

#include "sim/native/native.h"

#include <stdio.h>

/* False: a write failed, or no memory. */
bool rsb_native_text(FILE *out, const struct rsb_native *native, size_t columns,
		     struct rsb_error *error);
bool rsb_native_json(FILE *out, const struct rsb_native *native, struct rsb_error *error);
bool rsb_native_markdown(FILE *out, const struct rsb_native *native, struct rsb_error *error);

#endif
