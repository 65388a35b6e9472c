/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The indirect predictor: a table of last targets, found by the pc alone or by the pc and the path
 * that led to it. It predicts indirect jumps and calls, and returns whose stack is empty where the
 * processor falls back on it.
 */
#ifndef RSB_MODELS_INDIRECT_H
#define RSB_MODELS_INDIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rsb_indirect_by {
	RSB_INDIRECT_NONE, /* there is no such predictor */
	RSB_INDIRECT_LAST, /* by pc */
	RSB_INDIRECT_PATH, /* by pc and the last few targets */
};

/* The choices of a parameter, in the order of enum rsb_indirect_by. */
#define RSB_INDIRECT_CHOICES "none|last|path"

#define RSB_INDIRECT_MAX 65536 /* entries */

struct rsb_indirect;

/* entries: 1 to RSB_INDIRECT_MAX. NULL: no memory. */
struct rsb_indirect *rsb_indirect_new(enum rsb_indirect_by by, uint32_t entries);
void rsb_indirect_free(struct rsb_indirect *indirect);

/* The target last seen at this place. False: none is known. */
bool rsb_indirect_predict(const struct rsb_indirect *indirect, uint64_t pc, uint64_t *target);

/* The branch at pc, which this table predicts, went to target. */
void rsb_indirect_train(struct rsb_indirect *indirect, uint64_t pc, uint64_t target);

/* Any transfer went to target: it becomes part of the path. After rsb_indirect_train(). */
void rsb_indirect_follow(struct rsb_indirect *indirect, uint64_t target);

/* Forgets all targets; the path stays. */
void rsb_indirect_clear(struct rsb_indirect *indirect);

/* NULL: no memory. */
struct rsb_indirect *rsb_indirect_copy(const struct rsb_indirect *from);

/* Makes one like another of the same size. */
void rsb_indirect_assign(struct rsb_indirect *to, const struct rsb_indirect *from);

/* Do they predict alike from here on? */
bool rsb_indirect_same(const struct rsb_indirect *a, const struct rsb_indirect *b);

#endif
