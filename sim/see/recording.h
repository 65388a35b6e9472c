/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recording: one run of a layout on one CPU, kept so that it can be looked at. Events in their
 * order, with the instructions between them, what was predicted and why it missed; and the state of
 * the return stack and of the program's real stack as differences, which lead forwards and back.
 * The stepper and the page draw from it; rsbsim-recording(5) is its JSON.
 *
 *	recording = rsb_recording_new(image, name, profile, &scenario, &options, &error);
 *	for (i = 0; i < recording->event_count; i++)
 *		... recording->sites[recording->events[i].site] ...
 *
 * Everything refers to everything else by its index in the tables of the recording, which owns all
 * it holds and needs neither the image nor the profile afterwards.
 */
#ifndef RSB_SIM_SEE_RECORDING_H
#define RSB_SIM_SEE_RECORDING_H

#include "models/profile.h"
#include "sim/explain/explain.h"
#include "sim/image/image.h"
#include "sim/score/score.h"

#include <stdio.h>

#define RSB_RECORDING_VERSION 1
#define RSB_RECORDING_EVENTS  100000  /* that are kept, unless options say otherwise */
#define RSB_RECORDING_STEPS   4000000 /* instructions that are kept */
#define RSB_RECORDING_NONE    UINT32_MAX

/* One instruction of the code. */
struct rsb_recorded_line {
	uint64_t pc;
	char *symbol; /* "trampoline+0x5e" */
	char *label;  /* the symbol that begins here; NULL: none */
	char *text;
	uint8_t bytes[15];
	uint8_t length;
	uint8_t mitigation; /* enum rsb_mitigation */
};

/* An address that something goes to, or is predicted to go to. */
struct rsb_recorded_address {
	uint64_t address;
	char *symbol;
	uint32_t line; /* RSB_RECORDING_NONE: it is not in the code */
};

/* What makes events: a row of the site table. Those of marks have no events. */
struct rsb_recorded_site {
	uint32_t line;   /* RSB_RECORDING_NONE: no instruction */
	uint32_t pushes; /* address, of a call or a fill; else RSB_RECORDING_NONE */
	uint8_t kind;    /* enum rsb_kind */
	uint8_t flags;   /* RSB_SITE_... */
	uint8_t mitigation;
	char detail[24]; /* of something outside the code: "fill 32"; else "" */
};

/* What a slot of the return stack can hold; entry 0 is nothing. */
struct rsb_recorded_entry {
	uint32_t address;
	uint32_t pushed_by; /* site; RSB_SITE_NONE: no call */
	uint32_t pushes;    /* calls that it stands for; 0: nothing */
	bool stale;         /* it was popped, and is still there */
};

/* What a place of the program's stack can hold; frame 0 is nothing. */
struct rsb_recorded_frame {
	uint64_t slot;      /* where it lies in memory */
	uint32_t address;   /* the return address that is there */
	uint32_t pushed_by; /* site; RSB_SITE_NONE: no call */
	bool rewritten;     /* the call pushed another address */
};

/* Slot number index held before, and holds after. */
struct rsb_slot_change {
	uint32_t index, before, after; /* entries */
};

/* The same of the program's stack, whose outermost place has index 0. */
struct rsb_frame_change {
	uint32_t index, before, after; /* frames */
	uint32_t step;                 /* after so many of the event's instructions */
};

/* What control-flow enforcement would refuse. */
enum rsb_refused {
	RSB_REFUSED_NOT,
	RSB_REFUSED_SHADOW, /* a return, by a shadow stack */
	RSB_REFUSED_IBT,    /* an indirect jump or call, by indirect branch tracking, if it is on */
};

