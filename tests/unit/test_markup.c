/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in markup: the cases are those of XML (https://www.w3.org/TR/xml/#syntax), and of what
 * GitHub reads as Markdown (https://github.github.com/gfm/): its backslash escapes, code spans and
 * cells of tables.
 */
#include "sim/report/markup.h"

#include "tests/unit/unit.h"

#include <stdlib.h>

static void expect(void (*write)(FILE *out, const char *text), const char *text, const char *want)
{
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	ck_assert_ptr_nonnull(out);
	write(out, text);
	fclose(out);
	ck_assert_str_eq(got, want);
	free(got);
}

/* What begins markup is written as an entity. */
START_TEST(xml)
{
	expect(rsb_markup_text, "a<b> & \"c\" 'd'", "a&lt;b&gt; &amp; &quot;c&quot; 'd'");
	expect(rsb_markup_text, "", "");
}
END_TEST

/* Of a name nothing is a mark, a back quote included; a line stays one. */
START_TEST(markdown_text)
{
	expect(rsb_markdown_text, "bpf-fexit-skip", "bpf-fexit-skip");
	expect(rsb_markdown_text, "a*b_c|d<e>[f]\\g`h#1",
	       "a\\*b\\_c\\|d\\<e\\>\\[f\\]\\\\g\\`h\\#1");
	expect(rsb_markdown_text, "a\nb", "a b");
}
END_TEST

/* Code in prose is taken as it is, so that a backslash in it would be seen. */
START_TEST(markdown_prose)
{
	expect(rsb_markdown_prose, "`mov rax, [rsp]` at a_b", "`mov rax, [rsp]` at a\\_b");
	expect(rsb_markdown_prose, "a|b `c|d_e` f|g", "a\\|b `c|d_e` f\\|g");
}
END_TEST

/* A bar ends a cell in code too, and a backslash before it there is not seen. */
START_TEST(markdown_cell)
{
	expect(rsb_markdown_cell, "a|b `operator|()+0x4_` c_d", "a\\|b `operator\\|()+0x4_` c\\_d");
}
END_TEST

UNIT_MAIN("markup", xml, markdown_text, markdown_prose, markdown_cell)
