/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen: cells of one character each, with a style. What is drawn here is shown by whoever has a
 * terminal, or printed as text.
 */
#ifndef RSB_SIM_SEE_SCREEN_H
#define RSB_SIM_SEE_SCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum rsb_screen_style {
	RSB_SCREEN_PLAIN,
	RSB_SCREEN_TITLE,   /* of the screen and of its parts */
	RSB_SCREEN_FAINT,   /* what is less important: what was popped, lines between */
	RSB_SCREEN_CURRENT, /* the instruction that comes next */
	RSB_SCREEN_HIT,
	RSB_SCREEN_MISS,
	RSB_SCREEN_NOTE, /* what changed just now; what to press */
	RSB_SCREEN_STYLES
};

struct rsb_cell {
	uint32_t character; /* Unicode; 0 is a space */
	uint8_t style;
};

struct rsb_screen {
	struct rsb_cell *cells; /* row by row */
	unsigned rows, columns;
	bool unicode; /* lines and signs may be drawn by more than ASCII */
};

/* Empty. False: no memory. */
bool rsb_screen_open(struct rsb_screen *screen, unsigned rows, unsigned columns, bool unicode);
void rsb_screen_close(struct rsb_screen *screen);

/* A part of it, to draw in; what does not fit is cut off. */
struct rsb_area {
	struct rsb_screen *screen;
	unsigned row, column, rows, columns;
};

struct rsb_area rsb_screen_area(struct rsb_screen *screen);

/* A part of an area. */
struct rsb_area rsb_area_part(const struct rsb_area *area, unsigned row, unsigned column,
			      unsigned rows, unsigned columns);

/* Writes text from that column on; returns the column after it. Bytes that are not printable ASCII
 * become a question mark. */
unsigned rsb_area_text(const struct rsb_area *area, unsigned row, unsigned column,
		       enum rsb_screen_style style, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The same in at most width columns: text that is longer ends with a sign for that. */
void rsb_area_cut(const struct rsb_area *area, unsigned row, unsigned column, unsigned width,
		  enum rsb_screen_style style, const char *text);

/* Writes text in as many rows as it takes, broken between words; returns the row after it. */
unsigned rsb_area_wrap(const struct rsb_area *area, unsigned row, enum rsb_screen_style style,
		       const char *text);

/* Signs that have a plainer form. */
enum rsb_sign {
	RSB_SIGN_ACROSS, /* of lines */
	RSB_SIGN_DOWN,
	RSB_SIGN_CUT,
	RSB_SIGN_HERE, /* the instruction that comes next, the top of a stack */
	RSB_SIGN_MISS,
	RSB_SIGN_SAME,
	RSB_SIGN_OTHER,
};
void rsb_area_sign(const struct rsb_area *area, unsigned row, unsigned column,
		   enum rsb_screen_style style, enum rsb_sign sign);
void rsb_area_across(const struct rsb_area *area, unsigned row);
void rsb_area_down(const struct rsb_area *area, unsigned column);

/* Gives a stretch of cells another style. */
void rsb_area_style(const struct rsb_area *area, unsigned row, unsigned column, unsigned width,
		    enum rsb_screen_style style);

/* Writes a character in UTF-8, ended by a zero; returns its bytes. */
unsigned rsb_character_bytes(uint32_t character, char out[5]);

/* Prints the rows, without the spaces at their ends. */
void rsb_screen_print(const struct rsb_screen *screen, FILE *out);

#endif
