/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairing what is accounted for with what is made. A call is accounted for before it (by its
 * caller) or at the place where it goes to (by Linux's call thunks), a return before it.
 */
#include "sim/explain/accounting.h"

#include "sim/explain/frame.h"
#include "sim/score/spans.h"

/* What is wrong with an instruction, and which way it moves the software's count. */
enum wrong {
	WRONG_NO_CALL,     /* up */
	WRONG_BARE_RETURN, /* up */
	WRONG_NO_RETURN,   /* down */
	WRONG_BARE_CALL,   /* down */
	WRONG_COUNT
};

static const char *const words[] = {
	[WRONG_NO_CALL] = "accounts for a call that is not made",
	[WRONG_BARE_RETURN] = "returns without being accounted for",
	[WRONG_NO_RETURN] = "accounts for a return that is not made",
	[WRONG_BARE_CALL] = "calls without being accounted for",
};

/* What is still without its other half; 0: nothing. */
struct pairing {
	const struct rsb_site *sites;
	uint64_t account, return_account; /* pc of what accounts */
	uint64_t call;                    /* pc of a call */
	unsigned retpolines;              /* calls of retpolines whose return is still to come */
	bool inside;
	uint64_t calls, returns;     /* accounted for, in spans */
	uint64_t first[WRONG_COUNT]; /* pc of the first of each kind in a span; 0: none */
};

static void blame(struct pairing *pairing, enum wrong wrong, uint64_t pc)
{
	if (pc && pairing->inside && !pairing->first[wrong])
		pairing->first[wrong] = pc;
}

static void meet_account(struct pairing *pairing, const struct rsb_frame_account *account)
{
	if (account->is_return) {
		pairing->returns += pairing->inside;
		blame(pairing, WRONG_NO_RETURN, pairing->return_account);
		pairing->return_account = account->pc;
		return;
	}
	pairing->calls += pairing->inside;
	if (account->after_call && pairing->call) {
		pairing->call = 0;
		return;
	}
	blame(pairing, WRONG_NO_CALL, pairing->account);
	pairing->account = account->pc;
}

static void meet_call(struct pairing *pairing, const struct rsb_site *site)
{
	if (site->mitigation != RSB_MITIGATION_NONE) {
		pairing->retpolines += site->mitigation == RSB_MITIGATION_JUMP;
		return;
	}
	blame(pairing, WRONG_BARE_CALL, pairing->call);
	pairing->call = pairing->account ? 0 : site->pc;
	pairing->account = 0;
}

static void meet_return(struct pairing *pairing, const struct rsb_site *site)
{
	if (pairing->retpolines) {
		pairing->retpolines--;
		return;
	}
	blame(pairing, WRONG_BARE_CALL, pairing->call);
	blame(pairing, WRONG_NO_CALL, pairing->account);
	if (!pairing->return_account)
		blame(pairing, WRONG_BARE_RETURN, site->pc);
	pairing->call = pairing->account = pairing->return_account = 0;
}

/* The caller's own call is accounted for before the span begins. */
static void meet_mark(struct pairing *pairing, const struct rsb_site *site)
{
	if (site->detail == RSB_MARK_TRACED_CALL) {
		pairing->inside = true;
		pairing->calls += pairing->account != 0;
	} else if (site->detail == RSB_MARK_LANDING) {
		pairing->inside = false;
	}
}

static void meet(struct pairing *pairing, const struct rsb_site *site)
{
	switch (site->kind) {
	case RSB_MARK:
		meet_mark(pairing, site);
		break;
	case RSB_CALL:
		meet_call(pairing, site);
		break;
	case RSB_RETURN:
		meet_return(pairing, site);
		break;
	default:
		break;
	}
}

static void pair_round(struct pairing *pairing, const struct rsb_sequence *sequence,
		       const struct rsb_frame_round *round)
{
	uint32_t place = 0;
	size_t next = 0;

	for (size_t i = 0; i < sequence->count; i++) {
		const struct rsb_site *site = &pairing->sites[sequence->events[i].site];
		bool counts = site->kind == RSB_CALL || site->kind == RSB_RETURN;

		/* What is before the traced call is before its mark too. */
		if (counts || (site->kind == RSB_MARK && site->detail == RSB_MARK_TRACED_CALL))
			while (next < round->account_count && round->accounts[next].place <= place)
				meet_account(pairing, &round->accounts[next++]);
		meet(pairing, site);
		place += counts;
	}
}

/* The instruction to blame for a difference of that sign. */
static bool fill_culprit(struct rsb_accounting *accounting, const struct pairing *pairing,
			 const struct rsb_namer *namer)
{
	double more = accounting->software_balance - accounting->hardware_balance;
	enum wrong wrong = more > 0 ? WRONG_NO_CALL : WRONG_NO_RETURN;

	if (more == 0)
		return true;
	if (!pairing->first[wrong])
		wrong++;
	if (!pairing->first[wrong])
		return true;
	accounting->what = words[wrong];
	return rsb_place_instruction(namer, pairing->first[wrong], &accounting->culprit);
}

bool rsb_accounting_find(const struct rsb_frames *frames, const struct rsb_profile *profile,
			 const struct rsb_namer *namer, uint64_t from, uint64_t end,
			 struct rsb_accounting *accounting)
{
	const struct rsb_run *run = rsb_frames_run(frames);
	bool zero_call_pushes = rsb_profile_zero_call_pushes(profile);
	struct rsb_spans total = { 0 };
	struct pairing pairing = { 0 };
	size_t count;
	double traced;

	pairing.sites = rsb_sites_array(rsb_run_sites(run), &count);
	for (uint64_t i = from; i < end; i++) {
		const struct rsb_sequence *sequence = rsb_run_sequence(run, rsb_run_round(run, i));
		struct rsb_spans spans = rsb_spans_count(sequence, pairing.sites, zero_call_pushes);

		rsb_spans_add(&total, &spans);
		pair_round(&pairing, sequence,
			   rsb_frames_round(frames, rsb_frames_like(frames, i)));
	}
	accounting->known = pairing.calls || pairing.returns;
	if (!accounting->known)
		return true;
	traced = (double)total.traced_calls;
	accounting->calls = (double)pairing.calls / traced;
	accounting->returns = (double)pairing.returns / traced;
	accounting->software_balance = accounting->calls - accounting->returns;
	accounting->hardware_balance = (double)total.balance_layout / traced;
	return fill_culprit(accounting, &pairing, namer);
}
