/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two stacks side by side, newest first: what the return stack buffer would predict, and where
 * the program's own stack will really return to. Where a row differs, a return will miss.
 */

const SLOTS_SHOWN = 64;

/* Is the entry that lies so far below the top one that was popped before? */
function isStale(track, at, below, entry) {
	if (entry.stale !== undefined)
		return entry.stale;
	return below >= (at ? track.heldAfter[at - 1] : 0);
}

class StackView {
	constructor(player) {
		this.player = player;
		this.slots = make("ol", { class: "slots",
			"aria-label": "Return stack buffer, newest entry first" });
		this.frames = make("ol", { class: "slots",
			"aria-label": "Return addresses on the program\u2019s stack, newest " +
			"first" });
		this.held = make("p", { class: "held" });
		this.high = make("p", { class: "held" });
		this.element = make("div", { class: "stacks" },
			make("section", { class: "card" }, make("h4", {}, "Return stack buffer"),
				this.held,
				make("p", { class: "hint" },
					"= as the program\u2019s, \u2260 differs: that return " +
					"will miss, \u21ba popped before"), this.slots),
			make("section", { class: "card" },
				make("h4", {}, "The program\u2019s stack"), this.high,
				make("p", { class: "hint" },
					"where returns really go, as long as nothing changes it"),
					this.frames));
	}

	update(run, track, cursor) {
		const frames = cursor.frames.map((frame) => frame &&
			run.data.frames[frame]).filter(Boolean).reverse();

		this.showSlots(run, track, cursor, frames);
		this.high.textContent = plural(frames.length, "return address", "return addresses");
		this.frames.replaceChildren(...frames.slice(0, SLOTS_SHOWN).map((frame) =>
			make("li",
			{ class: frame.rewritten ? "slot rewritten" : "slot" },
			make("span", { class: "where" }, run.name(frame.address)),
			frame.rewritten ? make("span", { class: "tag" }, "rewritten") : null)),
			...(frames.length > SLOTS_SHOWN
				? [make("li", { class: "more" }, "and " +
				(frames.length - SLOTS_SHOWN) + " below")] : []));
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
		this.held.textContent = count ? number(held) + " of " + plural(count, "slot") +
			" in use" : "no slots at all";
		this.slots.replaceChildren(...rows,
			...(count > SLOTS_SHOWN
				? [make("li", { class: "more" }, "and " + (count - SLOTS_SHOWN) +
				" below")] : []));
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
