/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a row of a comparison is measured by: images of a layout, each beside the one that it is
 * measured against.
 *
 * That is its twin, if the code is generated: the same code with an indirect jump in place of each
 * return but the paired ones (sim/native/paired.h), so that nothing is left in it that any return
 * stack could get wrong. Other code is measured against plain-call.
 *
 * The variants are the same code elsewhere in a cache line, and with balanced calls of a function
 * that does nothing between the traced calls. Neither should matter to a return stack.
 */
#ifndef RSB_SIM_NATIVE_SUBJECT_H
#define RSB_SIM_NATIVE_SUBJECT_H

#include "sim/image/layout.h"
#include "sim/native/expect.h"

#define RSB_ALIGNMENTS       4 /* places of the code within a cache line, 16 bytes apart */
#define RSB_SUBJECT_VARIANTS 7
#define RSB_SUBJECT_RETURNS  1024 /* that are made to miss at most; their images are some 256 MiB */

struct rsb_subject_variant {
	unsigned shift;   /* bytes */
	unsigned helpers; /* calls before each traced call */
};

/* The usual one; the others of the alignments; and with 1, 2 and 4 helpers. */
extern const struct rsb_subject_variant rsb_subject_variants[RSB_SUBJECT_VARIANTS];

struct rsb_subject_images {
	struct rsb_image *own, *against;
	struct rsb_expected expected; /* of its own */
	double jumps; /* returns in a round that are jumps in the twin; 0: no twin */
};

/*
 * A return that is made to miss where it stands, in an image of its own: in its place is a push and
 * a return to what is pushed, from where a jump goes on. That takes as much off the return stack as
 * the return itself, and is never predicted. If it costs nothing more, the return missed already.
 */
struct rsb_subject_return {
	struct rsb_image *image;
	double runs;    /* in a round */
	char place[64]; /* "caller_7+0x7" */
};

struct rsb_subject {
	struct rsb_subject_images variants[RSB_SUBJECT_VARIANTS];
	size_t count;                       /* of them */
	struct rsb_subject_return *returns; /* of the first; all but the paired ones */
	size_t return_count;
};

struct rsb_subject_options {
	const struct rsb_profile *profile;
	struct rsb_layout *reference; /* what other code is measured against */
	size_t variants;              /* at most; other code has one */
	bool each;                    /* make the images of returns too; other code has none */
	bool allow;                   /* code that is not generated */
};

/*
 * Makes the images; the layouts' how (rsb_layout_set_how()) is changed. False: error says why the
 * layout is not run. rsb_subject_clear() in any case.
 */
bool rsb_subject_make(struct rsb_subject *subject, struct rsb_layout *layout,
		      const struct rsb_scenario *scenario,
		      const struct rsb_subject_options *options, struct rsb_error *error);
void rsb_subject_clear(struct rsb_subject *subject);

#endif
