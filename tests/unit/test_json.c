/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON files: what is refused and where, which line an item is on, and typed access. */
#include "tests/unit/unit.h"
#include "traces/util/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct rsb_error error;

static struct rsb_json *parse(const char *text)
{
	struct rsb_json *json = rsb_json_parse("t.json", text, strlen(text), &error);

	ck_assert_msg(json != NULL, "%s", error.text);
	return json;
}

static void refuses(const char *text, const char *message)
{
	struct rsb_json *json = rsb_json_parse("t.json", text, strlen(text), &error);

	ck_assert_msg(json == NULL, "%s", text);
	ck_assert_str_eq(error.text, message);
}

/* A fault is told by line and column, with what should stand there and what does. */
START_TEST(says_what_was_expected)
{
	refuses("", "t.json:1:1: expected '{' at the start, found the end of the file");
	refuses("[]", "t.json:1:1: expected '{' at the start, found '['");
	refuses("{", "t.json:1:2: expected a key in double quotes, found the end of the file");
	refuses("{\n\t\"a\" 1\n}", "t.json:2:6: expected ':' after the key, found '1'");
	refuses("{ \"a\": 1\n  \"b\": 2 }",
		"t.json:2:3: expected ',' or '}' after the value, found '\"'");
	refuses("{ \"a\": [ 1 2 ] }",
		"t.json:1:12: expected ',' or ']' after the value, found '2'");
	refuses("{ \"a\": 1, }", "t.json:1:11: expected a key in double quotes, found '}'");
	refuses("{ \"a\": [ 1, ] }", "t.json:1:13: expected a value, found ']'");
	refuses("{ \"a\": yes }", "t.json:1:8: expected a value, found 'y'");
	refuses("{} {}",
		"t.json:1:4: expected nothing more after the '}' of the first '{', found '{'");
	refuses("{ \"a\": \"x\n\" }",
		"t.json:1:10: expected '\"' at the end of the text, found the end of the line");
	refuses("{ \"a\": \"\\x41\" }", "t.json:1:10: expected one of \" \\ / b f n r t u "
					"after a backslash, found 'x'");
	refuses("{ \"a\": \"b\x80\" }",
		"t.json:1:10: expected a character that can be shown, in UTF-8, found the byte 0x80");
	refuses("\xef\xbb\xbf{}", "t.json:1:1: expected '{' at the start, found the byte 0xef");
}
END_TEST

/* Numbers are those of RFC 8259, and no longer than cJSON takes them. */
START_TEST(refuses_odd_numbers)
{
	char text[128];

	refuses("{\"a\":01}", "t.json:1:7: expected ',' or '}' after the value, found '1'");
	refuses("{\"a\":0x10}", "t.json:1:7: expected ',' or '}' after the value, found 'x'");
	refuses("{\"a\":1.}", "t.json:1:8: expected a digit, found '}'");
	refuses("{\"a\":1e}", "t.json:1:8: expected a digit, found '}'");
	refuses("{\"a\":-}", "t.json:1:7: expected a digit, found '}'");
	refuses("{\"a\":+1}", "t.json:1:6: expected a value, found '+'");
	snprintf(text, sizeof(text), "{\"a\":%063d1}", 0);
	text[5] = '1';
	refuses(text, "t.json:1:6: expected a number of at most 63 characters, found '1'");
	snprintf(text, sizeof(text), "{\"a\":%063d}", 0);
	text[5] = '1';
	rsb_json_free(parse(text));
	rsb_json_free(parse("{\"a\":[0,-0,1.5e+3,2E-1,10]}"));
}
END_TEST

/* A NUL would cut a text short in C, as a byte and as an escape. */
START_TEST(refuses_nul)
{
	ck_assert_ptr_null(rsb_json_parse("t.json", "{\"a\":\"x\0y\"}", 11, &error));
	ck_assert_str_eq(error.text, "t.json:1:8: expected '\"' at the end of the text, "
				     "found the byte 0x00");
	ck_assert_ptr_null(rsb_json_parse("t.json", "{}\0", 3, &error));
	ck_assert_str_eq(error.text, "t.json:1:3: expected nothing more after the '}' of the first "
				     "'{', found the byte 0x00");
	refuses("{\"a\":\"\\u0000\"}",
		"t.json:1:9: expected a character other than U+0000, found '0'");
}
END_TEST

