/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of JSON text that keeps nothing: it says where a text stops being JSON and what should
 * stand there, and on which line a value stands. cJSON, which builds the tree, tells neither.
 */
#ifndef RSB_TRACES_UTIL_JSON_SCAN_H
#define RSB_TRACES_UTIL_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#define RSB_JSON_DEPTH_MAX  64         /* nested objects and arrays */
#define RSB_JSON_VALUES_MAX (1u << 20) /* values of one text: cJSON needs 64 bytes for each */

struct rsb_json_fault {
	size_t offset;        /* of the byte that is wrong; size at the end of the text */
	unsigned line;        /* from 1 */
	unsigned column;      /* from 1, in bytes */
	const char *expected; /* "':' after the key" */
};

/*
 * Is this text JSON (RFC 8259), with an object as its root? A NUL must follow its size bytes. What
 * cJSON would refuse or cut short (U+0000, half a surrogate pair, numbers of more than 63
 * characters) is refused too, and what is not UTF-8, which cJSON would pass on.
 */
bool rsb_json_scan(const char *text, size_t size, struct rsb_json_fault *fault);

/*
 * The line of the value with this number, or of its key if it has one; the root is number 0, the
 * others follow in the order of the text, an object before what it holds. 0: there is none.
 */
unsigned rsb_json_scan_line(const char *text, size_t size, size_t number);

#endif
