/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chart of misses against the stack's depth, with a table beside it; and how charts look. */

/* Lines are told apart by colour, by dashes and by the shape of their points. */
const SERIES = 8;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2", "1 4", "6 2 1 2"];
const SHAPES = [
	(x, y) => `M${x - 4},${y}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0`,
	(x, y) => `M${x - 4},${y - 4}h8v8h-8z`,
	(x, y) => `M${x},${y - 5}l5,9h-10z`,
	(x, y) => `M${x},${y - 5}l5,5l-5,5l-5,-5z`,
	(x, y) => `M${x},${y + 5}l5,-9h-10z`,
	(x, y) => `M${x - 5},${y - 1.5}h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z`,
	(x, y) => `M${x - 4},${y - 2}l4,-3l4,3v6h-8z`,
	(x, y) => `M${x - 5},${y - 3}h10v6h-10z`,
];

/* Round numbers from 0 to most, few enough to be read. */
function ticks(most, few) {
	if (!most)
		return [0];
	const rough = most / few;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
	const all = [];

	for (let value = 0; value <= most * 1.0001; value += step)
		all.push(value);
	return all;
}

function totals(line) {
	return line.misses_inside.map((inside, i) => inside + line.misses_callers[i]);
}

/* Lines of one layout that lie on each other are one. */
function mergeLines(lines) {
	const groups = groupBy(lines, (line) => line.layout + "\n" + totals(line).join() + "\n" +
		line.depths.join());

	return [...groups.values()].map((same) => ({
		layout: same[0].layout, cpus: same.map((line) => line.cpu), depths: same[0].depths,
		misses: totals(same[0]), knee: same[0].knee,
	}));
}

/* Does a deeper stack miss less? Where an empty one falls back on something better, it may not. */
function helps(line) {
	return line.misses[0] > line.misses[line.misses.length - 1];
}

function sayKnee(line) {
	const last = number(line.misses[line.misses.length - 1]);

	if (line.misses.every((misses) => misses === line.misses[0]))
		return last + " at every depth";
	if (!helps(line))
		return number(line.misses[0]) + " with " +
			plural(line.depths[0], "entry", "entries") + ", " + last +
			" with many: more of them do not help";
	if (line.knee === null || line.knee === undefined)
		return "still falling at the last depth, with " + last;

	const there = number(line.misses[line.depths.indexOf(Number(line.knee))]);

	return "knee at " + plural(Number(line.knee), "entry", "entries") +
		(there === last ? ", then " + last : " with " + there + ", rising again to " +
			last);
}

class DepthChart {
	constructor(lines) {
		this.lines = mergeLines(lines);
		this.depths = lines[0].depths;
		this.off = new Set();
		this.layouts = [...new Set(this.lines.map((line) => line.layout))];
		this.lines.forEach((line) => {
			line.colour = this.layouts.indexOf(line.layout) % SERIES;
			line.nth = this.lines.filter((other) =>
				other.layout === line.layout).indexOf(line);
			line.dash = line.nth % SERIES;
		});
		this.frame = make("div", { class: "plot" });
		this.readout = make("p", { class: "readout", "aria-hidden": "true" }, "\u00a0");
		this.element = make("div", { class: "chart" }, this.frame, this.readout,
			this.makeLegend(), this.makeTable());
		this.sized = new ResizeObserver(once(() => this.redraw()));
		this.sized.observe(this.frame);
	}

	name(line) {
		const alone = this.lines.filter((other) =>
			other.layout === line.layout).length === 1;

		return line.layout + (alone ? "" : " on " + line.cpus.join(", "));
	}

	makeLegend() {
		return make("ul", { class: "legend" },
			this.lines.map((line) => make("li", {}, make("label", {},
			make("input", { type: "checkbox", checked: true, onchange: (event) => {
				if (event.target.checked)
					this.off.delete(line);
				else
					this.off.add(line);
				this.redraw();
			} }),
			draw("svg", { class: "key", viewBox: "0 0 34 14", width: 34, height: 14,
				"aria-hidden": "true" },
				draw("path", { class: "line s" + line.colour, d: "M1,7H33",
					"stroke-dasharray": DASHES[line.dash] }),
				draw("path", { class: "point s" + line.colour,
					d: SHAPES[line.colour](17, 7) })),
			make("span", {}, make("strong", {}, this.name(line)), ": " +
				sayKnee(line))))));
	}

	makeTable() {
		const step = this.depths.filter((depth, i) => i === 0 ||
			i === this.depths.length - 1 ||
			this.lines.some((line) => line.misses[i] !== line.misses[i - 1]));

		return tableOf("Misses for each traced call, by the return stack\u2019s entries; " +
			"depths between have the row above\u2019s",
			["entries", ...this.lines.map((line) => this.name(line))],
			step.map((depth) => [String(depth), ...this.lines.map((line) =>
				number(line.misses[this.depths.indexOf(depth)]) +
					(String(depth) === line.knee && helps(line) ? " (knee)"
					: ""))]));
	}

