/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How CPUs differ on the same code: a lane for each set of CPUs that miss at the same events, below
 * the timeline and with its events, and what each makes of the event where the reader is.
 */

const LANES_SHOWN = 16;
const LANE_NAMES = 8;

/* Numbers for what events are, the same in all recordings of a layout, whose tables may differ. */
class Alike {
	constructor() {
		this.ids = new Map();
		this.known = new Map();
	}

	id(text) {
		if (!this.ids.has(text))
			this.ids.set(text, this.ids.size);
		return this.ids.get(text);
	}

	tables(data) {
		if (!this.known.has(data))
			this.known.set(data, {
				sites: data.sites.map((site) => this.id(site.kind + " " +
					(site.line === undefined ? site.detail
					: data.code[site.line].pc))),
				addresses: data.addresses.map(({ address }) => this.id(address)),
			});
		return this.known.get(data);
	}

	/* Events from the first on that are the same in both. */
	count(a, b) {
		const [x, y] = [this.tables(a), this.tables(b)];
		const most = Math.min(a.events.length, b.events.length);

		for (let i = 0; i < most; i++)
			if (x.sites[a.events[i].site] !== y.sites[b.events[i].site] ||
			    x.addresses[a.events[i].to] !== y.addresses[b.events[i].to])
				return i;
		return most;
	}
}

/* Returns that miss among the first events of a recording. */
function findMisses(data, end) {
	const misses = [];

	for (let i = 0; i < end; i++) {
		const { miss, site } = data.events[i];

		if (miss && /^(return|swap)$/.test(data.sites[site].kind))
			misses.push(i);
	}
	return misses;
}

function sayPrediction(data, i) {
	const { predicted, miss } = data.events[i];

	if (predicted === undefined)
		return "";
	if (!miss)
		return "\u2713 hit";
	if (predicted === null)
		return "\u2717 no prediction";
	return "\u2717 predicted " + (data.addresses[predicted].symbol ||
		data.addresses[predicted].address);
}

class Lanes {
	constructor(player) {
		this.player = player;
		this.alike = new Alike();
		this.lanes = [];
		this.list = make("ul", {});
		this.words = make("p", { class: "hint" });
		this.button = make("button", { type: "button", "aria-keyshortcuts": "d",
			title: "Next difference (d)", onclick: () => this.nextDifference() },
			"Next difference");
		this.element = make("section", { class: "card lanes" },
			make("div", { class: "card-head" },
				make("h4", {}, "The same code on other CPUs"), this.button),
			this.words, this.list);
	}

	/* The recordings that run what this one does, by where they miss. */
	show(run) {
		const { recordings } = this.player.block;
		const same = recordings.map((data) => [data, this.alike.count(run.data, data)])
			.filter(([data, count]) => data === run.data || count >=
				Math.min(run.count, data.events.length));
		const sets = new Map();

		this.end = Math.min(...same.map(([, count]) => count));
		this.element.hidden = same.length < 2;
		for (const [data] of same) {
			const misses = findMisses(data, this.end);
			const key = misses.join();

			if (!sets.has(key))
				sets.set(key, { misses, all: [] });
			sets.get(key).all.push(data);
		}
		this.lanes = [...sets.values()].slice(0, LANES_SHOWN);
		this.differences = this.findDifferences();
		this.button.hidden = !this.differences.length;
		this.words.textContent = (this.differences.length
			? "Returns that miss, event by event under the curve above"
			: "All of them miss at the same events") + ": of the " +
			plural(this.end, "event") + " that all these recordings have." +
			(recordings.length > same.length ? " On the other CPUs other code runs."
			: "") + (sets.size > LANES_SHOWN ? ` ${sets.size - LANES_SHOWN} more ` +
			"ways to miss are not shown." : "");
		this.list.replaceChildren(...this.lanes.map((lane) => this.makeLane(lane, run)));
	}

	/* Where not all lanes miss, or not all hit. */
	findDifferences() {
		const times = new Map();

		for (const lane of this.lanes)
			for (const i of lane.misses)
				times.set(i, (times.get(i) || 0) + 1);
		return [...times].filter(([, count]) => count < this.lanes.length)
			.map(([i]) => i).sort((a, b) => a - b);
	}

	/* Its CPUs, the chosen one first; of many some are there on request. */
	makeNames(lane, run) {
		const { recordings } = this.player.block;
		const others = lane.all.filter((data) => data !== run.data)
			.map((data) => nameRun(data, recordings));
		const own = others.length < lane.all.length
			? [make("strong", {}, nameRun(run.data, recordings)),
				others.length ? ", " : ""]
			: [];

		return [make("span", { class: "lane-name" }, own,
			others.slice(0, LANE_NAMES).join(", ")),
			others.length > LANE_NAMES ? make("details", {}, make("summary", {},
				`and ${others.length - LANE_NAMES} more`),
				others.slice(LANE_NAMES).join(", ")) : null];
	}

	makeLane(lane, run) {
		lane.now = make("span", { class: "lane-now" });
		lane.plot = make("div", { class: "plot", hidden: this.lanes.length < 2 });
		return make("li", {}, make("div", { class: "lane-head" },
			this.makeNames(lane, run),
			make("span", { class: "count" }, plural(lane.misses.length, "miss")),
			lane.now), lane.plot);
	}

	/* The timeline has other events, or another width. */
	draw(timeline, width) {
		const end = Math.min(this.end, timeline.first + timeline.size);
		const size = Math.max(2, Math.min(5, timeline.unit * 0.9));

		this.cursors = this.element.hidden ? [] : this.lanes.map(({ misses, plot }) => {
			const cursor = draw("line", { class: "lane-cursor", y1: 0, y2: 14 });
			let path = "";

			for (let i = lowerBound(misses, timeline.first);
				i < misses.length && misses[i] < end; i++)
				path += `M${timeline.x(misses[i] + 0.5) - size},${7 - size}` +
					`l${2 * size},${2 * size}m0,${-2 * size}` +
					`l${-2 * size},${2 * size}`;
			plot.replaceChildren(draw("svg", { viewBox: `0 0 ${width} 14`, width,
				height: 14, "aria-hidden": "true" },
				draw("line", { class: "grid", y1: 7, y2: 7,
					x1: timeline.x(timeline.first),
					x2: timeline.x(Math.max(end, timeline.first)) }),
				draw("path", { class: "miss-crosses", d: path || "M0,0" }),
				cursor));
			return cursor;
		});
	}

	/* The reader is after so many events. */
	update(at, x) {
		if (this.element.hidden)
			return;
		for (const cursor of this.cursors || EMPTY)
			cursor.setAttribute("transform", `translate(${x} 0)`);
		for (const lane of this.lanes) {
			const said = at && at <= this.end ? [...new Set(lane.all.map((data) =>
				sayPrediction(data, at - 1)))].join(", or ") : "";

			lane.now.textContent = said && "here: " + said;
			lane.now.className = "lane-now " + (said.startsWith("\u2713") ? "hit"
				: "miss");
		}
	}

	nextDifference() {
		const next = this.differences[lowerBound(this.differences, this.player.at)];

		if (next === undefined)
			this.player.line.textContent = this.element.hidden ?
				"There is no other CPU to differ from." : "No difference follows.";
		else
			this.player.show(next + 1, true);
	}
}
