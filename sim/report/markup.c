/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in XML and HTML. */
#include "sim/report/markup.h"

void rsb_markup_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
			break;
		}
	}
}
