/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code, what its returns came to in the steady rounds, and the line where the reader is. */

/* Hits and misses of each line of code, in the steady rounds. */
function countLines(run, track) {
	const counts = run.data.code.map(() => ({ hits: 0, misses: 0 }));

	for (const round of run.data.rounds) {
		if (round.phase !== "steady")
			continue;
		for (let i = round.first; i < round.first + round.count; i++) {
			const line = run.line(run.siteOf[i]);

			if (line < 0 || !track.verdict[i] || !run.isReturn(run.siteOf[i]))
				continue;
			if (track.isMiss(i))
				counts[line].misses++;
			else
				counts[line].hits++;
		}
	}
	return counts;
}

/* A place in the code; on a narrow screen only its last part stands behind the first line's. */
function makePlace(symbol) {
	const end = symbol.lastIndexOf("+");

	return make("td", { class: "place" }, end < 0 ? symbol
		: [make("span", { class: "base" }, symbol.slice(0, end)), symbol.slice(end)]);
}

class Listing {
	constructor(player) {
		this.player = player;
		this.current = null;
		this.body = make("div", { class: "code-scroll", tabindex: "0", role: "region",
			"aria-label": "Code of " + player.block.layout });
		this.less = make("input", { type: "checkbox", onchange: () =>
			this.element.classList.toggle("less", this.less.checked) });
		this.element = make("section", { class: "card listing" },
			make("div", { class: "card-head" }, make("h4", {}, "Code"),
				make("label", {}, this.less, " only transfers")),
			make("p", { class: "hint" },
				"\u2713 hits and \u2717 misses of each return in the steady rounds",
				make("span", { class: "by-hand" },
					"; a click, or the arrow keys and Enter, go to the next " +
					"time that a line\u2019s transfer runs"), "."),
			this.body);
		this.body.addEventListener("keydown", (event) => this.onKey(event));
	}

	/* From one transfer to the next, from the line where the reader is on; Enter goes there. */
	onKey(event) {
		const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		let row = this.rows.indexOf(document.activeElement);

		if (event.key === "Enter" && row >= 0) {
			event.preventDefault();
			this.player.goToLine(row);
		}
		if (!way || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		if (row < 0)
			row = this.current ? this.rows.indexOf(this.current) : way > 0 ? -1
				: this.rows.length;
		do
			row += way;
		while (this.rows[row] && (!this.rows[row].hasAttribute("tabindex") ||
			!this.rows[row].offsetParent));
		if (this.rows[row]) {
			this.rows[row].focus({ preventScroll: true });
			bringIntoView(this.body, this.rows[row]);
		}
	}

	show(run, track) {
		const counts = countLines(run, track);
		const transfers = new Set(run.data.sites.map((site) => site.line));

		this.rows = run.data.code.map((line, i) =>
			this.makeRow(line, run.instruction(i), counts[i], transfers.has(i), i));
		this.current = null;
		this.body.replaceChildren(make("table", { class: "code" },
			make("thead", { class: "hidden" },
				make("tr", {}, ["hits and misses", "place", "instruction",
				"bytes"].map((text) =>
				make("th", { scope: "col" }, text)))),
			make("tbody", {}, this.rows.map((row, i) =>
				[this.makeLabel(run.data.code[i]), row]))));
	}

	/* On a narrow screen a name has a line of its own, so that the instructions have room. */
	makeLabel(line) {
		return line.label ? make("tr", { class: "name-row", "aria-hidden": "true" },
			make("td", { colspan: "4" }, line.symbol)) : null;
	}

	makeRow(line, instruction, count, transfers, index) {
		const tally = [
			count.hits ? make("span", { class: "hit" }, "\u2713" + count.hits) : null,
				" ",
			count.misses ? make("span", { class: "miss" }, "\u2717" + count.misses)
				: null];

		return make("tr", {
			class: (line.label ? "labelled " : "") + (transfers ? "transfer " : "") +
				(count.misses ? "missed" : ""),
			onclick: transfers ? () => this.player.goToLine(index) : null,
			tabindex: transfers ? "-1" : null,
		}, make("td", { class: "tally" }, tally), makePlace(line.symbol),
		make("td", { class: "text" }, instruction, line.mitigation
			? make("span", { class: "tag" }, line.mitigation) : null),
		make("td", { class: "bytes" }, line.bytes));
	}

	update(line) {
		if (this.current)
			this.current.removeAttribute("aria-current");
		this.current = line >= 0 ? this.rows[line] : null;
		if (this.current)
			this.current.setAttribute("aria-current", "true");
	}

	follow() {
		bringIntoView(this.body, this.current);
	}
}
