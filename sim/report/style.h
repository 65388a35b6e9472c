/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How text looks on a terminal with colour. */
#ifndef RSB_SIM_REPORT_STYLE_H
#define RSB_SIM_REPORT_STYLE_H

#include <stdbool.h>

enum rsb_style {
	RSB_STYLE_PLAIN,
	RSB_STYLE_BOLD,
	RSB_STYLE_DIM,
	RSB_STYLE_BAD,
};

/* What stands before and after text in that style; "" without colour. */
const char *rsb_style_start(enum rsb_style style, bool colour);
const char *rsb_style_end(enum rsb_style style, bool colour);

#endif
