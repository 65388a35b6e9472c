/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in XML and HTML. */
#ifndef RSB_SIM_REPORT_MARKUP_H
#define RSB_SIM_REPORT_MARKUP_H

#include <stdio.h>

/*
 * Writes text of an element, or of an attribute in double quotes, so that nothing in it is markup.
 */
void rsb_markup_text(FILE *out, const char *text);

#endif
