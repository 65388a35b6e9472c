/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms of an image's code: how all of it returns and calls indirectly, callers included. Every
 * generated layout has these as parameters beside its family's; in a kernel image they are read off
 * the image.
 */
#ifndef RSB_SIM_GENERATE_FORMS_H
#define RSB_SIM_GENERATE_FORMS_H

#include "models/profile.h"

/* The choices of "return_thunk", in the order of the enumeration, and of "indirect". */
#define RSB_RETURN_THUNKS  "none|rethunk|retbleed|its|srso|srso-alias|call-depth"
#define RSB_INDIRECT_FORMS "direct|retpoline|lfence|its"

enum rsb_return_thunk {
	RSB_THUNK_NONE,       /* ret */
	RSB_THUNK_RETHUNK,    /* jmp to ret; int3 */
	RSB_THUNK_RETBLEED,   /* the same, aligned as on Zen 1 and 2 */
	RSB_THUNK_ITS,        /* the same, in the upper half of a line */
	RSB_THUNK_SRSO,       /* safe RET, families 17h */
	RSB_THUNK_SRSO_ALIAS, /* safe RET, family 19h */
	RSB_THUNK_CALL_DEPTH, /* call depth tracking: shl, refill when it runs out */
	RSB_THUNK_EXTERNAL,   /* not a choice: a kernel image's own thunk */
};

enum rsb_indirect {
	RSB_INDIRECT_DIRECT, /* call *reg, jmp *reg */
	RSB_INDIRECT_RETPOLINE,
	RSB_INDIRECT_LFENCE, /* lfence before it */
	RSB_INDIRECT_ITS,    /* the jmp *reg in the upper half of a line */
};

/*
 * What stands in place of the ret instructions of code that is measured against itself
 * (sim/native/subject.h). All zeros: nothing does.
 */
struct rsb_returns_how {
	bool jump; /* lea 8(%rsp), %rsp; jmp *-8(%rsp) in place of each, but those kept */
	bool pad;  /* int3 behind each but those, up to the longest that may be in its place */
	const bool *kept; /* by their numbers (rsb_image_returns()) */
	size_t kept_count;
	size_t forced; /* the number, and 1, of one that is made to miss; 0: none */
};

struct rsb_forms {
	enum rsb_return_thunk return_thunk;
	enum rsb_indirect indirect;
	uint64_t thunk; /* RSB_THUNK_EXTERNAL: its address */
	bool account;   /* each call is preceded by sarq $5 of the call depth variable ... */
	int64_t account_offset; /* ... which is at gs:this (32 bits, no base register) */
	struct rsb_returns_how returns;
};

/* The rows "return_thunk" and "indirect". */
extern const struct rsb_parameter rsb_forms_parameters[];

/*
 * Where a generated image keeps the call depth variable, from its GS base: where Linux 6.12 has it
 * from the start of pcpu_hot.
 */
#define RSB_FORMS_CALL_DEPTH 16

/* "srso-alias": the choice's name. */
const char *rsb_return_thunk_name(enum rsb_return_thunk thunk, char *out, size_t size);

/*
 * Can code with this return thunk, a word of "return_thunk", run on this processor? Linux gives
 * each thunk to some processors of one vendor only. Of an unknown vendor ("") all is possible; of
 * one of whose mitigations nothing is known, all of its vendor.
 */
bool rsb_return_thunk_occurs(const char *thunk, const struct rsb_profile *profile);

/* From values of those rows; account follows from return_thunk. */
struct rsb_forms rsb_forms_make(const int64_t *values);

#endif
