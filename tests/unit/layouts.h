/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layouts from their text, and the images that they make. */
#ifndef RSB_TESTS_LAYOUTS_H
#define RSB_TESTS_LAYOUTS_H

#include "sim/image/layout.h"

/* "call next; nop; ret", for layouts that are about something else. */
#define BYTES "\"bytes\": { \"hex\": \"e8 01 00 00 00 90 c3\", \"base\": \"0x401000\" }, "
#define CALL  "\"call\": \"0x401000\""

/* Of what failed last. */
extern struct rsb_error layouts_error;

/* A layout, called "t". NULL: it is refused. */
struct rsb_layout *layouts_parse(const char *text);

/* The same, which must be good. */
struct rsb_layout *layouts_good(const char *text);

/* The image of a layout that is good. NULL: there can be none. */
struct rsb_image *layouts_image_for(const char *text, struct rsb_scenario scenario);

/* The same in "unwind", which must be. */
struct rsb_image *layouts_image(const char *text);

/* Where the symbol is, which must be there. */
uint64_t layouts_address(const struct rsb_image *image, const char *name);

/* The last error begins with the message, of that text; the lists of keys behind it may grow. */
void layouts_begins(const char *text, const char *message);

#endif
