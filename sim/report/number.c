/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as text, with a point whatever the locale. */
#include "sim/report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 12                 /* more are noise: what adding and dividing doubles leaves */
#define WHOLE  9007199254740992.0 /* 2^53: whole numbers up to it are exact */

/* Puts a point where the locale wrote its own, which may be longer than a byte. */
static void use_point(char *text)
{
	char *comma = text + strspn(text, "+-0123456789");
	size_t size = strcspn(comma, "+-0123456789e");

	if (!size)
		return;
	*comma = '.';
	memmove(comma + 1, comma + size, strlen(comma + size) + 1);
}

void rsb_number_data(char *out, size_t size, double value)
{
	if (!isfinite(value)) {
		*out = '\0';
		return;
	}
	/* Counts are kept to the last digit, and have no exponent. */
	if (fabs(value) < WHOLE && value == trunc(value))
		snprintf(out, size, "%.0f", value + 0.0);
	else
		snprintf(out, size, "%.*g", DIGITS, value);
	use_point(out);
}

static void drop_zeros(char *text)
{
	char *end;

	if (!strchr(text, '.'))
		return;
	end = text + strlen(text);
	while (end[-1] == '0')
		*--end = '\0';
	if (end[-1] == '.')
		end[-1] = '\0';
}

/* "" or "+" goes before a positive number. */
static void print(char *out, size_t size, double value, int decimals, const char *plus)
{
	double least = 1;

	for (int i = 0; i < decimals; i++)
		least /= 10;
	if (!isfinite(value)) {
		snprintf(out, size, "?");
	} else if (value == 0) {
		snprintf(out, size, "0");
	} else if (fabs(value) < least / 2) {
		snprintf(out, size, "%s%.*f", value < 0 ? ">-" : "<", decimals, least);
		use_point(out + (value < 0 ? 2 : 1));
	} else {
		snprintf(out, size, "%s%.*f", value > 0 ? plus : "", decimals, value);
		use_point(out);
		drop_zeros(out);
	}
}

void rsb_number_brief(char *out, size_t size, double value, int decimals)
{
	print(out, size, value, decimals, "");
}

void rsb_number_signed(char *out, size_t size, double value, int decimals)
{
	print(out, size, value, decimals, "+");
}
