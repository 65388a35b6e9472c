/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of events: those around the reader's place that are of the kinds wanted. */

const EVENTS_SHOWN = 120;

const WANTED = [
	["all", "all", () => true],
	["stack", "calls and returns", (run, track, i) =>
		/^(call|return|swap|environment)$/.test(run.kind(run.siteOf[i]))],
	["predicted", "predicted", (run, track, i) => track.verdict[i] !== 0],
	["misses", "misses", (run, track, i) => track.isMiss(i)],
	["refused", "\u2298 refused", (run, track, i) => run.data.events[i].refused !== undefined],
];

function sayVerdict(run, track, i) {
	if (!track.verdict[i])
		return "";
	if (!track.isWrong(i))
		return "\u2713 hit";
	if (track.predicted[i] === NO_ADDRESS)
		return "\u2717 miss: no prediction";
	return "\u2717 miss: predicted " + run.name(track.predicted[i]) +
		(VERDICTS[track.verdict[i]] === "stale" ? ", a stale entry" : "");
}

/* A place that may be broken before its last part, where it is too long for a line. */
function breakName(name) {
	const end = name.lastIndexOf("+");

	return end > 0 ? [name.slice(0, end), make("wbr"), name.slice(end)] : name;
}

/* One event in a sentence. */
function sayEvent(run, track, i) {
	const site = run.siteOf[i];
	const event = run.data.events[i];
	const cause = event.cause && track === run.recorded ? " (" + event.cause + ")" : "";
	const verdict = sayVerdict(run, track, i);
	const refusal = run.sayRefusal(i);

	return run.kind(site) + " at " + run.place(site) + " to " + run.name(run.targetOf[i]) +
		(verdict ? "; " + verdict + cause : "") +
		(refusal ? "; " + refusal : "");
}

class EventList {
	constructor(player) {
		this.player = player;
		this.wanted = WANTED[1];
		this.words = make("input", { type: "search", placeholder: "a symbol",
			oninput: once(() => this.refresh()) });
		this.words.setAttribute("aria-label", "Only events with this symbol");
		this.count = make("p", { class: "count", role: "status" });
		this.body = make("tbody");
		this.scroll = make("div", { class: "event-scroll", tabindex: "0", role: "region",
			"aria-label": "Events of " + player.block.layout },
			make("table", { class: "events" },
				make("thead", {}, make("tr", {},
				["event", "kind", "at", "to", "verdict"].map((text) =>
				make("th", { scope: "col" }, text)))), this.body));
		this.element = make("section", { class: "card event-list" },
			make("div", { class: "card-head" }, make("h4", {}, "Events"), this.words),
			chooser("Show", WANTED.map(([value, label]) => [value, label]),
				this.wanted[0], (value) => {
				this.wanted = WANTED.find(([name]) => name === value);
				this.refresh();
			}),
			this.count, this.scroll);
	}

	/* Which events are wanted: worked out once for each filter and track. */
	refresh() {
		const { run, track } = this.player;
		const word = this.words.value.trim().toLowerCase();
		/* A name is looked at once, however many events have it. */
		const places = remember((site) => run.place(site).toLowerCase().includes(word));
		const targets = remember((address) =>
			run.name(address).toLowerCase().includes(word));
		const matches = (i) => !word || places(run.siteOf[i]) || targets(run.targetOf[i]);

		this.chosen = [];
		for (let i = 0; i < run.count; i++)
			if (this.wanted[2](run, track, i) && matches(i))
				this.chosen.push(i);
		this.rows = null;
		this.update(this.player.at);
	}

	update(at) {
		const position = lowerBound(this.chosen, at);

		if (!this.rows || position <= this.from || position > this.from + EVENTS_SHOWN - 2)
			this.fill(position);
		if (this.current)
			this.current.removeAttribute("aria-current");
		this.current = this.rows.get(at - 1);
		if (this.current)
			this.current.setAttribute("aria-current", "true");
	}

	follow() {
		bringIntoView(this.scroll, this.current);
	}

	fill(position) {
		const { run, track } = this.player;
		const last = Math.max(0, this.chosen.length - EVENTS_SHOWN);

		this.from = Math.max(0, Math.min(last, position - EVENTS_SHOWN / 2));
		const shown = this.chosen.slice(this.from, this.from + EVENTS_SHOWN);
		this.rows = new Map(shown.map((i) => [i, this.makeRow(run, track, i)]));
		this.body.replaceChildren(...this.rows.values());
		this.count.textContent = plural(this.chosen.length, "event") +
			(shown.length < this.chosen.length
			? `; ${shown.length} around the place are listed` : "");
	}

	makeRow(run, track, i) {
		const site = run.siteOf[i];
		const refusal = run.sayRefusal(i, true);

		return make("tr", { class: track.isMiss(i) ? "missed" : null },
			make("td", {}, make("button",
				{ type: "button", class: "link", onclick: () =>
				this.player.show(i + 1, true) }, String(i + 1))),
			make("td", {}, run.kind(site)), make("td", {}, breakName(run.place(site))),
				make("td", {}, breakName(run.name(run.targetOf[i]))),
			make("td", { class: track.isWrong(i) ? "miss" : "hit" },
				sayVerdict(run, track, i),
				refusal ? make("span", { class: "refusal" }, refusal) : null));
	}
}
