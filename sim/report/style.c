/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How text looks on a terminal with colour: the escapes of ECMA-48. */
#include "sim/report/style.h"

const char *rsb_style_start(enum rsb_style style, bool colour)
{
	static const char *const codes[] = { "", "\033[1m", "\033[2m", "\033[31m" };

	return colour ? codes[style] : "";
}

const char *rsb_style_end(enum rsb_style style, bool colour)
{
	return colour && style != RSB_STYLE_PLAIN ? "\033[0m" : "";
}
