/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a line of perf script holds: the thread of a sample, an address of its callchain, the
 * entries of its branch stack, or one branch with flags. The forms are those that
 * tools/perf/builtin-script.c and tools/perf/util/trace-event-scripting.c of Linux 3.x to 6.x
 * print.
 */
#ifndef RSB_TRACES_IMPORT_PERF_LINE_H
#define RSB_TRACES_IMPORT_PERF_LINE_H

#include "traces/file.h"
#include "traces/import/perf_symbols.h"

#define RSB_PERF_ENTRIES_MAX 1024 /* of a sample: perf makes up no longer stack */

/* A branch, as an entry of a branch stack or as a line with flags. */
struct rsb_perf_branch {
	uint64_t from, to; /* 0: not known */
	const char *label; /* of from, in the line; or NULL */
	uint32_t cycles;
	uint8_t kind;    /* enum rsb_kind; RSB_KINDS: not printed */
	uint8_t flags;   /* RSB_SITE_INDIRECT */
	uint8_t verdict; /* enum rsb_verdict */
	uint8_t length;  /* of the instruction; 0: not printed */
	bool wrong_path; /* it was never retired */
};

/* "ls 3689/3689 [001] 2062.02:", at the start of a line. False: there is none. */
bool rsb_perf_line_thread(const char *line, uint64_t *thread);

/* An address of a callchain, alone or before its symbol. False: the line is none. */
bool rsb_perf_line_chain(const char *line, uint64_t *address);

/*
 * The entries of a branch stack, in the order in which they are printed: the newest first. Cuts the
 * line into pieces. *count is 0 where there are none. False: error has no place yet.
 */
bool rsb_perf_line_stack(char *line, struct rsb_perf_symbols *symbols,
			 struct rsb_perf_branch branches[RSB_PERF_ENTRIES_MAX], size_t *count,
			 struct rsb_error *error);

/* What a line with flags is. */
enum rsb_perf_flagged {
	RSB_PERF_NOT_FLAGGED,
	RSB_PERF_NO_ADDRESS, /* flags without the addresses of the branch */
	RSB_PERF_BRANCH,
	RSB_PERF_STOP, /* a branch that ends tracing, or only the end; its kind is then RSB_KINDS */
	RSB_PERF_START, /* tracing begins at to */
	RSB_PERF_LOST,  /* the decoder lost its way */
};

/* One branch with flags; cuts the line into pieces unless it is none. */
enum rsb_perf_flagged rsb_perf_line_flagged(char *line, struct rsb_perf_branch *branch);

#endif
