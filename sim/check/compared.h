/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a comparison: layout by layout what it was and what it is. */
#ifndef RSB_SIM_CHECK_COMPARED_H
#define RSB_SIM_CHECK_COMPARED_H

#include "sim/check/format.h"

/* As text. False: no memory. */
bool rsb_compared_text(const struct rsb_check *check, FILE *out,
		       const struct rsb_check_style *style);

/* As a table of Markdown. */
void rsb_compared_markdown(const struct rsb_check *check, FILE *out);

#endif
