/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Indirect branch tracking: what each indirect branch of the rounds lands on. */
#include "sim/explain/ibt.h"

#include "sim/explain/again.h"
#include "sim/explain/place.h"
#include "sim/explain/refusals.h"
#include "traces/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORY_SIZE 1024
#define NOTRACK    0x3e /* the prefix */

static const uint8_t endbr64[RSB_PAD_SIZE] = { 0xf3, 0x0f, 0x1e, 0xfa };

/*
 * Linux writes over an endbr64 that nothing takes the address of; gen_endbr_poison() of
 * arch/x86/include/asm/ibt.h: the first from 5.18 on, the second since 2025.
 */
static const struct {
	uint8_t bytes[RSB_PAD_SIZE];
	enum rsb_pad pad;
} pads[] = {
	{ { 0xf3, 0x0f, 0x1e, 0xfa }, RSB_PAD_ENDBR64 },
	{ { 0xf3, 0x0f, 0x1e, 0xfb }, RSB_PAD_ENDBR32 },
	{ { 0x66, 0x0f, 0x1f, 0x00 }, RSB_PAD_SEALED },
	{ { 0x0f, 0x1f, 0x40, 0xd6 }, RSB_PAD_SEALED },
};

const char *rsb_pad_name(enum rsb_pad pad)
{
	static const char *const names[] = {
		[RSB_PAD_ENDBR64] = "an endbr64",
		[RSB_PAD_ENDBR32] = "an endbr32, which is for 32-bit code",
		[RSB_PAD_SEALED] = "an endbr64 that was sealed",
		[RSB_PAD_FINEIBT] =
			"a function behind its FineIBT preamble, which is where to land",
		[RSB_PAD_NONE] = "no endbr64",
	};

	return names[pad];
}

enum rsb_pad rsb_pad_find(const uint8_t landed[RSB_PAD_SIZE], const uint8_t *preamble)
{
	for (size_t i = 0; i < sizeof(pads) / sizeof(pads[0]); i++) {
		if (memcmp(landed, pads[i].bytes, RSB_PAD_SIZE) != 0)
			continue;
		if (pads[i].pad == RSB_PAD_SEALED && preamble &&
		    memcmp(preamble, endbr64, RSB_PAD_SIZE) == 0)
			return RSB_PAD_FINEIBT;
		return pads[i].pad;
	}
	return RSB_PAD_NONE;
}

struct watch {
	const struct rsb_again *again;
	struct rsb_ibt_verdict *verdict;
	bool notrack;    /* the prefix counts */
	uint64_t branch; /* an indirect one that has not landed; 0: none */
	uint64_t first_branch, first_landed;
	struct rsb_refusals *refusals; /* NULL: nobody wants to know each */
};

/* Far calls and jumps are tracked whatever stands before them (Intel SDM volume 1, 17.3.1). */
static bool has_notrack(const uint8_t *bytes, uint32_t size)
{
	/* The opcode of an indirect branch; what stands before it are prefixes. */
	const uint8_t *opcode = memchr(bytes, 0xff, size - 1);
	unsigned digit = opcode ? opcode[1] >> 3 & 7 : 0;

	return (digit == 2 || digit == 4) && memchr(bytes, NOTRACK, (size_t)(opcode - bytes));
}

static void land(struct watch *watch, uint64_t pc)
{
	uint8_t landed[RSB_PAD_SIZE] = { 0 }, preamble[RSB_PAD_SIZE];
	bool before = rsb_machine_read(watch->again->machine, pc - RSB_PREAMBLE_SIZE, preamble,
				       sizeof(preamble)) == sizeof(preamble);
	enum rsb_pad pad;

	rsb_machine_read(watch->again->machine, pc, landed, sizeof(landed));
	pad = rsb_pad_find(landed, before ? preamble : NULL);
	if (watch->refusals)
		rsb_refusals_see(watch->refusals, watch->again->rounds, watch->branch,
				 pad == RSB_PAD_ENDBR64
					 ? NULL
					 : &(struct rsb_refusal){ .why = (uint8_t)pad });
	if (pad != RSB_PAD_ENDBR64 && !watch->verdict->violations++) {
		watch->first_branch = watch->branch;
		watch->first_landed = pc;
		watch->verdict->pad = pad;
	}
	watch->branch = 0;
}