	redraw() {
		const width = Math.max(280, this.frame.clientWidth);
		const height = Math.min(360, Math.max(220, width * 0.42));
		const box = { left: 44, right: width - 14, top: 14, bottom: height - 40 };
		const shown = this.lines.filter((line) => !this.off.has(line));
		const most = Math.max(1, ...this.lines.flatMap((line) => line.misses));
		const last = this.depths[this.depths.length - 1];
		const x = (depth) => box.left +
			((depth - this.depths[0]) / Math.max(1,
			last - this.depths[0])) * (box.right - box.left);
		const y = (misses) => box.bottom - (misses / most) * (box.bottom - box.top);
		const title = newId("title");
		const picture = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height,
			role: "img", "aria-labelledby": title },
			draw("title", { id: title },
				"Misses against the return stack\u2019s depth. " +
				this.lines.map((line) => this.name(line) + ": " +
					sayKnee(line)).join("; ") + "."),
			this.drawAxes(box, x, y, most, last),
			shown.map((line) => this.drawLine(line, x, y)),
			this.drawKnees(shown, x, y, box));

		this.cross = draw("line", { class: "cross", y1: box.top, y2: box.bottom,
			visibility: "hidden" });
		picture.append(this.cross);
		picture.addEventListener("pointermove", (event) => {
			const at = (event.offsetX - box.left) / (box.right - box.left);
			this.point(Math.round(at * (this.depths.length - 1)), x);
		});
		picture.addEventListener("pointerleave", () => this.point(-1, x));
		this.frame.replaceChildren(picture);
	}

	drawAxes(box, x, y, most, last) {
		return [
			ticks(most, 4).map((value) => [
				draw("line", { class: "grid", x1: box.left, x2: box.right,
					y1: y(value), y2: y(value) }),
				draw("text", { class: "tick", x: box.left - 8, y: y(value) + 4,
					"text-anchor": "end" }, number(value))]),
			[this.depths[0], 8, 16, 24, 32, 40, 48, 56, 64].filter((depth, i, all) =>
				depth <= last && all.indexOf(depth) === i)
				.map((depth) => draw("text",
					{ class: "tick", x: x(depth), y: box.bottom + 18,
					"text-anchor": "middle" }, depth)),
			draw("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom,
				y2: box.bottom }),
			draw("text", { class: "label", x: (box.left + box.right) / 2,
				y: box.bottom + 35, "text-anchor": "middle" },
				"entries of the return stack"),
			draw("text", { class: "label", "text-anchor": "middle",
				transform: `translate(12 ${(box.top + box.bottom) / 2}) ` +
					`rotate(-90)` },
				"misses a call"),
		];
	}

	drawLine(line, x, y) {
		const path = line.depths.map((depth, i) => (i ? "L" : "M") + x(depth) + "," +
			y(line.misses[i])).join("");

		return [
			draw("path", { class: "line s" + line.colour, d: path,
				"stroke-dasharray": DASHES[line.dash] }),
			line.depths.map((depth, i) =>
				(i % 8 === (line.colour * 2 + line.nth * 3) % 8
				? draw("path", { class: "point s" + line.colour,
					d: SHAPES[line.colour](x(depth), y(line.misses[i])) })
					: null)),
		];
	}

	/* A ring at each knee, and its depth beside it, where there is room for the word. */
	drawKnees(shown, x, y, box) {
		const knees = shown.filter((line) => line.knee && helps(line));
		const said = [];

		return knees.map((line) => {
			const at = line.depths.indexOf(Number(line.knee));
			const cx = x(line.depths[at]);
			const cy = y(line.misses[at]);
			const crowded = said.some((point) => Math.abs(point.cx - cx) < 60 &&
				Math.abs(point.cy - cy) < 16);
			const label = crowded ? null
				: draw("text", { class: "knee-word",
				x: Math.min(cx + 9, box.right - 50), y: cy - 9 },
				"knee: " + line.knee);

			if (label)
				said.push({ cx, cy });
			return [draw("circle", { class: "knee s" + line.colour, cx, cy, r: 7 }),
				label];
		});
	}

	point(index, x) {
		const known = index >= 0 && index < this.depths.length;

		this.cross.setAttribute("visibility", known ? "visible" : "hidden");
		if (!known) {
			this.readout.textContent = "\u00a0";
			return;
		}
		this.cross.setAttribute("x1", x(this.depths[index]));
		this.cross.setAttribute("x2", x(this.depths[index]));
		this.readout.textContent = plural(this.depths[index], "entry", "entries") + ": " +
			this.lines
			.filter((line) => !this.off.has(line))
			.map((line) => this.name(line) + " " +
				number(line.misses[index])).join(", ");
	}
}

function addSweeps(block) {
	const scenarios = groupBy(block.lines, (line) => line.scenario);
	const names = [...scenarios.keys()];
	const place = make("div");
	const show = (name) => place.replaceChildren(new DepthChart(scenarios.get(name)).element);
	const first = names.includes("unwind") ? "unwind" : names[0];

	if (!names.length)
		return null;
	show(first);
	return make("section", { "aria-labelledby": "depth" },
		make("h2", { id: "depth", tabindex: "-1" }, "How deep must the stack be?"),
		make("p", { class: "lead" },
			"Mispredicted returns for each traced call, were the CPU\u2019s return " +
			"stack of that many entries. " +
			"At the knee more entries stop helping: what is left there is not for " +
			"want of room."),
		make("div", { class: "card" }, names.length > 1
			? chooser("Scenario", names.map((name) => [name, name]), first, show)
				: null, place));
}
