/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The player of a layout: what one CPU's return stack makes of it, event by event, either way. */

/* Where each layout is shown, by its name. */
const playerIds = new Map();

const SPEEDS = [["1", "slow"], ["4", "normal"], ["16", "fast"], ["120", "very fast"]];
	/* events a second */

class Player {
	constructor(block) {
		this.block = block;
		this.id = playerIds.get(block.layout) || newId("layout");
		this.runs = new Map();
		this.at = 0;
		this.timer = 0;
		this.timeline = new Timeline(this);
		this.stacks = new StackView(this);
		this.listing = new Listing(this);
		this.list = new EventList(this);
		this.lanes = new Lanes(this);
		this.whatIf = new WhatIf(this);
		this.findings = make("section", { class: "findings" });
		this.figures = make("p", { class: "figures" });
		this.left = make("p", { class: "left-out" });
		this.line = make("p", { class: "event-line", role: "status",
			"aria-live": "polite" });
		this.follow = once(() => { /* once a frame: it asks where things are */
			this.listing.follow();
			this.list.follow();
		});
		this.element = this.makeElement();
		this.choose(0);
		this.show(this.firstSight());
	}

	makeElement() {
		const chooseRun = this.block.recordings.length > 1
			? chooser("CPU", this.block.recordings.map((data, i) =>
				[String(i), nameRun(data, this.block.recordings)]), "0",
				(value) => this.choose(Number(value))) : null;
		const section = make("section", { class: "player", "aria-labelledby": this.id },
			make("h2", { id: this.id, tabindex: "-1" }, this.block.layout),
			this.block.summary ? make("p", { class: "lead" }, this.block.summary)
				: null,
			make("div", { class: "choose" }, chooseRun, this.figures), this.left,
			make("div", { class: "card stage" }, this.timeline.element,
				this.makeSlider(), this.makeControls(), this.line),
			this.lanes.element, this.whatIf.element,
			make("div", { class: "columns" }, this.listing.element,
				this.stacks.element),
			make("div", { class: "columns" }, this.findings, this.list.element));

		section.addEventListener("keydown", (event) => this.onKey(event));
		return section;
	}

	makeSlider() {
		this.slider = make("input", { type: "range", min: "0", class: "scrub",
			oninput: once(() => this.show(Number(this.slider.value), true)) });
		this.slider.setAttribute("aria-label", "Place in the run of " + this.block.layout);
		return this.slider;
	}

	makeControls() {
		const button = (label, sign, work, key) => make("button",
			{ type: "button", onclick: work, "aria-keyshortcuts": key, title: label +
				(key ? " (" + key + ")" : "") },
			make("span", { "aria-hidden": "true", class: "sign" }, sign),
				make("span", { class: "words" }, label));

		this.playButton = button("Play", "\u25b6", () => this.toggle(), "k");
		this.speed = make("select", { "aria-label": "Speed" },
			SPEEDS.map(([value, label]) =>
			make("option", { value, selected: value === "4" }, label)));
		return make("div", { class: "controls", role: "group", "aria-label": "Player" },
			button("Start", "|\u2039", () => this.show(0, true)),
			button("Previous miss", "\u2717\u2039", () => this.nextMiss(-1), "p"),
			button("Back", "\u2039", () => this.show(this.at - 1, true), "j"),
				this.playButton,
			button("Next", "\u203a", () => this.show(this.at + 1, true), "l"),
			button("Next miss", "\u203a\u2717", () => this.nextMiss(1), "n"),
			button("Next round", "\u21e5", () => this.nextRound()), this.speed,
			make("span", { class: "keys hint" }, "Keys: ", make("kbd", {}, "j"),
				make("kbd", {}, "l"), " step, ",
				make("kbd", {}, "p"), make("kbd", {}, "n"), " misses, ",
					make("kbd", {}, "k"), " play"));
	}

	onKey(event) {
		const work = { k: () => this.toggle(), j: () => this.show(this.at - 1, true),
			l: () => this.show(this.at + 1, true),
			n: () => this.nextMiss(1), p: () => this.nextMiss(-1),
			d: () => this.lanes.nextDifference() }[event.key];

		if (!work || event.ctrlKey || event.metaKey || event.altKey ||
		    event.target.matches(
			"select, input:not([type=range], [type=radio], [type=checkbox])"))
			return;
		event.preventDefault();
		work();
	}

	/* What is shown first: the first miss, or else where the program's stack is highest. */
	firstSight() {
		const highest = this.run.depthAfter.indexOf(Math.max(...this.run.depthAfter.slice(0,
			1000)));

		return (this.track.misses.length ? this.track.misses[0] : highest) + 1;
	}

	/* Another recording: another CPU. */
	choose(index) {
		if (!this.runs.has(index))
			this.runs.set(index, new Run(this.block.recordings[index]));
		this.run = this.runs.get(index);
		this.whatIf.show(this.run);
		this.slider.max = this.run.count;
		this.lanes.show(this.run);
		this.use(this.run.recorded);
		showFindings(this, this.findings);
		this.sayLeftOut();
	}

