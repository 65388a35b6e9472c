/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU profile: a model with one CPU's parameters, each with its source and how strong that is.
 * Profiles are JSON files: the built-in ones are models/cpus/NAME.json, kept inside the library;
 * any other file is named by a path (a name with a slash or ending in .json). See rsbsim-cpu(5).
 */
#ifndef RSB_MODELS_PROFILE_H
#define RSB_MODELS_PROFILE_H

#include "models/model.h"

/* From strong to weak; the words of the files are vendor, rtl, measured, inferred and assumed. */
enum rsb_strength {
	RSB_STRENGTH_VENDOR,
	RSB_STRENGTH_RTL,
	RSB_STRENGTH_MEASURED,
	RSB_STRENGTH_INFERRED,
	RSB_STRENGTH_ASSUMED,
};

/* One field of a profile: where its value comes from. */
struct rsb_fact {
	const char *name;  /* of the parameter or quantity, or "return_thunk" */
	const char *value; /* as text; "unknown" if the file says null */
	const char *source;
	const char *assumed;       /* when value is unknown: the value used instead; else NULL */
	const char *const *others; /* besides the assumed one: values that may be true as well,
				      ended by NULL; never NULL */
	enum rsb_strength strength;
};

/*
 * What a profile may say in numbers beside the parameters of its model: intervals, which decide no
 * prediction, only what things cost. One that is not known is never assumed.
 */
enum rsb_quantity {
	RSB_QUANTITY_PENALTY,
	RSB_QUANTITY_CR3_WRITE,
	RSB_QUANTITY_TLB_FLUSH,
	RSB_QUANTITY_WIDTH,
	RSB_QUANTITY_CLOCK,
	RSB_QUANTITIES,
};

struct rsb_quantity_row {
	const char *name; /* "penalty": the key in "fields" */
	const char *unit; /* "cycles" */
	const char *sentence;
	double maximum;
};

/* By enum rsb_quantity. */
extern const struct rsb_quantity_row rsb_quantities[RSB_QUANTITIES];

struct rsb_profile;

/*
 * A built-in name or a path. NULL: error names the file, line, key and what was expected, or lists
 * the nearest known names.
 */
struct rsb_profile *rsb_profile_load(const char *name_or_path, struct rsb_error *error);
void rsb_profile_free(struct rsb_profile *profile);

/*
 * A model by itself: its default parameters, of no CPU. name is what tables call it. The type must
 * outlive the profile. NULL: no memory.
 */
struct rsb_profile *rsb_profile_of_model(const struct rsb_model_type *type, const char *name,
					 struct rsb_error *error);

/*
 * The same with another value of one parameter, its facts as they are; to be freed before profile.
 * NULL: error.
 */
struct rsb_profile *rsb_profile_vary(const struct rsb_profile *profile, const char *name,
				     const char *text, struct rsb_error *error);

/* The names of the built-in profiles, sorted, ended by NULL. */
const char *const *rsb_profile_names(void);

const char *rsb_profile_name(const struct rsb_profile *profile);
const char *rsb_profile_summary(const struct rsb_profile *profile);
const char *rsb_profile_vendor(const struct rsb_profile *profile); /* "Intel" */
const char *rsb_profile_arch(const struct rsb_profile *profile);   /* "x86_64" */

/*
 * May it run code of this instruction set? An empty one, of the profile or of the code, may be
 * any.
 */
bool rsb_profile_runs(const struct rsb_profile *profile, const char *arch);
const char *rsb_profile_version(const struct rsb_profile *profile);
const struct rsb_model_type *rsb_profile_type(const struct rsb_profile *profile);
const int64_t *rsb_profile_values(const struct rsb_profile *profile);

/* Entries of its return stack; SIZE_MAX for an unbounded one. */
size_t rsb_profile_depth(const struct rsb_profile *profile);

/* Calls that can be in flight beside that stack; 0: none. */
size_t rsb_profile_in_flight(const struct rsb_profile *profile);

/* Does a call to the next instruction push? */
bool rsb_profile_zero_call_pushes(const struct rsb_profile *profile);

/* Does an indirect branch prediction barrier empty the return stack? */
bool rsb_profile_ibpb_clears(const struct rsb_profile *profile);

/* A quantity, from and to. False: not known. */
bool rsb_profile_quantity(const struct rsb_profile *profile, enum rsb_quantity quantity,
			  double *low, double *high);

/* The cost of one mispredicted return, in cycles: RSB_QUANTITY_PENALTY. */
bool rsb_profile_penalty(const struct rsb_profile *profile, double *low, double *high);

/*
 * How Linux has its functions return on this CPU by default: "none", "rethunk", "retbleed", "its",
 * "srso", "srso-alias" or "call-depth".
 */
const char *rsb_profile_mitigation(const struct rsb_profile *profile);

/* Is this return thunk that one, or one that Linux has there too (without SMT, by an option of its
 * command line)? If the profile does not say how it returns, any may be. */
bool rsb_profile_may_return_by(const struct rsb_profile *profile, const char *thunk);

/*
 * Changes one parameter, as --set does: that fact is then one the user assumes. The values together
 * are checked when a model is made, so that parameters can be set one after the other.
 */
bool rsb_profile_set(struct rsb_profile *profile, const char *name, const char *text,
		     struct rsb_error *error);

/*
 * All facts, and how many: what the file says of the model's parameters, in their order, with those
 * that decide (see below) there in any case; its quantities, the penalty in any case;
 * return_thunk; and what was set besides. Owned by the profile.
 */
const struct rsb_fact *rsb_profile_facts(const struct rsb_profile *profile, size_t *count);

/* Is this one of the fields that decide the predictions of plain calls and returns? */
bool rsb_fact_decides(const char *name);

/*
 * How well it is known, in one word: of the fields that decide the predictions of plain calls and
 * returns (depth, overflow, underflow, zero_call_pushes), the weakest. "documented" (by the vendor
 * or its RTL), "measured", "inferred" or "assumed"; weakest is set to that field's name (may be
 * NULL as an argument). A model by itself is "none", and weakest is then "".
 */
const char *rsb_profile_known(const struct rsb_profile *profile, const char **weakest);

/* Notes of the file (disagreements, what is not modelled), ended by NULL. Owned by the profile. */
const char *const *rsb_profile_notes(const struct rsb_profile *profile);

/* A model as this CPU has it, empty. NULL: error. */
struct rsb_model *rsb_profile_model(const struct rsb_profile *profile, struct rsb_error *error);

#endif
