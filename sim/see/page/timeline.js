/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The timeline: how high the program's stack stands after each event, with the misses on it. It
 * shows a window of the events; the bar below shows where the misses of all of them are.
 */

const WINDOWS = [40, 80, 160, 320, 640];
const TIMELINE_HEIGHT = 170;

class Timeline {
	constructor(player) {
		this.player = player;
		this.first = 0;
		this.size = 0;
		this.frame = make("div", { class: "plot timeline" });
		this.bar = make("canvas", { class: "overview", height: "14",
			"aria-hidden": "true" });
		this.range = make("p", { class: "range-words" });
		this.zoom = [["Zoom in", -1, "+"],
			["Zoom out", 1, "\u2212"]].map(([label, way, sign]) => make("button",
			{ type: "button", class: "small", "aria-label": label, title: label,
				onclick: () => this.rescale(way) }, sign));
		this.element = make("div", { class: "chart" },
			make("div", { class: "card-head" }, this.range,
				make("span", { class: "zoom" }, this.zoom)), this.frame, this.bar,
				this.makeLegend());
		this.bar.addEventListener("click", (event) => this.player.show(Math.round(
			(event.offsetX / this.bar.clientWidth) * this.player.run.count), true));
		this.sized = new ResizeObserver(once(() => this.redraw()));
		this.sized.observe(this.frame);
	}

	/* What the signs are; the last is there only where something is refused. */
	makeLegend() {
		const item = (words, ...signs) => make("li", {},
			draw("svg", { class: "key", viewBox: "0 0 24 14", width: 24, height: 14,
				"aria-hidden": "true" }, signs), make("span", {}, words));

		this.refusals = item("refused by a shadow stack or branch tracking",
			draw("path", { class: "refusals", d: "M8,11h8l-4,-7z" }));
		return make("ul", { class: "legend signs" },
			item("height of the program\u2019s stack",
				draw("path", { class: "height", d: "M1,11H8V7H15V3H23" })),
			item("return that is predicted",
				draw("circle", { class: "hit-dots", cx: 12, cy: 7, r: 2.5 })),
			item("return that misses",
				draw("path", { class: "miss-crosses", d: "M8,3l8,8m0,-8l-8,8" })),
			item("within the traced call",
				draw("rect", { class: "span", x: 0, y: 0, width: 24, height: 14 })),
			this.refusals);
	}

	/* A recording or a track is another one. */
	reset() {
		const wide = this.frame.clientWidth > 700;

		this.size = Math.min(this.size || (wide ? 160 : 80), this.player.run.count);
		this.size = WINDOWS.find((size) => size >= this.size) ||
			WINDOWS[WINDOWS.length - 1];
		this.redraw();
	}

	rescale(way) {
		const at = WINDOWS.indexOf(this.size) + way;

		if (at < 0 || at >= WINDOWS.length)
			return;
		this.size = WINDOWS[at];
		this.turn(this.player.at);
		this.redraw();
	}

	/* The window that the reader's place is in. True: it is another one. */
	turn(at) {
		const last = Math.max(0, this.player.run.count - this.size);
		const from = this.first;

		if (at < this.first || at > this.first + this.size)
			this.first = Math.max(0, Math.min(last, at - Math.floor(this.size / 4)));
		this.first = Math.min(this.first, last);
		return from !== this.first;
	}

	update(at) {
		if (this.turn(at) || !this.cursor)
			this.redraw();
		else
			this.place(at);
	}

	place(at) {
		this.cursor.setAttribute("transform", `translate(${this.x(at)} 0)`);
		this.player.lanes.update(at, this.x(at));
	}

	redraw() {
		const { run, track } = this.player;

		if (!run || !this.size)
			return;
		this.turn(this.player.at);
		const width = Math.max(280, this.frame.clientWidth);
		const end = Math.min(this.first + this.size, run.count);
		const title = newId("title");
		const misses = track.countMisses(end) - track.countMisses(this.first);
		const refused = lowerBound(run.refused, end) - lowerBound(run.refused, this.first);
		let most = 1;

		for (let i = this.first; i < end; i++)
			most = Math.max(most, run.depthAfter[i]);
		const left = 34;
		const unit = (width - left - 12) / Math.min(this.size, run.count);
		this.unit = unit;
		this.x = (at) => left + (at - this.first) * unit;
		this.y = (height) => 140 - (height / most) * 112;
		this.cursor = draw("g", { class: "cursor" }, draw("line", { y1: 4, y2: 152 }),
			draw("path", { d: "M-5,0h10l-5,8z" }));
		this.frame.replaceChildren(draw("svg", {
			viewBox: `0 0 ${width} ${TIMELINE_HEIGHT}`, width, height: TIMELINE_HEIGHT,
			role: "img", "aria-labelledby": title,
			onclick: (event) => this.player.show(Math.max(0, Math.min(run.count,
				Math.ceil((event.offsetX - left) / unit) + this.first)), true),
		},
		draw("title", { id: title },
			`Height of the program's stack over events ${this.first + 1} to ${end}, ` +
			`${plural(misses, "miss")} among them` +
			(run.refused.length ? `, and ${refused} that are refused` : "") +
			". The list of events has the same as text."),
		this.drawSpans(end), this.drawAxis(most), this.drawRounds(end, unit),
			this.drawHeight(end), this.drawReturns(end, unit), this.drawRefusals(end),
			this.cursor));
		this.refusals.hidden = !run.refused.length;
		this.range.textContent = run.count > this.size
			? `Events ${this.first + 1} to ${end} of ${run.count}`
				: `All ${run.count} events`;
		this.player.lanes.draw(this, width);
		this.place(this.player.at);
		this.drawBar();
	}

