/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plain blocks of a page: headings, prose, code, and questions to be answered. */

function addHeading(block) {
	return make("h2", { id: newId("part"), tabindex: "-1" }, block.text);
}

function addProse(block) {
	return make("div", { class: "prose" }, paragraphs(block.text));
}

function addCode(block) {
	return make("pre", { class: "prose", tabindex: "0" }, make("code", {}, block.text));
}

function isSame(a, b) {
	return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/* Where an answer is chosen, or typed. */
function answerField(block, name) {
	if (!block.choices || !block.choices.length)
		return make("label", {}, "Your answer ",
			make("input", { type: "text", name, autocomplete: "off" }));
	return block.choices.map((choice) => make("label", {},
		make("input", { type: "radio", name, value: choice }), " ", choice));
}

/*
 * What stands behind a question gives its answer away: it is shown once that was told. elements:
 * all of the page, in their order.
 */
class Gates {
	constructor(elements) {
		this.elements = elements;
		this.last = elements.findLastIndex((element) => element.matches("form.ask"));
		this.rest = make("p", { class: "rest" },
			"The lesson goes on when this is answered. ",
			make("button", { type: "button", class: "link", onclick: () =>
				this.open(elements.length) }, "Show all of it"));
		elements.forEach((element, i) => {
			if (element.matches("form.ask"))
				element.addEventListener("told", () => this.open(i + 1));
		});
		this.shown = 0;
		this.open(0);
	}

	/* Shows them up to the question from there on that is next. */
	open(from) {
		const next = this.elements.findIndex((element, i) => i >= from &&
			element.matches("form.ask"));

		this.shown = Math.max(this.shown, next < 0 ? this.elements.length : next + 1);
		this.elements.forEach((element, i) => {
			element.hidden = i >= this.shown;
		});
		if (this.shown > this.last)
			this.rest.remove();
		else
			this.elements[this.shown - 1].after(this.rest);
		for (const link of document.querySelectorAll(".top nav a"))
			link.parentElement.hidden = document.querySelector(link.hash).closest(
				"[hidden]") !== null;
		players.forEach((player) => player.follow());
	}
}

function addAsk(block) {
	const name = newId("answer");
	const verdict = make("div", { class: "verdict", role: "status" });
	const form = make("form", { class: "ask card" },
		make("fieldset", {}, make("legend", {}, withCode(block.question)),
			make("div", { class: "choices" }, answerField(block, name))),
		make("div", { class: "answer" }, make("button", { type: "submit" }, "Answer"),
			make("button", { type: "button", onclick: () =>
				tell("", "What comes out is: ") }, "No prediction")), verdict);

	/* What follows the question may be shown now. */
	function tell(kind, words) {
		verdict.replaceChildren(make("p", { class: kind }, words,
			make("strong", {}, block.answer)),
			...(block.why ? paragraphs(block.why) : []));
		form.dispatchEvent(new Event("told"));
	}

	form.addEventListener("submit", (event) => {
		event.preventDefault();
		const given = new FormData(form).get(name);

		if (given === null || !given.trim())
			verdict.replaceChildren("First make a prediction, or go on without.");
		else if (isSame(given, block.answer))
			tell("right", "\u2713 That is so: ");
		else
			tell("wrong", "\u2717 It is: ");
	});
	return form;
}