	/* Another track: of the CPU as it is, or with other parameters. */
	use(track) {
		this.track = track;
		this.cursor = new Cursor(this.run, track);
		this.at = Math.min(this.at, this.run.count);
		this.listing.show(this.run, track);
		this.timeline.reset();
		this.list.refresh();
		this.sayFigures();
		this.show(this.at);
	}

	sayFigures() {
		const figures = this.run.figures(this.track);
		const each = (value) => (figures.calls ? value / figures.calls : NaN);

		this.figures.replaceChildren("Misses a call: ",
			make("strong", { class: figures.inside ? "miss" : "hit" },
				number(each(figures.inside))), " inside, ",
			make("strong", { class: figures.callers ? "miss" : "hit" },
				number(each(figures.callers))), " in callers, ",
			make("span", {}, (this.track === this.run.recorded ? "on " +
				this.run.data.cpu + " (" + this.run.data.model + ")"
				: "with " + this.whatIf.say())));
		this.figures.dataset.inside = each(figures.inside);
		this.figures.dataset.callers = each(figures.callers);
	}

	sayLeftOut() {
		const { left_out: left, refusals_end: end } = this.run.data;

		this.left.hidden = !left && end === undefined;
		this.left.textContent = (left ? "Left out: " + plural(left.rounds, "round") +
			" that would follow" + (left.why ? " (" + left.why + ")" : "") +
			". The figures here are of the rounds that are there. " : "") +
			(end !== undefined ? "What control-flow enforcement would refuse is " +
			`marked up to round ${end}: there is too much of it.` : "");
	}

	/* The reader is after so many events. */
	show(at, byHand) {
		if (byHand)
			this.pause();
		this.at = Math.max(0, Math.min(this.run.count, at));
		this.cursor.seek(this.at);
		this.slider.value = this.at;
		this.slider.setAttribute("aria-valuetext", `event ${this.at} of ${this.run.count}`);
		this.timeline.update(this.at);
		this.stacks.update(this.run, this.track, this.cursor);
		this.listing.update(this.at ? this.run.line(this.run.siteOf[this.at - 1]) : -1);
		this.list.update(this.at);
		this.sayLine();
		this.follow();
	}

	sayLine() {
		const event = this.at - 1;
		const missed = event >= 0 && this.track.isMiss(event);

		this.line.className = "event-line " +
			(missed ? "missed" : event >= 0 && this.track.verdict[event] === HIT
			? "was-hit" : "");
		this.line.textContent = event < 0 ? `Before the first of ${this.run.count} events`
			: `${this.at} of ${this.run.count}, round ` +
				`${this.run.data.rounds[this.run.roundOf[event]].round}: ` +
				sayEvent(this.run, this.track, event);
	}

	nextMiss(way) {
		const misses = this.track.misses;
		const index = way > 0 ? lowerBound(misses, this.at)
			: lowerBound(misses, this.at - 1) - 1;

		if (index >= 0 && index < misses.length)
			this.show(misses[index] + 1, true);
		else
			this.line.textContent = way > 0 ? "No miss follows." : "No miss before.";
	}

	nextRound() {
		const round = this.run.data.rounds.find((each) => each.first > this.at);

		this.show(round ? round.first : this.run.count, true);
	}

	/* The next time that a line's transfer runs, from the start again if need be. */
	goToLine(line) {
		for (let i = 0; i < this.run.count; i++) {
			const event = (this.at + i) % this.run.count;

			if (this.run.line(this.run.siteOf[event]) === line)
				return this.show(event + 1, true);
		}
	}

	toggle() {
		if (this.timer)
			return this.pause();
		if (this.at >= this.run.count)
			this.show(0);
		this.line.setAttribute("aria-live", "off");
		this.sayPlaying("Pause", "\u23f8");
		this.tick();
	}

	tick() {
		this.timer = setTimeout(() => {
			this.show(this.at + 1);
			if (this.at < this.run.count)
				this.tick();
			else
				this.pause();
		}, 1000 / Number(this.speed.value));
	}

	pause() {
		if (!this.timer)
			return;
		clearTimeout(this.timer);
		this.timer = 0;
		this.line.setAttribute("aria-live", "polite");
		this.sayPlaying("Play", "\u25b6");
	}

	sayPlaying(label, sign) {
		this.playButton.querySelector(".words").textContent = label;
		this.playButton.querySelector(".sign").textContent = sign;
		this.playButton.title = label + " (k)";
	}
}

/* The CPU, and the scenario where that tells recordings apart. */
function nameRun(data, all) {
	const same = all.filter((other) => other.cpu === data.cpu);

	return same.length > 1 ? data.cpu + ", " + data.scenario.name : data.cpu;
}

function addRecordings(block) {
	if (!block.recordings.length)
		return null;
	const player = new Player(block);

	players.push(player);
	return player.element;
}

const players = [];
