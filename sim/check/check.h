/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A check: what rules find in layouts on CPUs, and how that stands against a baseline. A case is
 * one layout on one CPU; its results are what the rules said of it.
 *
 *	rsb_check_run(check, layout, &scenario, profiles, count, &options, &error);
 *	rsb_baseline_compare(baseline, check, today, &error);
 *	format->write(stdout, check, &style, &error);
 */
#ifndef RSB_SIM_CHECK_CHECK_H
#define RSB_SIM_CHECK_CHECK_H

#include "models/profile.h"
#include "sim/image/layout.h"
#include "sim/scenario.h"

struct rsb_rule;

enum rsb_level {
	RSB_LEVEL_OFF,
	RSB_LEVEL_NOTE,    /* worth knowing; never fails a build */
	RSB_LEVEL_WARNING, /* a finding */
	RSB_LEVEL_ERROR,   /* a finding */
	RSB_LEVELS
};

/* "off", "note", "warning", "error". */
const char *rsb_level_name(enum rsb_level level);

/* How a result stands against what is already accepted. */
enum rsb_check_standing {
	RSB_STANDING_NEW,             /* nobody has accepted it */
	RSB_STANDING_EXPECTED,        /* the layout's own "expect" states what it costs */
	RSB_STANDING_UNCHANGED,       /* the baseline has it */
	RSB_STANDING_PROFILE_CHANGED, /* the baseline has it, of another version of the CPU's
					 profile */
	RSB_STANDINGS
};

/* "new", "expected", "unchanged", "profile changed". */
const char *rsb_check_standing_name(enum rsb_check_standing standing);

/* Why it is accepted, for people: "as its file expects", "in the baseline"; "" if it is not. */
const char *rsb_check_standing_words(enum rsb_check_standing standing);

/* An instruction of the layout. symbol NULL: no instruction in particular. */
struct rsb_check_place {
	uint64_t address;
	char *symbol; /* "trampoline+0x5e" */
	char *text;   /* "add rsp, 8" */
	uint8_t bytes[15];
	uint8_t length;
};

/* One step of how it came to be: what happened at a place. */
struct rsb_check_step {
	char *what;
	struct rsb_check_place place;
};

struct rsb_check_result {
	const struct rsb_rule *rule;
	enum rsb_level level;
	enum rsb_check_standing standing;
	char *message, *cause, *advice; /* cause and advice may be "" */
	char *subject;                  /* the symbol, with what changes between builds masked */
	char *reason; /* why it is accepted, or no longer is; NULL: nothing to say */
	struct rsb_check_place place;
	struct rsb_check_step *steps; /* call, culprit, misses */
	size_t step_count;
	bool expired; /* the baseline accepted it until a day that has passed */
	double misses_inside, misses_callers, balance; /* per traced call */
	char fingerprint[17];
};

/* Is it something to fail for? */
bool rsb_check_result_fails(const struct rsb_check_result *result);

/* What two versions of a layout are compared by: per traced call, intended misses left out. */
struct rsb_check_figures {
	double balance, inside, callers;
};

enum rsb_change {
	RSB_CHANGE_NONE, /* not compared */
	RSB_CHANGE_SAME,
	RSB_CHANGE_BETTER,
	RSB_CHANGE_WORSE,
	RSB_CHANGE_ADDED, /* the base has no such layout */
	RSB_CHANGE_GONE,  /* only the base has it */
	RSB_CHANGES
};

/* "", "same", "better", "worse", "added", "gone". */
const char *rsb_change_name(enum rsb_change change);

struct rsb_check_case {
	char *layout, *path;         /* path: of its file, as it was given; "": it has none */
	unsigned line;               /* on which the layout's code stands in that file */
	char *cpu, *model, *version; /* of its profile; all NULL: the layout did not get that far */
	struct rsb_scenario scenario;
	char *trouble; /* why it could not be judged; NULL: it was */
	struct rsb_check_figures figures, base;
	enum rsb_change change;
	struct rsb_check_result *results;
	size_t count;
	char **remarks; /* what is to be known of how it was run (sim/check/remarks.h) */
	size_t remark_count;
};

/* A baselined result that is no longer there. */
struct rsb_check_absent {
	char *rule, *layout, *cpu, *subject; /* rule: its id */
	char fingerprint[17];
	uint64_t count; /* fewer than the baseline has */
};

struct rsb_check {
	struct rsb_check_case *cases;
	size_t count;
	struct rsb_check_absent *absents;
	size_t absent_count;
	bool baselined;        /* a baseline was compared with */
	bool compared;         /* with a base */
	const char *accepting; /* the baseline that is written with what was found; NULL: none */
};

struct rsb_check *rsb_check_new(void); /* NULL: no memory */
void rsb_check_free(struct rsb_check *check);

#define RSB_RULES_MAX 32

struct rsb_check_options {
	uint64_t budget;                      /* as rsb_run_options */
	enum rsb_level levels[RSB_RULES_MAX]; /* of each rule, see rsb_check_levels() */
	bool altered; /* the layout runs otherwise than its file says; its expect is not for that */
	bool mitigations; /* CPUs have the code as Linux has it there: say where that is no change */
	const struct rsb_check *base; /* what to compare with; NULL: nothing */
	const char *base_layout;      /* the name of this layout there; NULL: its own */
	void (*progress)(void *context, uint64_t done, uint64_t of); /* may be NULL */
	void *context;
};

/* Each rule's own level. */
void rsb_check_levels(enum rsb_level levels[RSB_RULES_MAX]);

/*
 * Runs a layout once and judges it on each CPU: a case each. False: want of memory; other trouble
 * is a case's.
 */
bool rsb_check_run(struct rsb_check *check, const struct rsb_layout *layout,
		   const struct rsb_scenario *scenario, struct rsb_profile *const *profiles,
		   size_t profile_count, const struct rsb_check_options *options,
		   struct rsb_error *error);

/* Adds a case for a layout that could not be loaded; path as in a case. False: no memory. */
bool rsb_check_trouble(struct rsb_check *check, const char *layout, const char *path,
		       const char *trouble);

/* Adds a case for each of the base that check has no case of. False: no memory. */
bool rsb_check_gone(struct rsb_check *check, const struct rsb_check *base);

/* How many of what. */
struct rsb_check_counts {
	size_t layouts, cpus, cases, troubles;
	size_t errors, warnings, notes; /* errors and warnings: new ones */
	size_t accepted, absent;
	size_t changes[RSB_CHANGES];
};
struct rsb_check_counts rsb_check_count(const struct rsb_check *check);

#endif
