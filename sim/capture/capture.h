/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taking a capture (what one is: sim/image/capture.h). Functions of a kernel's memory image are run
 * as a score would run them, and the pages that they touch, or that a score reads to know what the
 * code is, are kept as they were when they were first read. So the capture gives the figures that
 * the whole image gives.
 *
 *	capture = rsb_capture_new();
 *	for each layout
 *		rsb_capture_add(capture, layout, &options, &error);
 *	rsb_capture_write_core(capture, core, &error);
 *	rsb_capture_write_symbols(capture, "kallsyms", symbols, &error);
 */
#ifndef RSB_SIM_CAPTURE_CAPTURE_H
#define RSB_SIM_CAPTURE_CAPTURE_H

#include "sim/image/layout.h"

#include <stdio.h>

struct rsb_capture;

struct rsb_capture_options {
	uint64_t budget;                                             /* as rsb_machine_options */
	void (*progress)(void *context, uint64_t done, uint64_t of); /* may be NULL */
	void *context;
};

struct rsb_capture *rsb_capture_new(void); /* NULL: no memory */
void rsb_capture_free(struct rsb_capture *capture);

/*
 * Runs the layout, which has a core as its source, in both named scenarios, and keeps its pages.
 * All layouts of a capture are of one core. Error: the run's.
 */
bool rsb_capture_add(struct rsb_capture *capture, struct rsb_layout *layout,
		     const struct rsb_capture_options *options, struct rsb_error *error);

/* How many pages are kept by now. */
size_t rsb_capture_pages(const struct rsb_capture *capture);

/* Writes an ELF core of these pages. The same pages give the same bytes. Error: it cannot be
 * written. */
bool rsb_capture_write_core(const struct rsb_capture *capture, FILE *out, struct rsb_error *error);

/*
 * Writes the symbols on these pages, as the file at path lists them, sorted by address; and the
 * nearest ones before and behind each run of pages, by which what is in between is named. Behind
 * each function that a layout called stands a symbol that says so (RSB_CAPTURE_CALLED).
 */
bool rsb_capture_write_symbols(const struct rsb_capture *capture, const char *path, FILE *out,
			       struct rsb_error *error);

#endif