/* Escapes outside the basic plane come in pairs. */
START_TEST(reads_escapes)
{
	struct rsb_json *json = parse("{\"a\":\"\\ud83d\\ude00\\u00B5\\n\\\\\"}");
	const char *text = NULL;

	ck_assert(rsb_json_text(json, rsb_json_root(json), "a", &text, &error));
	ck_assert_str_eq(text, "\xf0\x9f\x98\x80\xc2\xb5\n\\");
	rsb_json_free(json);
	refuses("{\"a\":\"\\ud83d\"}",
		"t.json:1:9: expected both halves of a surrogate pair, found 'd'");
	refuses("{\"a\":\"\\ude00\\ud83d\"}",
		"t.json:1:9: expected both halves of a surrogate pair, found 'd'");
	refuses("{\"a\":\"\\u12g4\"}", "t.json:1:9: expected four hex digits after \\u, found '1'");
	refuses("{\"a\":\"\\u12", "t.json:1:9: expected four hex digits after \\u, found '1'");
}
END_TEST

/* {"a":[[[...]]]} with that many arrays. */
static char *nested(size_t arrays)
{
	char *text = malloc(2 * arrays + 8);

	ck_assert_ptr_nonnull(text);
	strcpy(text, "{\"a\":");
	memset(text + 5, '[', arrays);
	memset(text + 5 + arrays, ']', arrays);
	strcpy(text + 5 + 2 * arrays, "}");
	return text;
}

/* Nesting is bounded, so that no file can exhaust the stack. */
START_TEST(bounds_the_depth)
{
	char *text = nested(63);

	rsb_json_free(parse(text));
	free(text);
	text = nested(64);
	refuses(text, "t.json:1:69: expected no more than 64 objects and arrays in each other, "
		      "found '['");
	free(text);
	text = nested(1000000);
	ck_assert_ptr_null(rsb_json_parse("t.json", text, strlen(text), &error));
	free(text);
}
END_TEST

/* So are the size of a text and the number of its values, which take more memory than the text. */
START_TEST(bounds_the_size)
{
	char *text = malloc(RSB_JSON_MAX + 2);

	ck_assert_ptr_nonnull(text);
	memset(text, ' ', RSB_JSON_MAX + 1);
	memcpy(text, "{}", 2);
	rsb_json_free(rsb_json_parse("t.json", text, RSB_JSON_MAX, &error));
	ck_assert_ptr_null(rsb_json_parse("t.json", text, RSB_JSON_MAX + 1, &error));
	ck_assert_str_eq(error.text, "t.json: expected at most 16777216 bytes");
	memcpy(text, "{\"a\":[", 6);
	for (size_t i = 6; i < RSB_JSON_MAX; i += 2)
		memcpy(text + i, "1,", 2);
	ck_assert_ptr_null(rsb_json_parse("t.json", text, RSB_JSON_MAX, &error));
	ck_assert_str_eq(error.text, "t.json:1:2097155: expected no more than 1048576 values, "
				     "found '1'");
	free(text);
}
END_TEST

/* Every item is found on the line of its key, or its own if it has none. */
START_TEST(finds_lines)
{
	struct rsb_json *json = parse("\n{ \"a\": 1, \"b\"\n:\n[ 10,\n20, { \"c\": \"{\\\"\" }\n"
				      "], \"d\": {\n\n\"e\": null }, \"a\": 2 }");
	const cJSON *root = rsb_json_root(json), *b, *d, *last;
	cJSON stranger = { 0 };

	b = cJSON_GetObjectItemCaseSensitive(root, "b");
	d = cJSON_GetObjectItemCaseSensitive(root, "d");
	last = d->next;
	ck_assert_uint_eq(rsb_json_line(json, root), 2);
	ck_assert_uint_eq(rsb_json_line(json, root->child), 2);
	ck_assert_uint_eq(rsb_json_line(json, b), 2);
	ck_assert_uint_eq(rsb_json_line(json, cJSON_GetArrayItem(b, 0)), 4);
	ck_assert_uint_eq(rsb_json_line(json, cJSON_GetArrayItem(b, 1)), 5);
	ck_assert_uint_eq(rsb_json_line(json, cJSON_GetArrayItem(b, 2)->child), 5);
	ck_assert_uint_eq(rsb_json_line(json, d), 6);
	ck_assert_uint_eq(rsb_json_line(json, d->child), 8);
	ck_assert_uint_eq(rsb_json_line(json, last), 8);
	ck_assert_uint_eq(rsb_json_line(json, &stranger), 0);
	ck_assert(!rsb_json_error(json, d, &error, "no %s", "good"));
	ck_assert_str_eq(error.text, "t.json:6: no good");
	rsb_json_error(json, &stranger, &error, "no %s", "good");
	ck_assert_str_eq(error.text, "t.json: no good");
	rsb_json_free(json);
}
END_TEST

