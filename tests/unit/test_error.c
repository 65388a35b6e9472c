/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error values: the message, its length, what is masked in it. */
#include "tests/unit/unit.h"
#include "traces/util/error.h"

#include <string.h>

/* A message is what printf would have written, and the answer is the one to pass on. */
START_TEST(sets_a_message)
{
	struct rsb_error error;

	ck_assert(!rsb_error_set(&error, "%s:%u: expected %s", "a.json", 3, "a value"));
	ck_assert_str_eq(error.text, "a.json:3: expected a value");
	ck_assert_ptr_null(rsb_error_null(&error, "page %#x", 0x1000));
	ck_assert_str_eq(error.text, "page 0x1000");
}
END_TEST

/* A prefix stands before the old message, as often as one is put there. */
START_TEST(prefixes_a_message)
{
	struct rsb_error error;

	rsb_error_set(&error, "no symbol \"f\"");
	ck_assert(!rsb_error_prefix(&error, "core %d", 1));
	rsb_error_prefix(&error, "x.json");
	ck_assert_str_eq(error.text, "x.json: core 1: no symbol \"f\"");
}
END_TEST

/* The old message may be an argument of the new one. */
START_TEST(takes_its_own_text)
{
	struct rsb_error error;

	rsb_error_set(&error, "inner");
	rsb_error_set(&error, "outer (%s)", error.text);
	ck_assert_str_eq(error.text, "outer (inner)");
}
END_TEST

/* A long message is cut at the end of the array, also by a prefix. */
START_TEST(cuts_long_messages)
{
	struct rsb_error error;
	char text[5000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	rsb_error_set(&error, "%s", text);
	ck_assert_uint_eq(strlen(error.text), sizeof(error.text) - 1);
	rsb_error_prefix(&error, "file");
	ck_assert_uint_eq(strlen(error.text), sizeof(error.text) - 1);
	ck_assert_int_eq(strncmp(error.text, "file: xxx", 9), 0);
	rsb_error_prefix(&error, "%s", text);
	ck_assert_uint_eq(strlen(error.text), sizeof(error.text) - 1);
}
END_TEST

/* No control character of a file reaches the terminal; letters beyond ASCII do. */
START_TEST(masks_control_characters)
{
	struct rsb_error error;

	rsb_error_set(&error, "a\nb\x1b[2Jc\x7f");
	ck_assert_str_eq(error.text, "a?b?[2Jc?");
	rsb_error_set(&error, "\xc2\x9b"
			      "2J \xc3\x9b \xc2\xb5");
	ck_assert_str_eq(error.text, "??2J \xc3\x9b \xc2\xb5");
	rsb_error_prefix(&error, "\t");
	ck_assert_int_eq(error.text[0], '?');
}
END_TEST

UNIT_MAIN("errors", sets_a_message, prefixes_a_message, takes_its_own_text, cuts_long_messages,
	  masks_control_characters)
