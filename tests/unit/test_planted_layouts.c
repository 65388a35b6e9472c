/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imbalances planted in the built-in layouts and in captured kernel code: each must be found beside
 * what was found before, at the instruction that was planted, and nothing else.
 *
 * A plant that faults, never lands, or changes what else the code does is no imbalance planted in
 * that code, and is drawn again. So is one that would mend what the layout itself has at fault.
 */
#include "sim/image/layout.h"
#include "tests/unit/planted.h"
#include "tests/unit/planted_run.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU          "intel-haswell" /* a plain ring of 16 */
#define PLANTS       100             /* in the built-in layouts, and as many in captured code */
#define FOUND        99              /* of a hundred, at the least, with the right culprit */
#define MOVED_PLANTS 50              /* in layouts that move return addresses about ... */
#define MOVED_FOUND  30              /* ... of which most, at the least, are found */
#define DRAWS        60              /* of a place for a plant, at the most */
#define VAIN         24              /* plants of one layout that cannot be, at the most */
#define PLANTINGS    64              /* plants that are tried in one layout, at the most */
#define KINDS_MAX    16

static const struct rsb_scenario scenario = { "own", 3, 1, 128 };
static struct rsb_error error;

struct planting {
	const struct planted_kind *kind;
	struct planted_place place;
	uint64_t culprit;
};

/* A layout, as it is before anything is planted in it. */
struct ground {
	const char *name;
	struct rsb_layout *layout;
	struct planted_run before;
	struct planted_path path;
	struct planting plantings[PLANTINGS]; /* that were tried */
	unsigned used;
};

struct tally {
	unsigned planted[KINDS_MAX], found[KINDS_MAX];
	unsigned all, right;
	unsigned strayed, mended; /* drawn again */
	unsigned turn;            /* which kind is next */
};

static uint32_t seed;