static void keys_are(const char *text, const char *known, const char *message)
{
	struct rsb_json *json = parse(text);

	if (message) {
		ck_assert(!rsb_json_keys(json, rsb_json_root(json), known, &error));
		ck_assert_str_eq(error.text, message);
	} else {
		ck_assert(rsb_json_keys(json, rsb_json_root(json), known, &error));
	}
	rsb_json_free(json);
}

/* A key is one of the known ones, spelled exactly, and stands once. */
START_TEST(checks_keys)
{
	keys_are("{}", "name|summary", NULL);
	keys_are("{\"summary\":1,\"name\":2}", "name|summary", NULL);
	keys_are("{\n\"sumary\":1}", "name|summary",
		 "t.json:2: unknown key \"sumary\", expected summary");
	keys_are("{\"Name\":1}", "name|summary", "t.json:1: unknown key \"Name\", expected name");
	keys_are("{\"nam\":1}", "name", "t.json:1: unknown key \"nam\", expected name");
	keys_are("{\"name|summary\":1}", "name|summary",
		 "t.json:1: unknown key \"name|summary\", expected name or summary");
	keys_are("{\"zz\":1}", "a1|b1|c1|d1|e1|f1|g1|h1|i1",
		 "t.json:1: unknown key \"zz\", expected one of a1|b1|c1|d1|e1|f1|g1|h1|i1");
	keys_are("{\"name\":1,\n\n\"name\":1}", "name|summary",
		 "t.json:3: key \"name\" is there twice, first on line 1");
}
END_TEST

/* Keys are of objects only. */
START_TEST(checks_keys_of_objects)
{
	struct rsb_json *json = parse("{\n\"a\":[1]}");

	ck_assert(!rsb_json_keys(json, rsb_json_root(json)->child, "b", &error));
	ck_assert_str_eq(error.text, "t.json:2: \"a\": expected an object, found an array");
	rsb_json_free(json);
}
END_TEST

/* A text is read, another type refused, absence leaves what was there. */
START_TEST(reads_texts)
{
	struct rsb_json *json = parse("{\"name\":\"x\",\n\"other\":7}");
	const cJSON *root = rsb_json_root(json);
	const char *text = "before";

	ck_assert(rsb_json_text(json, root, "absent", &text, &error));
	ck_assert_str_eq(text, "before");
	ck_assert(rsb_json_text(json, root, "NAME", &text, &error));
	ck_assert_str_eq(text, "before");
	ck_assert(!rsb_json_text(json, root, "other", &text, &error));
	ck_assert_str_eq(error.text,
			 "t.json:2: \"other\": expected a text in double quotes, found 7");
	ck_assert_str_eq(text, "before");
	ck_assert(rsb_json_text(json, root, "name", &text, &error));
	ck_assert_str_eq(text, "x");
	rsb_json_free(json);
}
END_TEST

static int64_t integer_of(const char *value, int64_t minimum, int64_t maximum, bool good)
{
	struct rsb_json *json;
	int64_t out = -77;
	char text[128];

	snprintf(text, sizeof(text), "{\"n\":%s}", value);
	json = parse(text);
	ck_assert(rsb_json_integer(json, rsb_json_root(json), "n", minimum, maximum, &out,
				   &error) == good);
	rsb_json_free(json);
	return out;
}

/* An integer is whole, in its range, and not beyond what a double holds exactly (2^53). */
START_TEST(reads_integers)
{
	ck_assert_int_eq(integer_of("0", 0, 64, true), 0);
	ck_assert_int_eq(integer_of("64", 0, 64, true), 64);
	ck_assert_int_eq(integer_of("-5", INT64_MIN, INT64_MAX, true), -5);
	ck_assert_int_eq(integer_of("1e9", 1, INT64_MAX, true), 1000000000);
	ck_assert_int_eq(integer_of("9007199254740992", 0, INT64_MAX, true), INT64_C(1) << 53);
	ck_assert_int_eq(integer_of("65", 0, 64, false), -77);
	ck_assert_str_eq(error.text, "t.json:1: \"n\": expected an integer from 0 to 64, found 65");
	integer_of("-1", 0, 64, false);
	integer_of("1.5", 0, 64, false);
	integer_of("\"8\"", 0, 64, false);
	ck_assert_str_eq(error.text,
			 "t.json:1: \"n\": expected an integer from 0 to 64, found \"8\"");
	integer_of("null", 0, 64, false);
	integer_of("1e999", INT64_MIN, INT64_MAX, false);
	integer_of("9007199254740994", INT64_MIN, INT64_MAX, false);
	ck_assert_str_eq(error.text, "t.json:1: \"n\": expected an integer from -9007199254740992 "
				     "to 9007199254740992, found 9007199254740994");
}
END_TEST

