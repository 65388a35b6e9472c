/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other parameters: the return stack is replayed here with them. */

const OVERFLOWS = ["overwrite-oldest", "clear-all", "refuse"];
const UNDERFLOWS = ["stale", "none", "indirect", "fixed"];
const DEPTH_MOST = 4096;

class WhatIf {
	constructor(player) {
		const change = once(() => this.apply());

		this.player = player;
		this.depth = make("input", { type: "number", min: "0", max: String(DEPTH_MOST),
			step: "1", required: true, oninput: change });
		this.overflow = this.makeSelect(OVERFLOWS, change);
		this.underflow = this.makeSelect(UNDERFLOWS, change);
		this.back = make("button", { type: "button", onclick: () => this.reset() },
			"As the CPU has it");
		this.words = make("p", { class: "hint", role: "status" });
		this.element = make("form", { class: "card what-if", onsubmit: (event) =>
			event.preventDefault() },
			make("fieldset", {},
				make("legend", {}, "What if the return stack were another?"),
				make("label", {}, "entries ", this.depth),
				make("label", {}, "a push to a full one ", this.overflow),
				make("label", {}, "a return to an empty one ", this.underflow),
				this.back),
			this.words);
	}

	makeSelect(choices, change) {
		return make("select", { onchange: change },
			choices.map((choice) => make("option", { value: choice }, choice)));
	}

	/* The parameters of the model as it was recorded. */
	show(run) {
		const can = run.isReplayable();

		this.run = run;
		this.element.hidden = !can;
		if (!can)
			return;
		const parameters = run.data.parameters;

		this.own = { depth: parameters.smt && parameters.depth_smt ? parameters.depth_smt
			: parameters.depth,
			overflow: parameters.overflow, underflow: parameters.underflow };
		this.fill();
	}

	fill() {
		this.depth.value = this.own.depth;
		this.overflow.value = this.own.overflow;
		this.underflow.value = this.own.underflow;
		this.words.textContent = "";
		this.back.disabled = true;
	}

	reset() {
		this.fill();
		this.player.use(this.run.recorded);
	}

	say() {
		return `${this.depth.value} entries, ${this.overflow.value}, ` +
			`${this.underflow.value}`;
	}

	/* All parameters: those that cannot be changed are the CPU's. */
	parameters() {
		const parameters = { ...this.run.data.parameters, smt: false,
			depth: Number(this.depth.value),
			overflow: this.overflow.value, underflow: this.underflow.value };

		if (parameters.underflow === "indirect" && parameters.indirect === "none")
			parameters.indirect = "last";
				/* what falls back must have something to fall back on */
		return parameters;
	}

	sayFallBack() {
		return this.underflow.value === "indirect" &&
			this.run.data.parameters.indirect === "none"
			? " The CPU has no predictor to fall back on: here it is the last target " +
				"of each return." : "";
	}

	apply() {
		if (!this.depth.checkValidity()) {
			this.words.textContent = "Entries: a whole number from 0 to " + DEPTH_MOST +
				".";
			return;
		}
		const changed = Number(this.depth.value) !== this.own.depth ||
			this.overflow.value !== this.own.overflow ||
			this.underflow.value !== this.own.underflow;

		this.back.disabled = !changed;
		this.player.use(changed ? replay(this.run, this.parameters()) : this.run.recorded);
		this.words.textContent = changed
			? `${plural(this.player.track.misses.length, "miss")} in the recording; ` +
			`${number(this.run.recorded.misses.length)} as ${this.run.data.cpu} has ` +
			`it.` + this.sayFallBack() : "";
	}
}
