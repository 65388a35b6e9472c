/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that compares layouts: one for each CPU, sorted by any column. */

const FIGURES = [
	["balance", "balance",
		"calls minus returns: what is not 0 shifts the return stack for every caller"],
	["calls", "calls", "calls executed, that of the traced function counted"],
	["returns", "returns", "returns executed"],
	["instructions", "instr", "instructions executed", 1],
];

/* The scores by CPU, layout and scenario, each in the order of first appearance. */
function groupBy(list, key) {
	const groups = new Map();

	for (const item of list) {
		const name = key(item);

		if (!groups.has(name))
			groups.set(name, []);
		groups.get(name).push(item);
	}
	return groups;
}

function nameScenario(scenario) {
	return scenario ? scenario.name + ": depth " + scenario.depth + ", batch " + scenario.batch
		: "";
}

function misses(score) {
	return score.per_call.misses_inside + score.per_call.misses_callers;
}

/* A row's layout, with its return thunk where it has one. */
function nameRow(score) {
	return score.layout + (score.return_thunk && score.return_thunk !== "none"
		? " (" + score.return_thunk + ")" : "");
}

/* Where the layout is shown further down, if it is. */
function linkLayout(score) {
	const target = playerIds.get(score.layout);

	return target ? make("a", { href: "#" + target }, nameRow(score)) : nameRow(score);
}

function missCell(value, intended, most) {
	const wanted = intended ? " (" + number(intended, 3) + ")" : "";
	const cell = make("td", { class: value ? "misses some" : "misses" },
		make("span", {}, value ? "\u2717 " : "", number(value, 3) + wanted));

	if (wanted)
		cell.title = "in brackets: those that a mitigation wants";
	cell.style.setProperty("--part", most ? value / most : 0);
	return cell;
}

function scenarioCells(score, most) {
	if (!score)
		return [make("td"), make("td"), make("td")];
	const figures = score.per_call;

	return [missCell(figures.misses_inside, figures.intended_inside, most),
		missCell(figures.misses_callers, figures.intended_callers, most),
		make("td", {}, interval(figures.lost_cycles))];
}

class ScoreTable {
	constructor(cpu, scores) {
		this.rows = [...groupBy(scores, nameRow).values()];
		this.scenarios = [...groupBy(scores, (score) => score.scenario.name).keys()];
		this.most = Math.max(...scores.map(misses));
		this.body = make("tbody");
		this.heads = [];
		this.element = this.makeTable(cpu, scores);
		this.sortBy(this.worst, 1, true);
	}

	of(row, scenario) {
		return row.find((score) => score.scenario.name === scenario);
	}

	makeColumns() {
		const figure = (row, scenario, pick) => {
			const score = this.of(row, scenario);

			return score ? pick(score.per_call) : Infinity;
		};

		const plain = FIGURES.map(([key, label, why]) =>
			[label, why, (row) => row[0].per_call[key]]);

		this.columns = [["layout", "the layout's name", (row) => nameRow(row[0])],
			plain[0]];
		for (const scenario of this.scenarios)
			this.columns.push(
				["inside", "returns of the layout that are mispredicted",
					(row) => figure(row, scenario, (f) => f.misses_inside)],
				["callers", "returns of the callers that are mispredicted",
					(row) => figure(row, scenario, (f) => f.misses_callers)],
				["cycles", "what these misses cost, from and to",
					(row) => figure(row, scenario, (f) => f.misses_inside +
						f.misses_callers)]);
		this.worst = this.columns.length - 1;
		this.columns.push(...plain.slice(1));
	}