/* A switch is true or false, and no number. */
START_TEST(reads_switches)
{
	struct rsb_json *json = parse("{\"on\":true,\"off\":false,\"one\":1}");
	const cJSON *root = rsb_json_root(json);
	bool value = true;

	ck_assert(rsb_json_switch(json, root, "off", &value, &error));
	ck_assert(!value);
	ck_assert(rsb_json_switch(json, root, "absent", &value, &error));
	ck_assert(!value);
	ck_assert(rsb_json_switch(json, root, "on", &value, &error));
	ck_assert(value);
	ck_assert(!rsb_json_switch(json, root, "one", &value, &error));
	ck_assert_str_eq(error.text, "t.json:1: \"one\": expected true or false, found 1");
	rsb_json_free(json);
}
END_TEST

static uint64_t address_of(const char *value, bool good)
{
	struct rsb_json *json;
	uint64_t out = 77;
	char text[128];

	snprintf(text, sizeof(text), "{\"at\":%s}", value);
	json = parse(text);
	ck_assert_msg(rsb_json_address(json, rsb_json_root(json), "at", &out, &error) == good, "%s",
		      value);
	rsb_json_free(json);
	return out;
}

/* An address has all 64 bits as a text, and is a whole number otherwise. */
START_TEST(reads_addresses)
{
	ck_assert_uint_eq(address_of("\"0x401000\"", true), 0x401000);
	ck_assert_uint_eq(address_of("\"0xffffffff81AbCdEf\"", true), UINT64_C(0xffffffff81abcdef));
	ck_assert_uint_eq(address_of("\"0xffffffffffffffff\"", true), UINT64_MAX);
	ck_assert_uint_eq(address_of("\"0x00000000000000000001\"", true), 1);
	ck_assert_uint_eq(address_of("4198400", true), 0x401000);
	ck_assert_uint_eq(address_of("0", true), 0);
	ck_assert_uint_eq(address_of("\"0x10000000000000000\"", false), 77);
	ck_assert_str_eq(error.text, "t.json:1: \"at\": expected an address like \"0x401000\", "
				     "found \"0x10000000000000000\"");
	address_of("\"0x\"", false);
	address_of("\"401000\"", false);
	address_of("\"0x40 \"", false);
	address_of("\"-0x40\"", false);
	address_of("\"\"", false);
	address_of("-1", false);
	address_of("0.5", false);
	address_of("18446744073709551615", false);
	address_of("[]", false);
}
END_TEST

/* A file is read as a text is, and what cannot be read is named. */
START_TEST(loads_files)
{
	char path[] = "test_json.XXXXXX", expected[128];
	int file = mkstemp(path);
	struct rsb_json *json;

	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(write(file, "{\n\"a\": }", 8), 8);
	json = rsb_json_load(path, &error);
	snprintf(expected, sizeof(expected), "%s:2:6: expected a value, found '}'", path);
	ck_assert_ptr_null(json);
	ck_assert_str_eq(error.text, expected);
	ck_assert_int_eq(pwrite(file, "1", 1, 6), 1);
	json = rsb_json_load(path, &error);
	ck_assert_ptr_nonnull(json);
	ck_assert_uint_eq(rsb_json_line(json, rsb_json_root(json)->child), 2);
	rsb_json_free(json);
	ck_assert_int_eq(ftruncate(file, RSB_JSON_MAX + 1), 0);
	ck_assert_ptr_null(rsb_json_load(path, &error));
	snprintf(expected, sizeof(expected), "%s: expected at most 16777216 bytes", path);
	ck_assert_str_eq(error.text, expected);
	close(file);
	unlink(path);
	ck_assert_ptr_null(rsb_json_load("absent.json", &error));
	ck_assert_str_eq(error.text, "absent.json: cannot be opened: No such file or directory");
	ck_assert_ptr_null(rsb_json_load(".", &error));
	ck_assert_str_eq(error.text, ".: cannot be read: Is a directory");
}
END_TEST

UNIT_MAIN("JSON", says_what_was_expected, refuses_odd_numbers, refuses_nul, reads_escapes,
	  bounds_the_depth, bounds_the_size, finds_lines, checks_keys, checks_keys_of_objects,
	  reads_texts, reads_integers, reads_switches, reads_addresses, loads_files)
