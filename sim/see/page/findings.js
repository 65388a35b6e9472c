/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why returns miss: a card for each finding. */

function sayMisses(finding) {
	const parts = [];

	if (finding.misses_inside)
		parts.push(number(finding.misses_inside) + " inside");
	if (finding.misses_callers)
		parts.push(number(finding.misses_callers) + " in callers");
	return (parts.join(" and ") || "no miss") + " a call, balance " + signed(finding.balance);
}

function makeAround(finding) {
	if (!finding.around || !finding.around.length)
		return null;
	return make("div", { class: "wide around", tabindex: "0", role: "region",
		"aria-label": "The code around it" },
		make("table", { class: "code" },
			make("tbody", {}, finding.around.map((line) => {
				const here = finding.culprit && line.pc === finding.culprit.pc;

				return make("tr", { class: here ? "culprit" : null },
					make("td", { class: "tally" }, here ? "\u25b6" : ""),
						make("td", { class: "place" }, line.symbol),
					make("td", { class: "text" }, line.text));
			}))));
}

function makeFinding(player, finding, index) {
	const run = player.run;
	const first = run.data.events.findIndex((event) => event.finding === index);

	return make("article", { class: "card finding " +
		(finding.cause === "intended" ? "intended" : "") },
		make("h4", {}, make("span", { class: "cause" }, finding.cause), " ",
			sayMisses(finding)),
		make("p", { class: "meaning" }, finding.meaning),
		finding.story ? make("p", {}, make("strong", {}, "Why: "), withCode(finding.story),
			".") : null,
		makeAround(finding),
		finding.advice ? make("p", { class: "advice" }, make("strong", {}, "Way out: "),
			withCode(finding.advice), ".") : null,
		first >= 0 ? make("button", { type: "button", onclick: () =>
			player.show(first + 1, true) }, "Go to its first miss") : null);
}

/* What shadow stacks and indirect branch tracking say of the same code. */
function makeEnforcement(player) {
	const { run } = player;
	const { shadow_stack: shadow, ibt } = run.data;
	const line = (name, answer, story, note) =>
		make("p", {}, make("strong", {}, name + ": "), answer + ": ", withCode(story), note
		? " (" + note + ")" : "", ".");

	if (!shadow && !ibt)
		return [];
	return [make("h3", {}, "Would a shadow stack let it run?"),
		make("article", { class: "card enforcement" },
		make("p", { class: "meaning" },
			"A shadow stack is a second copy of the return addresses that code " +
			"cannot write; a return to another one faults."),
		shadow ? line("Shadow stack", shadow.answer, shadow.story, shadow.note) : null,
		ibt ? line("Indirect branch tracking", ibt.clean ? "clean" : "violates", ibt.story)
			: null,
		run.refused.length ? make("button",
			{ type: "button", onclick: () => player.show(run.refused[0] + 1, true) },
			"Go to the first that is refused") : null)];
}

function showFindings(player, place) {
	const data = player.run.data;
	const findings = data.findings || [];

	place.replaceChildren(
		make("h3", {}, "Why returns miss"),
		...(findings.length ? findings.map((finding, i) => makeFinding(player, finding, i))
			: [make("p", { class: "fine" },
				"\u2713 Nothing to explain: every return of the steady rounds " +
				"goes where " + data.cpu + " predicts.")]),
		...(data.notes && data.notes.length
			? [make("ul", { class: "notes" },
			data.notes.map((note) => make("li", {}, note)))] : []),
		...makeEnforcement(player));
}