	makeTable(cpu, scores) {
		this.makeColumns();
		const scenarioHeads = this.scenarios.map((name) => make("th",
			{ scope: "colgroup", colspan: "3", class: "group" },
			nameScenario(scores.find((score) =>
				score.scenario.name === name).scenario)));
		const heads = this.columns.map(([label, why], i) => {
			const head = make("th", { scope: "col", title: why }, make("button",
				{ type: "button", onclick: () =>
					this.sortBy(i, this.sorted === i ? -this.way : 1) },
				label, make("span", { class: "way", "aria-hidden": "true" })));

			this.heads.push(head);
			return head;
		});

		return make("div", { class: "wide", tabindex: "0", role: "region",
			"aria-label": "Scores on " + cpu },
			make("table", { class: "scores" },
				make("caption", {}, make("strong", {}, cpu), ": " +
					scores[0].model +
					(scores[0].known && scores[0].known !== "none"
						? ", profile " + scores[0].known : "")),
				make("thead", {}, make("tr", {}, make("td", { colspan: 2 }),
					scenarioHeads,
					make("td", { colspan: FIGURES.length - 1,
						class: "group" })),
					make("tr", {}, heads)),
				this.body));
	}

	sortBy(column, way, quietly) {
		const value = this.columns[column][2];

		this.sorted = column;
		this.way = way;
		this.rows.sort((a, b) => {
			const x = value(a);
			const y = value(b);

			return way * (typeof x === "string" ? x.localeCompare(y) : x - y);
		});
		this.heads.forEach((head, i) => {
			if (i === column && !quietly)
				head.setAttribute("aria-sort", way > 0 ? "ascending"
					: "descending");
			else
				head.removeAttribute("aria-sort");
		});
		this.body.replaceChildren(...this.rows.map((row) => this.makeRow(row)));
	}

	makeRow(row) {
		const figures = row[0].per_call;

		return make("tr", { "data-name": nameRow(row[0]) },
			make("th", { scope: "row" }, linkLayout(row[0])),
			make("td", { class: figures.balance ? "off" : null },
				signed(figures.balance)),
			this.scenarios.map((scenario) =>
				scenarioCells(this.of(row, scenario), this.most)),
			FIGURES.slice(1).map(([key, , , decimals]) =>
				make("td", {}, number(figures[key], decimals))));
	}

	/* Rows with the words in their layout's or CPU's name stay. */
	filter(cpu, words) {
		let shown = 0;

		for (const row of this.body.children) {
			const text = (cpu + " " + row.dataset.name).toLowerCase();

			row.hidden = !words.every((word) => text.includes(word));
			shown += !row.hidden;
		}
		this.element.hidden = !shown;
		return shown;
	}
}

/* What the results say besides, each sentence once. */
function addNotes(results) {
	const notes = groupBy(results.flatMap((score) =>
		score.notes.map((note) => [note, score.cpu])),
		([note]) => note);

	if (!notes.size)
		return null;
	return make("details", { class: "notes" },
		make("summary", {}, "Notes: what is assumed, and what was never needed"),
		make("ul", {}, [...notes].map(([note, from]) => make("li", {}, note + " (",
			[...new Set(from.map(([, cpu]) => cpu))].join(", ") + ")"))));
}

function addScores(block) {
	const tables = [...groupBy(block.results, (score) => score.cpu)].map(([cpu, scores]) =>
		[cpu, new ScoreTable(cpu, scores)]);
	const count = make("span", { class: "count", role: "status" });
	const field = make("input", { type: "search",
		placeholder: "a layout\u2019s or CPU\u2019s name" });

	field.addEventListener("input", () => {
		const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
		const shown = tables.reduce((sum, [cpu, table]) => sum + table.filter(cpu, words),
			0);

		count.textContent = words.length ? plural(shown, "row") : "";
	});
	return make("section", { "aria-labelledby": "comparison" },
		make("h2", { id: "comparison", tabindex: "-1" }, "Comparison"),
		make("p", { class: "lead" },
			"All figures are for each call of the traced function: what runs from " +
			"the caller\u2019s " +
			"call until the caller goes on, and the returns that the CPU " +
			"mispredicts, of the layout (inside) and of its callers."),
		make("p", { class: "filter" }, make("label", {}, "Show ", field), " ", count),
		tables.map(([, table]) => table.element), addNotes(block.results));
}
