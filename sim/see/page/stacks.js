/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stacks side by side, newest first: what the return stack buffer would predict, where the
 * program's own stack will really return to, and what a shadow stack would hold it against. Where a
 * row differs, a return will miss. Above each stack is what the last event did to it.
 */

const SLOTS_SHOWN = 64;

/* Is the entry that lies so far below the top one that was popped before? */
function isStale(track, at, below, entry) {
	if (entry.stale !== undefined)
		return entry.stale;
	return below >= (at ? track.heldAfter[at - 1] : 0);
}

function listMore(count) {
	return count > SLOTS_SHOWN
		? [make("li", { class: "more" }, "and " + (count - SLOTS_SHOWN) + " below")] : [];
}

/* One of the stacks, with its heading, how much is in it, and what the last event did. */
class StackCard {
	constructor(title, hint, label) {
		this.high = make("p", { class: "held" });
		this.done = make("p", { class: "done" });
		this.list = make("ol", { class: "slots", "aria-label": label });
		this.element = make("section", { class: "card" }, make("h4", {}, title), this.high,
			make("p", { class: "hint" }, hint), this.done, this.list);
	}

	/* What became of it: "predicted", a name, and whether that was right, if it matters. */
	tell(verb, name, verdict, more) {
		this.done.className = "done " + (verdict || (name ? "" : "none"));
		this.done.replaceChildren(make("span", {}, verb), ...(name
			? [make("span", { class: "where" }, breakName(name))] : EMPTY),
			...(more ? [make("span", {}, more)] : EMPTY));
	}
}

class StackView {
	constructor(player) {
		this.player = player;
		this.buffer = new StackCard("Return stack buffer",
			"= as the program\u2019s, \u2260 differs: that return will miss, " +
			"\u21ba popped before", "Return stack buffer, newest entry first");
		this.program = new StackCard("Program\u2019s stack",
			"where returns really go, as long as nothing changes it",
			"Return addresses on the program\u2019s stack, newest first");
		this.shadow = new StackCard("Shadow stack",
			"the copy that code cannot write: a return to elsewhere faults",
			"Return addresses on the shadow stack, newest first");
		this.slots = this.buffer.list;
		this.frames = this.program.list;
		this.element = make("div", { class: "stacks" }, this.buffer.element,
			this.program.element, this.shadow.element);
	}

	update(run, track, cursor) {
		const frames = cursor.frames.map((frame) => frame &&
			run.data.frames[frame]).filter(Boolean).reverse();

		this.showSlots(run, track, cursor, frames);
		this.showFrames(run, frames);
		this.showShadow(run, cursor.at, frames);
		this.tellLast(run, track, cursor.at - 1);
	}

	showFrames(run, frames) {
		this.program.high.textContent = plural(frames.length, "return address",
			"return addresses");
		this.frames.replaceChildren(...frames.slice(0, SLOTS_SHOWN).map((frame) =>
			make("li",
			{ class: frame.rewritten ? "slot rewritten" : "slot" },
			make("span", { class: "where" }, run.name(frame.address)),
			frame.rewritten ? make("span", { class: "tag" }, "rewritten") : null)),
			...listMore(frames.length));
	}

	/* Only where calls and returns tell all that is on it. */
	showShadow(run, at, frames) {
		const held = run.shadow.known ? run.shadow.held(at, SLOTS_SHOWN) : EMPTY;

		this.shadow.element.hidden = !run.shadow.known;
		this.element.classList.toggle("three", run.shadow.known);
		this.shadow.high.textContent = plural(run.shadow.count(at), "entry", "entries");
		this.shadow.list.replaceChildren(...held.map((address, i) => {
			const right = frames[i] && frames[i].address === address;

			return make("li", { class: "slot " + (right ? "right" : "refusing") },
				make("span", { class: "mark" }, right ? "=" : "\u2260"),
				make("span", { class: "where" }, run.name(address)),
				make("span", { class: "hidden" }, right ? "as the program\u2019s"
					: "differs from the program\u2019s"));
		}), ...listMore(run.shadow.count(at)));
	}

	/* What the event before the reader's place did to each stack. */
	tellLast(run, track, i) {
		const cards = [this.buffer, this.program, this.shadow];
		const site = i < 0 ? NO_SITE : run.siteOf[i];

		if (i >= 0 && run.isReturn(site))
			this.tellReturn(run, track, i);
		else if (i >= 0 && run.kind(site) === "call" && run.pushes(site) !== undefined)
			cards.forEach((card) => card.tell(...(run.isZeroCall(site) &&
				(card === this.shadow || !track.changes[i]) ? ["untouched"]
				: ["pushed", run.name(run.pushes(site))])));
		else
			cards.forEach((card) => card.tell(i < 0 ? "nothing has run yet"
				: "untouched by the " + run.kind(site)));
	}

	tellReturn(run, track, i) {
		const by = track.pushedBy[i];
		const { refused, reason } = run.data.events[i];
		const found = run.shadow.known ? run.shadow.found(i) : NO_ADDRESS;

		if (track.verdict[i])
			this.buffer.tell("predicted", run.name(track.predicted[i]),
				track.isWrong(i) ? "missed" : "was-hit",
				by === NO_SITE ? "" : "of the call at " + run.place(by));
		else
			this.buffer.tell("was not asked");
		this.program.tell("returned to", run.name(run.targetOf[i]), "",
			track.isWrong(i) ? "\u2717 a miss" :
				track.verdict[i] ? "\u2713 a hit" : "");
		if (refused)
			this.shadow.tell("had", reason === "empty" ? "nothing" : run.name(found),
				"refused", "\u2298 would refuse");
		else
			this.shadow.tell("had", found === NO_ADDRESS ? "the round\u2019s end"
				: run.name(found), "", "\u2713 would let it");
	}

	showSlots(run, track, cursor, frames) {
		const count = track.slotCount;
		const rows = [];
		let held = 0;

		for (let below = 0; below < count; below++) {
			const slot = (((cursor.top - below) % count) + count) % count;
			const entry = track.entries.at(cursor.slots[slot]);

			if (entry && !isStale(track, cursor.at, below, entry))
				held++;
			if (below < SLOTS_SHOWN)
				rows.push(this.makeSlot(run, track, cursor, slot, below, entry,
					frames[below]));
		}
		this.buffer.high.textContent = count ?
			number(held) + " of " + plural(count, "slot") + " in use" :
			"no slots at all";
		this.slots.replaceChildren(...rows, ...listMore(count));
	}

	makeSlot(run, track, cursor, slot, below, entry, frame) {
		const top = below === 0 ? make("span", { class: "tag newest" }, "top") : null;

		if (!entry)
			return make("li", { class: "slot void" },
				make("span", { class: "number" }, slot),
				make("span", { class: "where" }, "empty"), top);
		const stale = isStale(track, cursor.at, below, entry);
		const right = frame && frame.address === entry.address;
		const pusher = entry.by === NO_SITE ? "no call" : run.place(entry.by);

		return make("li", { class: "slot " + (stale ? "stale" : right ? "right" : "wrong"),
			title: "pushed by " + pusher },
			make("span", { class: "number" }, slot),
			make("span", { class: "mark" }, stale ? "\u21ba" : right ? "=" : "\u2260"),
			make("span", { class: "where" }, run.name(entry.address)),
			entry.pushes > 1 ? make("span", { class: "tag" }, "\u00d7" + entry.pushes)
				: null,
			make("span", { class: stale ? "tag stale-word" : "hidden" }, stale ? "stale"
				: right ? "as the program\u2019s"
				: "differs from the program\u2019s"),
			top);
	}
}