static void on_instruction(void *context, uint64_t pc, uint32_t size, uint64_t rsp)
{
	struct watch *watch = context;
	uint8_t bytes[RSB_INSTRUCTION_MAX];
	struct rsb_transfer transfer;

	(void)rsp;
	if (watch->branch)
		land(watch, pc);
	if (size > sizeof(bytes) ||
	    rsb_machine_read(watch->again->machine, pc, bytes, size) != size)
		return;
	transfer = rsb_transfer_x86_64(bytes, size, pc);
	if (!transfer.transfers ||
	    (transfer.kind != RSB_JUMP_INDIRECT && !(transfer.flags & RSB_SITE_INDIRECT)))
		return;
	if (watch->notrack && has_notrack(bytes, size)) {
		watch->verdict->untracked++;
		return;
	}
	watch->verdict->tracked++;
	watch->branch = pc;
}

static char *tell(const struct rsb_ibt_verdict *verdict)
{
	char story[STORY_SIZE];

	if (!verdict->on)
		return strdup("");
	if (!verdict->tracked)
		return strdup("there is no indirect branch to track");
	if (!verdict->violations)
		return strdup("each indirect branch lands on an endbr64");
	snprintf(story, sizeof(story), "`%s` at %s lands on %s: `%s` at %s", verdict->branch.text,
		 verdict->branch.symbol, rsb_pad_name(verdict->pad), verdict->landed.text,
		 verdict->landed.symbol);
	return strdup(story);
}

static bool conclude(const struct rsb_image *image, const struct watch *watch,
		     struct rsb_ibt_verdict *verdict, struct rsb_error *error)
{
	struct rsb_namer namer = { .image = image };
	bool good = rsb_disassembler_open(&namer.disassembler);

	verdict->clean = verdict->on && !verdict->violations;
	if (good && verdict->violations)
		good = rsb_place_instruction(&namer, watch->first_branch, &verdict->branch) &&
		       rsb_place_instruction(&namer, watch->first_landed, &verdict->landed);
	good = good && (verdict->story = tell(verdict));
	rsb_disassembler_close(&namer.disassembler);
	return good || rsb_error_set(error, "out of memory");
}

static bool judge(const struct rsb_image *image, const struct rsb_run *run,
		  struct rsb_ibt_verdict *verdict, struct rsb_refusals *refusals,
		  struct rsb_error *error)
{
	unsigned cet = rsb_image_cet(image);
	struct rsb_again again = { 0 };
	struct watch watch = { .again = &again,
			       .verdict = verdict,
			       .notrack = cet & RSB_CET_NOTRACK,
			       .refusals = refusals };
	const struct rsb_watcher watcher = { .instruction = on_instruction, .context = &watch };

	*verdict = (struct rsb_ibt_verdict){ .on = cet & RSB_CET_IBT };
	if (verdict->on) {
		if (!rsb_again_run(&again, image, run, false, &watcher, error))
			return false;
		verdict->rounds = again.rounds;
		rsb_again_close(&again);
		if (refusals && !rsb_refusals_end(refusals, run))
			return rsb_error_set(error, "out of memory");
	}
	if (conclude(image, &watch, verdict, error))
		return true;
	rsb_ibt_verdict_clear(verdict);
	return false;
}

bool rsb_ibt_judge(const struct rsb_image *image, const struct rsb_run *run,
		   struct rsb_ibt_verdict *verdict, struct rsb_error *error)
{
	return judge(image, run, verdict, NULL, error);
}

bool rsb_ibt_judge_each(const struct rsb_image *image, const struct rsb_run *run,
			struct rsb_ibt_verdict *verdict, struct rsb_refusals *refusals,
			struct rsb_error *error)
{
	return judge(image, run, verdict, refusals, error);
}

void rsb_ibt_verdict_clear(struct rsb_ibt_verdict *verdict)
{
	rsb_place_clear(&verdict->branch);
	rsb_place_clear(&verdict->landed);
	free(verdict->story);
	*verdict = (struct rsb_ibt_verdict){ 0 };
}
