/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Elements. All text goes in as text nodes, never as markup, so that a symbol's name can hold what
 * it likes.
 */

const SVG = "http://www.w3.org/2000/svg";

function fillElement(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (name.startsWith("on"))
			element.addEventListener(name.slice(2), value);
		else if (value !== undefined && value !== null && value !== false)
			element.setAttribute(name, value === true ? "" : value);
	}
	for (const child of children.flat(Infinity))
		if (child !== undefined && child !== null && child !== false)
			element.append(child);
	return element;
}

/* make("p", { class: "x" }, "text", another) */
function make(name, attributes, ...children) {
	return fillElement(document.createElement(name), attributes, children);
}

function draw(name, attributes, ...children) {
	return fillElement(document.createElementNS(SVG, name), attributes, children);
}

/* An id that nothing else has. */
let lastId = 0;
function newId(word) {
	return word + "-" + ++lastId;
}

/* Does it once before the next frame, however often it was asked for. */
function once(work) {
	let asked = false;

	return () => {
		if (asked)
			return;
		asked = true;
		requestAnimationFrame(() => {
			asked = false;
			work();
		});
	};
}

/* So many decimals as C prints them: what is just between two goes to the even one. */
function fix(value, decimals) {
	const between = (Math.abs(value) * 2 ** (decimals + 1)) % 2 === 1;
	const below = Math.floor(Math.abs(value) * 10 ** decimals);

	if (between && below % 2 === 0)
		return Math.sign(value) * below / 10 ** decimals;
	return Number(value.toFixed(decimals));
}

/* As in the text reports (sim/report/number.c), but with a minus that is one. */
function number(value, decimals = 2) {
	const least = 10 ** -decimals;

	if (value === null || value === undefined)
		return "?";
	if (value && Math.abs(value) < least / 2)
		return (value < 0 ? ">\u2212" : "<") + least;
	return String(fix(value, decimals)).replace("-", "\u2212");
}

function signed(value) {
	return (value > 0 ? "+" : "") + number(value);
}

function interval(pair) {
	if (!pair)
		return "?";
	const [low, high] = pair.map((value) => number(value, Math.abs(value) < 10 ? 1 : 0));

	return low === high ? low : low + "\u2013" + high;
}

function plural(count, word, words) {
	return number(count) + " " + (count === 1 ? word : words || word +
		(word.endsWith("s") ? "es" : "s"));
}

/* Text in which `code` stands between backquotes. */
function withCode(text) {
	return text.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));
}

function paragraphs(text) {
	return text.split(/\n\s*\n/).map((part) => make("p", {}, withCode(part)));
}

/* A set of radio buttons that looks like one control. */
function chooser(legend, choices, chosen, onChoose) {
	const name = newId("choice");

	return make("fieldset", { class: "chooser" }, make("legend", {}, legend),
		choices.map(([value, label]) => make("label", {},
			make("input", { type: "radio", name, value, checked: value === chosen,
				onchange: () => onChoose(value) }),
			make("span", {}, label))));
}

/* The table that says what a chart shows. */
function tableOf(caption, headings, rows) {
	return make("details", { class: "alternative" },
		make("summary", {}, "The same as a table"),
		make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
			make("table", {}, make("caption", {}, caption),
				make("thead", {}, make("tr", {},
					headings.map((text) =>
						make("th", { scope: "col" }, text)))),
				make("tbody", {}, rows.map((row) =>
					make("tr", {}, row.map((cell, i) =>
					make(i ? "td" : "th", i ? {} : { scope: "row" },
						cell))))))));
}

/* Brings a row into the view of what scrolls around it, if it is not there. */
function bringIntoView(view, row) {
	if (!row)
		return;
	const top = row.offsetTop;

	if (top < view.scrollTop + 30 || top > view.scrollTop + view.clientHeight - 50)
		view.scrollTop = top - view.clientHeight / 2;
}
