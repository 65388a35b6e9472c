/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws the page from the data in it. */

const BLOCKS = {
	heading: addHeading, prose: addProse, code: addCode, ask: addAsk, scores: addScores,
		sweeps: addSweeps,
	recordings: addRecordings,
};

function makeLogo() {
	return draw("svg", { class: "logo", viewBox: "0 0 40 40", width: 40, height: 40,
		"aria-hidden": "true" },
		[0, 1, 2, 3, 4, 5].map((i) => draw("path", { class: "slice n" + i,
			d: "M20,3a17,17 0 0,1 14.7,8.5l-7.8,4.5a8,8 0 0,0 -6.9,-4z",
				transform: `rotate(${i * 60} 20 20)` })));
}

/* Light, dark, or as the system has it. */
function makeThemeSwitch() {
	return chooser("Theme", [["system", "Auto"], ["light", "Light"], ["dark", "Dark"]],
		"system", (value) => {
		if (value === "system")
			delete document.documentElement.dataset.theme;
		else
			document.documentElement.dataset.theme = value;
		players.forEach((player) => player.timeline.drawBar());
	});
}

function makeContents(main) {
	return make("nav", { "aria-label": "Contents" },
		make("ul", {}, [...main.querySelectorAll("h2[id]")].map((heading) =>
		make("li", {}, make("a", { href: "#" + heading.id }, heading.textContent)))));
}

/* Of the page, as they are opened; a report has none. */
let gates;

function start() {
	const data = JSON.parse(document.getElementById("data").textContent);
	const main = document.getElementById("main");

	for (const block of data.blocks)
		if (block.type === "recordings")
			playerIds.set(block.layout, newId("layout"));
	for (const block of data.blocks) {
		const element = BLOCKS[block.type] ? BLOCKS[block.type](block) : null;

		if (element)
			main.append(element);
		if (block.type === "scores" && block.results.length)
			main.append(addCosts(block.results));
	}
	document.getElementById("top").append(
		make("div", { class: "brand" }, makeLogo(),
			make("div", {}, make("h1", {}, data.title),
			data.line ? make("p", {}, data.line) : null)),
		makeThemeSwitch(), makeContents(main));
	document.getElementById("end").append(make("p", {}, "Made by " + data.program +
		". Nothing on this page came from, or goes to, a network."));
	watchWidths(main);
	gates = new Gates([...main.children].filter((element) => element.tagName !== "NOSCRIPT"));
	window.addEventListener("beforeprint", () => openAll(true));
	window.addEventListener("afterprint", () => openAll(false));
	if (location.hash) /* what it names was not there yet when the browser looked for it */
		document.getElementById(
			decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
	players.forEach((player) => player.follow()); /* what scrolls has a height now */
	document.documentElement.dataset.ready = "yes";
}

/* What is wider than its place says that it scrolls. */
function watchWidths(main) {
	const sized = new ResizeObserver((entries) => entries.forEach(({ target }) =>
		target.classList.toggle("overflows", target.scrollWidth > target.clientWidth + 1)));

	main.querySelectorAll(".wide, pre").forEach((element) => sized.observe(element));
}

/* Tables beside charts, and notes, are printed too. */
function openAll(open) {
	for (const details of document.querySelectorAll("details"))
		details.open = open;
	for (const element of open ? [] : gates.elements.slice(gates.shown))
		element.hidden = true;
	for (const element of open ? gates.elements : [])
		element.hidden = false;
}

document.addEventListener("DOMContentLoaded", start);
