/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chart of what misses cost, with a table beside it. */

/* The cost: a bar a CPU for each layout, solid up to the low end, striped up to the high one. */
class CostChart {
	constructor(scores) {
		this.rows = [...groupBy(scores, nameRow)];
		this.cpus = [...new Set(scores.map((score) => score.cpu))];
		this.frame = make("div", { class: "plot" });
		this.element = make("div", { class: "chart" }, this.frame, this.makeLegend(),
			tableOf("Lost cycles for each traced call", ["layout", ...this.cpus],
				this.rows.map(([name, all]) =>
					[name, ...this.cpus.map((cpu) => this.cost(all, cpu))])));
		this.sized = new ResizeObserver(once(() => this.redraw()));
		this.sized.observe(this.frame);
	}

	pair(all, cpu) {
		const score = all.find((each) => each.cpu === cpu);

		return score ? score.per_call.lost_cycles : null;
	}

	cost(all, cpu) {
		return interval(this.pair(all, cpu));
	}

	makeLegend() {
		return make("ul", { class: "legend" }, this.cpus.map((cpu, i) => make("li", {},
			draw("svg", { class: "key", width: 34, height: 14, "aria-hidden": "true" },
				draw("rect", { class: "bar s" + (i % SERIES), width: 20, height: 14,
					x: 0 }),
				draw("rect", { class: "range s" + (i % SERIES), width: 12,
					height: 12, x: 21, y: 1 })),
			make("span", {}, cpu))),
			make("li", {}, "solid: at least; outlined: at most; ?: the CPU\u2019s " +
				"penalty is not known"));
	}

	redraw() {
		const width = Math.max(280, this.frame.clientWidth);
		const bar = 16;
		const group = 22 + this.cpus.length * (bar + 3) + 8;
		const height = this.rows.length * group + 24;
		const most = Math.max(1, ...this.rows.flatMap(([, all]) =>
			this.cpus.map((cpu) => (this.pair(all, cpu) || [0, 0])[1])));
		const x = (cycles) => (cycles / most) * (width - 76);
		const title = newId("title");

		this.frame.replaceChildren(draw("svg",
			{ viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
			"aria-labelledby": title },
			draw("title", { id: title }, "Lost cycles for each traced call. " +
				this.rows.map(([name, all]) =>
				name + ": " + this.cpus.map((cpu) => cpu + " " +
					this.cost(all, cpu)).join(", ")).join("; ") + "."),
			ticks(most, width < 500 ? 3 : 6).map((value) => [
				draw("line", { class: "grid", x1: x(value) + 0.5, x2: x(value) +
					0.5, y1: 0, y2: height - 20 }),
				draw("text", { class: "tick", x: x(value), y: height - 4,
					"text-anchor": value ? "middle" : "start" },
					number(value))]),
			this.rows.map(([name, all], i) => [
				draw("text", { class: "name", x: 4, y: i * group + 15 }, name),
				this.cpus.map((cpu, k) =>
					this.drawBar(this.pair(all, cpu), x, i * group + 22 +
					k * (bar + 3), bar, k % SERIES))])));
	}

	drawBar(pair, x, y, height, series) {
		const [low, high] = pair || [0, 0];
		const label = draw("text", { class: "value", x: x(high) + 8, y: y + height - 4 },
			interval(pair));

		return [
			draw("rect", { class: "bar s" + series, x: 0, y, width: Math.max(x(low), 2),
				height }),
			high > low ? draw("rect",
				{ class: "range s" + series, x: x(low), y: y + 1,
				width: x(high) - x(low), height: height - 2 }) : null,
			label];
	}
}

function addCosts(results) {
	const scenarios = groupBy(results, (score) => score.scenario.name);
	const names = [...scenarios.keys()];
	const place = make("div");
	const show = (name) => place.replaceChildren(new CostChart(scenarios.get(name)).element);
	const first = names.includes("unwind") ? "unwind" : names[0];

	show(first);
	return make("section", { "aria-labelledby": "cost" },
		make("h2", { id: "cost", tabindex: "-1" }, "What do the misses cost?"),
		make("p", { class: "lead" },
			"Cycles lost for each traced call: misses times the CPU\u2019s penalty " +
			"for one."),
		make("div", { class: "card" }, names.length > 1
			? chooser("Scenario", names.map((name) => [name, name]), first, show)
				: null, place));
}