	/* Behind what runs from a traced call to its landing. */
	drawSpans(end) {
		const events = this.player.run.data.events;
		const spans = [];
		let start = -1;

		for (let i = this.first; i <= end; i++) {
			const inside = i < end && events[i].inside === true &&
				!(start >= 0 && events[i].mark === "call");

			if (inside && start < 0)
				start = i;
			if (!inside && start >= 0) {
				spans.push(draw("rect",
					{ class: "span", x: this.x(start), y: 14,
					width: this.x(i) - this.x(start), height: 128 }));
				start = i < end && events[i].inside ? i : -1;
			}
		}
		return spans;
	}

	drawAxis(most) {
		return ticks(most, 3).filter(Number.isInteger).map((height) => [
			draw("line", { class: "grid", x1: 34, x2: "100%", y1: this.y(height),
				y2: this.y(height) }),
			draw("text", { class: "tick", x: 26, y: this.y(height) + 4,
				"text-anchor": "end" }, height)]);
	}

	drawRounds(end, unit) {
		return this.player.run.data.rounds
			.filter((round) => round.first >= this.first && round.first < end)
			.map((round) => [
				draw("line", { class: "round", x1: this.x(round.first),
					x2: this.x(round.first), y1: 10, y2: 160 }),
				round.count * unit > 60
					? draw("text", { class: "tick", x: this.x(round.first) + 4,
					y: 164 }, `round ${round.round}, ${round.phase}`) : null]);
	}

	drawHeight(end) {
		const { depthAfter } = this.player.run;
		let height = this.first ? depthAfter[this.first - 1] : 0;
		let path = `M${this.x(this.first)},${this.y(height)}`;

		for (let i = this.first; i < end; i++) {
			height = depthAfter[i];
			path += `H${this.x(i + 0.5)}V${this.y(height)}`;
		}
		path += `H${this.x(end)}`;
		return [draw("path", { class: "area", d: path +
			`V${this.y(0)}H${this.x(this.first)}Z` }),
			draw("path", { class: "height", d: path })];
	}

	drawReturns(end, unit) {
		const { track } = this.player;
		const size = Math.max(2, Math.min(5, unit * 0.9));
		const dot = Math.min(2.5, size / 2 + 0.5);
		let hits = "";
		let misses = "";

		for (let i = this.first; i < end; i++) {
			const x = this.x(i + 0.5);
			const y = this.y(this.player.run.depthAfter[i]);

			if (track.isMiss(i))
				misses += `M${x - size},${y - size}l${2 * size},${2 * size}` +
					`m0,${-2 * size}l${-2 * size},${2 * size}`;
			else if (track.verdict[i] && !track.isWrong(i))
				hits += `M${x - dot},${y}a${dot},${dot} 0 1,0 ` +
					`${2 * dot},0a${dot},${dot} 0 1,0 ${-2 * dot},0`;
		}
		return [draw("path", { class: "hit-dots", d: hits || "M0,0" }),
			draw("path", { class: "miss-crosses", d: misses || "M0,0" })];
	}

	/* Below the curve: what control-flow enforcement would not let happen. */
	drawRefusals(end) {
		const { refused } = this.player.run;
		let path = "";

		for (let i = lowerBound(refused, this.first); i < refused.length &&
			refused[i] < end; i++)
			path += `M${this.x(refused[i] + 0.5) - 3},150h6l-3,-6z`;
		return draw("path", { class: "refusals", d: path || "M0,0" });
	}

	/* Where the misses of the whole recording are. */
	drawBar() {
		const { run, track } = this.player;
		const width = this.bar.clientWidth;
		const context = this.bar.getContext("2d");
		const colour = (name) => {
			this.bar.style.color = `var(${name})`;
			return getComputedStyle(this.bar).color;
		};

		this.bar.hidden = run.count <= this.size;
		if (this.bar.hidden || !width)
			return;
		this.bar.width = width;
		context.fillStyle = colour("--shade");
		context.fillRect(0, 0, width, 14);
		context.fillStyle = colour("--now");
		context.strokeStyle = colour("--now-edge");
		const left = (this.first / run.count) * width;
		const wide = Math.max(3, (this.size / run.count) * width);
		context.fillRect(left, 0, wide, 14);
		context.strokeRect(left + 0.5, 0.5, wide - 1, 13);
		context.fillStyle = colour("--miss");
		let last = -1;
		for (const event of track.misses) {
			const column = Math.floor((event / run.count) * width);

			if (column !== last)
				context.fillRect(column, 3, 1, 8);
			last = column;
		}
	}
}