/* The constants of Numerical Recipes; the same numbers everywhere. */
static unsigned pick(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

/* Each layout has its own numbers, whatever others there are. FNV-1a. */
static void seed_by(const char *name)
{
	seed = 2166136261u;
	for (; *name; name++)
		seed = (seed ^ (uint8_t)*name) * 16777619u;
}

static void open_ground(struct ground *ground, const struct rsb_profile *profile)
{
	ck_assert_msg(ground->layout, "%s", error.text);
	ground->name = rsb_layout_name(ground->layout);
	seed_by(ground->name);
	ground->before.image = rsb_layout_image(ground->layout, &scenario, &error);
	ck_assert_msg(ground->before.image, "%s", error.text);
	ck_assert_msg(planted_run_start(&ground->before, &error), "%s: %s", ground->name,
		      error.text);
	planted_run_explain(&ground->before, profile, &scenario);
	planted_walk(&ground->path, ground->before.image);
}

static void close_ground(struct ground *ground)
{
	free(ground->path.steps);
	planted_run_close(&ground->before);
	rsb_layout_free(ground->layout);
}

/*
 * Is what the layout itself has at fault among what would be moved? Then the plant would mend or
 * move that: the call whose address is dropped, the return that misses.
 */
static bool is_at_fault(const struct rsb_explanation *explanation,
			const struct planted_place *place)
{
	for (size_t i = 0; i < explanation->count; i++) {
		const struct rsb_finding *finding = &explanation->findings[i];

		if (finding->culprit.pc - place->start < place->end - place->start ||
		    finding->call.pc - place->start < place->end - place->start)
			return true;
		for (size_t j = 0; j < finding->miss_count; j++)
			if (finding->misses[j].returned_by.pc == place->site)
				return true;
	}
	return false;
}

/*
 * Does it cost nothing, or is it not the plant's to say what does? Where a mitigation makes every
 * return miss, a slot that is rewritten makes none miss more. And where the layout itself returns
 * to what it pushed, that takes an entry which is left over, the layout's own or the planted one.
 */
static bool is_unclear(const struct rsb_explanation *explanation, const struct planted_kind *kind)
{
	for (size_t i = 0; i < explanation->count; i++) {
		enum rsb_cause cause = explanation->findings[i].cause;

		if ((cause == RSB_CAUSE_INTENDED && kind->cause == RSB_CAUSE_REWRITTEN_RETURN) ||
		    (cause == RSB_CAUSE_PUSHED_RETURN && kind->cause == RSB_CAUSE_SKIPPED_FRAME))
			return true;
	}
	return false;
}

static bool is_like(const struct rsb_finding *a, const struct rsb_finding *b)
{
	if (a->cause != b->cause)
		return false;
	/* With one call more or less open, it is another that there is no room for first. */
	if (a->cause == RSB_CAUSE_OVERFLOW)
		return true;
	return a->cause == RSB_CAUSE_INTENDED ? !strcmp(a->mitigation, b->mitigation)
					      : a->culprit.pc == b->culprit.pc;
}

static bool has_like(const struct rsb_explanation *explanation, const struct rsb_finding *finding)
{
	for (size_t i = 0; i < explanation->count; i++)
		if (is_like(&explanation->findings[i], finding))
			return true;
	return false;
}

/* What the code itself, its mitigations left out, leaves on the stack. */
static double balance_of(const struct rsb_explanation *explanation)
{
	double balance = 0;

	for (size_t i = 0; i < explanation->count; i++)
		if (explanation->findings[i].cause != RSB_CAUSE_INTENDED)
			balance += explanation->findings[i].balance;
	return balance;
}

/* A push where a return was missing leaves nothing to find. */
static bool mends(const struct ground *ground, const struct planted_run *after)
{
	return fabs(balance_of(after->explanation)) <
	       fabs(balance_of(ground->before.explanation)) - 1e-9;
}

/*
 * Says what is found too much, or that the plant is not. What was there before need not be there
 * any more: a return that misses for the plant does not miss a second time.
 */
static bool is_found(const struct ground *ground, const struct planting *planting,
		     const struct planted_run *after)
{
	const struct rsb_explanation *explanation = after->explanation;
	unsigned found = 0, others = 0;
	char where[256];

	rsb_image_describe(ground->before.image, planting->place.site, where, sizeof(where));
	for (size_t i = 0; i < explanation->count; i++) {
		const struct rsb_finding *finding = &explanation->findings[i];
		const struct rsb_instruction *culprit = &finding->culprit;

		if (finding->cause == planting->kind->cause && culprit->pc == planting->culprit) {
			found++;
		} else if (!has_like(ground->before.explanation, finding)) {
			others++;
			printf("%s, %s at %s: %s at %s: %s\n", ground->name, planting->kind->name,
			       where, rsb_cause_name(finding->cause),
			       culprit->symbol ? culprit->symbol : "no instruction",
			       culprit->symbol ? culprit->text : "");
		}
	}
	if (!found)
		printf("%s, %s at %s: not found\n", ground->name, planting->kind->name, where);
	return found == 1 && !others;
}

/* Draws a place. False: the kind cannot be planted there. */
static bool draw(struct ground *ground, struct planting *planting)
{
	const struct planted_path *path = &ground->path;
	size_t step = path->first + pick((unsigned)(path->end - path->first));

	if (!planted_find(path, ground->before.image, planting->kind, step, &planting->place) ||
	    is_at_fault(ground->before.explanation, &planting->place) ||
	    is_unclear(ground->before.explanation, planting->kind))
		return false;
	for (unsigned i = 0; i < ground->used; i++)
		if (ground->plantings[i].kind == planting->kind &&
		    ground->plantings[i].place.site == planting->place.site)
			return false;
	return true;
}

static void count(struct tally *tally, const struct planted_kind *kind, bool found)
{
	tally->all++;
	tally->planted[kind - planted_kinds]++;
	tally->right += found;
	tally->found[kind - planted_kinds] += found;
}

/* Plants, runs and judges. False: it is no imbalance planted in that code. */
static bool try_out(struct ground *ground, const struct rsb_profile *profile,
		    struct planting *planting, struct tally *tally)
{
	struct planted_run after = { .image = rsb_layout_image(ground->layout, &scenario, &error) };
	bool same, good = false;

	ck_assert_msg(after.image, "%s", error.text);
	planting->culprit = planted_put(after.image, planting->kind, &planting->place);
	same = planted_run_start(&after, &error) &&
	       planted_run_same(&ground->before, &after, &planting->place);
	tally->strayed += !same;
	if (same) {
		planted_run_explain(&after, profile, &scenario);
		good = !mends(ground, &after);
		tally->mended += !good;
	}
	if (good)
		count(tally, planting->kind, is_found(ground, planting, &after));
	planted_run_close(&after);
	return good;
}

static bool plant(struct ground *ground, const struct rsb_profile *profile,
		  const struct planted_kind *kind, struct tally *tally)
{
	struct planting *planting = &ground->plantings[ground->used];

	planting->kind = kind;
	for (unsigned i = 0; i < DRAWS; i++) {
		if (!draw(ground, planting))
			continue;
		ground->used++;
		return try_out(ground, profile, planting, tally);
	}
	return false;
}

/* Plants kinds in turn until there are that many in all. */
static void plant_until(struct ground *ground, const struct rsb_profile *profile,
			struct tally *tally, unsigned wanted)
{
	for (unsigned vain = 0; tally->all < wanted && vain < VAIN && ground->used < PLANTINGS;) {
		const struct planted_kind *kind = &planted_kinds[tally->turn];

		vain += !plant(ground, profile, kind, tally);
		tally->turn = kind[1].name ? tally->turn + 1 : 0;
	}
}

static void tell(const char *what, const struct tally *tally)
{
	printf("%s: %u planted, %u found; besides, %u did something else, %u mended the layout\n",
	       what, tally->all, tally->right, tally->strayed, tally->mended);
	for (size_t i = 0; planted_kinds[i].name; i++)
		printf("  %-28s %3u planted, %3u found\n", planted_kinds[i].name, tally->planted[i],
		       tally->found[i]);
	fflush(stdout);
}

/* What is planted in this layout until there are that many in all. */
static void sow(struct rsb_layout *layout, const struct rsb_profile *profile, struct tally *tally,
		unsigned wanted)
{
	struct ground ground = { .layout = layout };

	open_ground(&ground, profile);
	plant_until(&ground, profile, tally, wanted);
	close_ground(&ground);
}

static void check_tally(const char *what, const struct tally *tally, unsigned plants,
			unsigned found)
{
	tell(what, tally);
	ck_assert_uint_eq(tally->all, plants);
	ck_assert_uint_ge(tally->right, found);
}

/*
 * Code that moves return addresses about, or goes on with another stack: a word that is dropped or
 * added may be one that it moves next, so that the plant shows at another place of the same code.
 */
static bool moves_addresses(const char *name)
{
	static const char *const all[] = { "error-entry", "go-systemstack",
					   "java-",       "paranoid-entry",
					   "switch-to",   "v8-deopt",
					   NULL };

	for (size_t i = 0; all[i]; i++)
		if (!strncmp(name, all[i], strlen(all[i])))
			return true;
	return false;
}

/* From the last layout on: what the plainest have no place for, the others after them take. */
static void sow_layouts(bool moving, unsigned plants, struct tally *tally)
{
	struct rsb_profile *profile = rsb_profile_load(CPU, &error);
	const char *const *names = rsb_layout_names();
	unsigned count = 0, all = 0, at = 0;

	ck_assert_msg(profile, "%s", error.text);
	for (; names[all]; all++)
		count += moves_addresses(names[all]) == moving;
	for (unsigned i = all; i-- > 0;)
		if (moves_addresses(names[i]) == moving)
			sow(rsb_layout_load(names[i], &error), profile, tally,
			    plants * ++at / count);
	rsb_profile_free(profile);
}

/* In code that leaves return addresses alone. */
START_TEST(finds_what_is_planted_in_layouts)
{
	struct tally tally = { 0 };

	sow_layouts(false, PLANTS, &tally);
	check_tally("built-in layouts", &tally, PLANTS, FOUND);
}
END_TEST

/* In code whose own work is to move them, a fault may look like that work. */
START_TEST(finds_most_where_addresses_are_moved)
{
	struct tally tally = { 0 };

	sow_layouts(true, MOVED_PLANTS, &tally);
	check_tally("layouts that move return addresses", &tally, MOVED_PLANTS, MOVED_FOUND);
}
END_TEST

static const char *const captures[][2] = {
	{ "linux-6.1-off", "__x64_sys_getpgid" },
	{ "linux-6.1-off", "__x64_sys_getsid" },
	{ "linux-6.12-off", "__x64_sys_getpgid" },
	{ "linux-6.12-off", "__x64_sys_getsid" },
	{ "linux-6.12-off", "__x64_sys_sched_getscheduler" },
	{ "linux-6.12-off", "security_task_getsid" },
	{ "linux-6.12-srso", "__x64_sys_getpgid" },
	{ "linux-6.12-srso", "__x64_sys_getsid" },
	{ "linux-6.12-calldepth", "__x64_sys_getpgid" },
	{ "linux-6.12-calldepth", "__x64_sys_getsid" },
	{ "linux-7.2-off", "__x64_sys_getpgid" },
	{ "linux-7.2-off", "__x64_sys_getsid" },
	{ "linux-7.2-off", "security_task_getsid" },
};

#define CAPTURES (sizeof(captures) / sizeof(*captures))

static struct rsb_layout *load_capture(const char *folder, const char *const capture[2])
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "{ \"name\": \"%s %s\", \"core\": { \"file\": \"%s.core\", \"symbols\": "
		 "\"%s.kallsyms\" }, \"call\": \"%s\", \"registers\": { \"rdi\": \"scratch\" } }",
		 capture[0], capture[1], capture[0], capture[0], capture[1]);
	return rsb_layout_parse("test", text, strlen(text), folder, &error);
}

/* In kernels' own code. */
START_TEST(finds_what_is_planted_in_captured_code)
{
	struct rsb_profile *profile;
	struct tally tally = { 0 };
	char folder[4096];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	profile = rsb_profile_load(CPU, &error);
	ck_assert_msg(profile, "%s", error.text);
	for (unsigned i = 0; i < CAPTURES; i++)
		sow(load_capture(folder, captures[i]), profile, &tally,
		    PLANTS * (i + 1) / CAPTURES);
	rsb_profile_free(profile);
	check_tally("captured code", &tally, PLANTS, FOUND);
}
END_TEST

UNIT_MAIN("planted in layouts", finds_what_is_planted_in_layouts,
	  finds_most_where_addresses_are_moved, finds_what_is_planted_in_captured_code)
