/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile in memory, and reading it from JSON. Private to profile*.c. */
#ifndef RSB_MODELS_PROFILE_READ_H
#define RSB_MODELS_PROFILE_READ_H

#include "models/profile.h"
#include "traces/util/json.h"

#define RSB_FACT_OTHERS_MAX  8 /* other values that a fact may list */
#define RSB_PROFILE_ALSO_MAX 4 /* return thunks besides the default one */
#define RSB_FACTS_MAX        (RSB_PARAMETERS_MAX + RSB_QUANTITIES + 1 + RSB_PROFILE_ALSO_MAX)

/* A fact, and room for those of its texts that are not in the file as they are shown. */
struct rsb_fact_slot {
	struct rsb_fact *fact;
	char value[48];
	char others[RSB_FACT_OTHERS_MAX][48];
	const char *list[RSB_FACT_OTHERS_MAX + 1];
};

struct rsb_profile {
	struct rsb_json *json; /* owns all texts that the slots do not; NULL: no file */
	char *own_name;        /* of one without a file */
	bool is_model;         /* of no CPU: nothing is claimed of it */
	const char *name, *summary, *vendor, *arch;
	char version[24];
	const char **notes;

	const struct rsb_model_type *type;
	int64_t values[RSB_PARAMETERS_MAX];
	bool quantity_known[RSB_QUANTITIES];
	double quantities[RSB_QUANTITIES][2]; /* from, to */

	struct rsb_fact facts[RSB_FACTS_MAX];
	struct rsb_fact_slot slots[RSB_FACTS_MAX]; /* of the same index */
	size_t fact_count;
	const struct rsb_fact *return_thunk; /* among them */
};

/* Fills a zeroed profile that has its json. On failure it may be half filled. */
bool rsb_profile_read(struct rsb_profile *profile, struct rsb_error *error);

/*
 * Reads a text of object, whose name in messages is owner. Without it *out is as it was, or it is
 * an error if needed.
 */
bool rsb_profile_text(const struct rsb_json *json, const cJSON *object, const char *owner,
		      const char *key, bool needed, const char **out, struct rsb_error *error);

/* Is item a text that can be shown as it is? Control characters could act on a terminal. */
bool rsb_profile_text_check(const struct rsb_json *json, const cJSON *item, const char *owner,
			    const char *key, struct rsb_error *error);

/* The next slot of the profile: its fact is the profile's from here on. */
struct rsb_fact_slot *rsb_fact_take(struct rsb_profile *profile);

/* A fact that a file leaves out: not known, and the parameter's default is assumed. */
void rsb_fact_leave_out(struct rsb_fact_slot *slot, const struct rsb_parameter *row);

/*
 * Reads what object says of rows[row] into the slot, and its value (or the assumed one) into
 * values[row].
 */
bool rsb_fact_read(struct rsb_fact_slot *slot, const struct rsb_json *json, const cJSON *object,
		   const struct rsb_parameter *rows, int row, int64_t *values,
		   struct rsb_error *error);

/* Reads what object says of a quantity, which may be null, into the profile. */
bool rsb_fact_read_quantity(struct rsb_profile *profile, const cJSON *object,
			    enum rsb_quantity quantity, struct rsb_error *error);

/* The penalty of a profile that does not speak of it. */
void rsb_fact_leave_out_penalty(struct rsb_profile *profile);

#endif
