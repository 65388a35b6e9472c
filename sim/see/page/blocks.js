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
		return make("label", {}, "Your answer ", make("input", { type: "text", name, autocomplete: "off" }));
	return block.choices.map((choice) => make("label", {},
		make("input", { type: "radio", name, value: choice }), " ", choice));
}

function addAsk(block) {
	const name = newId("answer");
	const verdict = make("div", { class: "verdict", role: "status" });
	const form = make("form", { class: "ask card" },
		make("fieldset", {}, make("legend", {}, withCode(block.question)),
			make("div", { class: "choices" }, answerField(block, name))),
		make("button", { type: "submit" }, "Answer"), verdict);

	form.addEventListener("submit", (event) => {
		event.preventDefault();
		const given = new FormData(form).get(name);

		if (given === null || !given.trim())
			verdict.replaceChildren("First make a prediction.");
		else
			verdict.replaceChildren(make("p", { class: isSame(given, block.answer) ? "right" : "wrong" },
				isSame(given, block.answer) ? "\u2713 That is so: " : "\u2717 It is: ",
				make("strong", {}, block.answer)), ...(block.why ? paragraphs(block.why) : []));
	});
	return form;
}
