/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a shadow stack would hold, worked out from the calls and returns, as sim/machine/shadow.c
 * has it: a call pushes, a return pops whether it is refused or not, a round begins with the
 * address that it ends at. Code can also move the shadow stack by instructions that make no event;
 * so each return is held against what the recording says of it, and where that differs nothing is
 * shown.
 *
 * The stack after each event is the newest of a chain of entries, so that any place is known at
 * once.
 */
const SHADOW_EMPTY = -1;
const SHADOW_BASE = 0; /* where the round ends */

class ShadowStack {
	constructor(run) {
		this.run = run;
		this.address = [NO_ADDRESS]; /* of each entry */
		this.below = [SHADOW_EMPTY];
		this.height = [0]; /* entries from there down */
		this.after = new Int32Array(run.count);
		this.known = this.follow();
	}

	/* False: this code does more to its shadow stack than calls and returns do. */
	follow() {
		const { data, roundOf } = this.run;
		let now = SHADOW_BASE;

		if (!data.shadow_stack || data.shadow_stack.answer === "not judged")
			return false;
		for (let i = 0; i < data.events.length; i++) {
			if (i && roundOf[i] !== roundOf[i - 1])
				now = SHADOW_BASE;
			now = this.step(data.events[i], now);
			if (now === undefined)
				return false;
			this.after[i] = now;
		}
		return true;
	}

	step(event, now) {
		const kind = this.run.kind(event.site);
		const pushes = this.run.pushes(event.site);

		if (/far/.test(kind))
			return undefined;
		if (kind === "call" && pushes !== undefined && !this.run.isZeroCall(event.site)) {
			this.address.push(pushes);
			this.height.push(this.height[Math.max(SHADOW_BASE, now)] + 1);
			return this.below.push(now) - 1;
		}
		if (kind !== "return" || this.run.line(event.site) < 0)
			return now;
		if (now === SHADOW_EMPTY)
			return event.reason === "empty" ? now : undefined;
		if (now !== SHADOW_BASE &&
		    this.address[now] !== (event.refused ? event.expected : event.to))
			return undefined;
		return this.below[now];
	}

	/* The newest entry after so many events. */
	newest(at) {
		return at ? Math.max(SHADOW_BASE, this.after[at - 1]) : SHADOW_BASE;
	}

	count(at) {
		return this.height[this.newest(at)];
	}

	/* After so many events: the addresses, the newest first, of at most so many entries. */
	held(at, most) {
		const held = [];

		for (let now = this.newest(at); now > SHADOW_BASE && held.length < most;
			now = this.below[now])
			held.push(this.address[now]);
		return held;
	}

	/* What the return found there; NO_ADDRESS: nothing, or where the round ends. */
	found(event) {
		const { roundOf } = this.run;
		const same = event && roundOf[event] === roundOf[event - 1];

		return this.address[same ? this.newest(event) : SHADOW_BASE];
	}
}