struct rsb_recorded_event {
	uint32_t site, target; /* target: address */
	uint32_t round;
	uint32_t path, steps; /* lines of its instructions: steps of them from paths[path] */
	uint32_t top_before, top_after;
	uint32_t first_slot_change, slot_changes;
	uint32_t first_frame_change, frame_changes;
	uint32_t predicted; /* address; RSB_RECORDING_NONE: no prediction */
	uint32_t pushed_by; /* of the prediction; RSB_SITE_NONE: no call */
	uint32_t finding;   /* of a miss; RSB_FINDING_NONE */
	uint32_t expected;  /* of a refused return: the address that the shadow stack has instead;
			       RSB_RECORDING_NONE */
	uint8_t refused;    /* enum rsb_refused */
	uint8_t why;        /* enum rsb_shadow_fault_kind or enum rsb_pad */
	uint8_t cause;      /* enum rsb_cause; RSB_CAUSES: not known */
	uint8_t miss_kind;  /* enum rsb_miss_kind, of a miss */
	bool asked;         /* the model predicts such a transfer */
	bool missed, stale, intended;
	bool inside;  /* from the traced call to its landing */
	bool traced;  /* it is the traced call */
	bool landing; /* it reached the caller's return address */
};

enum rsb_phase {
	RSB_PHASE_COLD,   /* the first round */
	RSB_PHASE_WARM,   /* until what repeats begins */
	RSB_PHASE_STEADY, /* what the score's averages are over */
};

struct rsb_recorded_round {
	uint32_t first, count; /* events */
	uint32_t line;         /* where it begins */
	enum rsb_phase phase;
	uint32_t traced_calls;
	/* Returns that miss; and indirect jumps and calls. */
	uint32_t misses_inside, misses_callers, misses_indirect;
};

struct rsb_recording_options {
	size_t events;            /* to keep at the most; 0: RSB_RECORDING_EVENTS */
	const char *return_thunk; /* as in rsb_score_options */
	const char *mitigations;
};

struct rsb_recording {
	char *layout, *cpu, *model;
	const struct rsb_model_type *type; /* must outlive the recording */
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_scenario scenario;
	struct rsb_score *score;
	struct rsb_explanation *explanation; /* with the two verdicts */
	struct rsb_shadow_verdict *shadow;
	struct rsb_ibt_verdict *ibt;
	uint32_t slot_count, top; /* of the return stack, which is empty at first */
	bool exact; /* these are the model's own slots; else what its next returns would say */
	uint64_t rounds_left_out;
	const char *why_left_out; /* NULL: nothing was */
	/* Events from this round on may be refused without saying so; the count of rounds: none. */
	uint64_t refusals_end;

	struct rsb_recorded_line *lines; /* by pc */
	struct rsb_recorded_address *addresses;
	struct rsb_recorded_site *sites;
	struct rsb_recorded_entry *entries;
	struct rsb_recorded_frame *frames;
	struct rsb_recorded_round *rounds;
	struct rsb_recorded_event *events;
	struct rsb_slot_change *slot_changes;
	struct rsb_frame_change *frame_changes;
	uint32_t *paths; /* lines */
	size_t line_count, address_count, site_count, entry_count, frame_count, round_count;
	size_t event_count, slot_change_count, frame_change_count, path_count;
};

/* Runs the image and records it; layout is its name. NULL: error. */
struct rsb_recording *rsb_recording_new(const struct rsb_image *image, const char *layout,
					const struct rsb_profile *profile,
					const struct rsb_scenario *scenario,
					const struct rsb_recording_options *options,
					struct rsb_error *error);
void rsb_recording_free(struct rsb_recording *recording);

/* "shadow stack", "ibt"; "" where nothing is refused. */
const char *rsb_refused_name(enum rsb_refused refused);

/*
 * Why the event is refused: "other address", "empty", "other segment", "not aligned", or what it
 * landed on, "no endbr64"; "" if it is not.
 */
const char *rsb_refused_reason(const struct rsb_recorded_event *event);

/*
 * The same in a sentence: "A shadow stack would refuse this return: it has ..."; "" if it is not.
 */
void rsb_refused_tell(const struct rsb_recording *recording, const struct rsb_recorded_event *event,
		      char *out, size_t size);

/* "cold", "warm", "steady". */
const char *rsb_phase_name(enum rsb_phase phase);

/* Writes it as JSON, an event a line. False: no memory, or a write failed. */
bool rsb_recording_json(FILE *out, const struct rsb_recording *recording, struct rsb_error *error);

#endif
