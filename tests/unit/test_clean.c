/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cleaned text: the cases are those of UTF-8 (RFC 3629) and of XML's characters
 * (https://www.w3.org/TR/xml/#charsets).
 */
#include "traces/util/clean.h"

#include "tests/unit/unit.h"

#include <stdio.h>

static void expect(const char *text, const char *cleaned)
{
	char buffer[64];

	snprintf(buffer, sizeof(buffer), "%s", text);
	ck_assert_ptr_eq(rsb_clean(buffer), buffer);
	ck_assert_str_eq(buffer, cleaned);
}

/* Characters of one to four bytes stay. */
START_TEST(keeps_characters)
{
	expect("", "");
	expect("trampoline+0x5e <&>\"'", "trampoline+0x5e <&>\"'");
	expect("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
	ck_assert_ptr_null(rsb_clean(NULL));
}
END_TEST

/* C0, DEL, and C1, which UTF-8 writes in two bytes. */
START_TEST(masks_control_characters)
{
	expect("a\033[2Jb\nc\td\x7f", "a?[2Jb?c?d?");
	expect("a\xc2\x9b"
	       "b",
	       "a??b");
}
END_TEST

/* Bytes out of place, sequences that end early, the longer way to write a character, and
 * surrogates. */
START_TEST(masks_what_is_not_utf8)
{
	expect("\xff\x80", "??");
	expect("\xe2\x82", "??");
	expect("\xe2(\xac", "?(?");
	expect("\xc0\xaf", "??");
	expect("\xed\xa0\x80", "???");
	expect("\xf4\x90\x80\x80", "????");
}
END_TEST

/* U+FFFE and U+FFFF are characters nowhere. */
START_TEST(masks_what_xml_has_not)
{
	expect("\xef\xbf\xbe\xef\xbf\xbf", "??????");
	expect("\xef\xbf\xbd", "\xef\xbf\xbd");
}
END_TEST

/* U+2028, U+202E and U+2066, of UAX #9, but not the letters of those who write from the right. */
START_TEST(masks_what_reorders)
{
	expect("a\xe2\x80\xa8"
	       "b",
	       "a???b");
	expect("\xe2\x80\xaex", "???x");
	expect("\xe2\x81\xa6", "???");
	expect("\xd7\x90\xd8\xa7 \xe2\x80\xa7", "\xd7\x90\xd8\xa7 \xe2\x80\xa7");
}
END_TEST

UNIT_MAIN("cleaned text", keeps_characters, masks_control_characters, masks_what_is_not_utf8,
	  masks_what_xml_has_not, masks_what_reorders)
