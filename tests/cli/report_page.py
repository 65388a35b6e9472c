# SPDX-License-Identifier: GPL-2.0-or-later
"""
The page of rsbsim report in a browser, from file://, in the folder that is the argument. One idea a
function; what each expects comes from rsbsim score and explain, or from the C models' recordings.
"""

import itertools
import json
import os
import random
import subprocess
import sys
import time

sys.dont_write_bytecode = True # nothing is left in the sources
from browser import Page, open_browser # noqa: E402
from page_looks import contrast, looks # noqa: E402
from selenium.webdriver.common.keys import Keys # noqa: E402

FOLDER = sys.argv[1]
RSBSIM = os.environ["RSBSIM"]


def rsbsim(*arguments):
    done = subprocess.run([RSBSIM, *arguments], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, f"rsbsim {' '.join(arguments)}: {done.stderr}"
    return done.stdout


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        file.write(text)


def per_call(layouts, cpu, *more):
    scores = json.loads(rsbsim("score", *layouts, "--cpu", cpu, "--scenario", "unwind", "-f", "json", *more))
    return {score["layout"]: score["per_call"] for score in scores["results"]}


# Where a replay here first differs from what the C model left in the recording; "" if nowhere: what is
# predicted, what became of it, and every slot after every event.
COMPARE = """
function compareTracks(run) {
	const recorded = run.recorded;
	const replayed = replay(run, run.data.parameters);
	const cursors = [new Cursor(run, recorded), new Cursor(run, replayed)];
	const entry = (cursor, below) => {
		const { track } = cursor;
		const slot = (((cursor.top - below) % track.slotCount) + track.slotCount) % track.slotCount;
		const held = track.entries.at(cursor.slots[slot]);

		return [slot, held ? [held.address, held.by, held.pushes, isStale(track, cursor.at, below, held)] : "-"].join();
	};
	if (!run.isReplayable() || recorded.slotCount !== replayed.slotCount || recorded.firstTop !== replayed.firstTop)
		return "not a stack that is replayed";
	for (let i = 0; i < run.count; i++) {
		for (const key of ["predicted", "pushedBy", "verdict", "topBefore", "topAfter"])
			if (recorded[key][i] !== replayed[key][i])
				return `event ${i}: ${key} ${recorded[key][i]} recorded, ${replayed[key][i]} replayed`;
		cursors.forEach((cursor) => cursor.seek(i + 1));
		for (let below = 0; below < recorded.slotCount; below++)
			if (entry(cursors[0], below) !== entry(cursors[1], below))
				return `event ${i}: ${entry(cursors[0], below)} recorded, ${entry(cursors[1], below)} replayed`;
	}
	return "";
}
"""

COMPARE_ALL = COMPARE + """
return players.flatMap((player) => player.block.recordings.map((data) => {
	const run = new Run(data);
	return [data.layout + " on " + data.cpu, run.count, run.recorded.misses.length, compareTracks(run)];
}));
"""


def same_as_score(browser):
    """The misses that a page counts are those of rsbsim score, for every built-in layout."""
    cpus = ("intel-haswell", "intel-skylake")
    rsbsim("report", "*", "--cpu", ",".join(cpus), "--scenario", "unwind", "--force", "-o", "all.html")
    expected = {cpu: per_call(["*"], cpu) for cpu in cpus}
    with Page(browser, FOLDER, "all.html") as page:
        shown = page.js("""return players.flatMap((player) => player.block.recordings.map((data, i) => {
            const run = player.runs.get(i) || new Run(data);
            const { calls, inside, callers } = run.figures(run.recorded);
            return [data.layout, data.cpu, inside / calls, callers / calls, data.left_out || null,
                i ? null : player.figures.textContent];
        }))""")
        assert len(shown) == 2 * len(expected[cpus[0]]) > 140, (len(shown), len(expected[cpus[0]]))
        for layout, cpu, inside, callers, left, text in shown:
            assert left is None, f"{layout}: {left}"
            score = expected[cpu][layout]
            assert abs(inside - score["misses_inside"]) < 1e-6, (layout, cpu, inside, score["misses_inside"])
            assert abs(callers - score["misses_callers"]) < 1e-6, (layout, cpu, callers, score["misses_callers"])
            assert text is None or text.startswith(f"Misses a call: {inside:g} inside, {callers:g} in callers"), text
        for name, _, _, difference in page.js(COMPARE_ALL):
            assert difference == "", f"{name}: {difference}"


def random_program(choose, functions=10):
    """Calls, returns, and return addresses that are dropped, pushed, or those of the next instruction."""
    lines = ["\t.intel_syntax noprefix"]
    for i in range(functions):
        lines += [f"\t.globl f{i}", f"f{i}:"]
        for _ in range(choose.randint(1, 4)):
            callee = f"f{min(i + choose.randint(1, 3), functions)}"
            lines += choose.choice([
                *[[f"\tcall {callee}"]] * 9,
                ["\tcall 1f", "1:\tadd rsp, 8"],
                ["\tlea rax, [rip + 1f]", "\tpush rax", "\tret", "1:\tnop"],
                [f"\tlea rax, [rip + {callee}]", "\tcall rax"],
                ["\tcall 2f", "1:\tjmp 3f", "2:\tadd rsp, 8", "\tjmp 1b", "3:\tnop"],
                ["\tlea rax, [rip + 1f]", "\tjmp rax", "1:\tnop"]])
        # Where something from outside the code happens: the outermost three run in each round.
        lines += [f"here{i}:\tnop", f"\tcall f{i + 1}"] if i < 3 else []
        lines.append("\tret")
    lines += [f"f{functions}:", "\tret", ""]
    return "\n".join(lines)


def random_cpu(choose, name, model, overflow, underflow, depth):
    by = choose.choice(["last", "path"] if underflow == "indirect" else ["none", "last", "path"])
    in_flight = choose.choice([0, 0, 1, 3, 9])
    plain = not in_flight # entries that go with calls in flight are plain ones
    values = {
        "depth": depth, "in_flight": in_flight, "overflow": overflow, "underflow": underflow, "indirect": by,
        "indirect_entries": choose.choice([1, 4, 1024]), "zero_call_pushes": choose.random() < 0.5,
        "merge": plain and choose.random() < 0.3, "counter_max": choose.choice([2, 255]), "quirk": plain and choose.random() < 0.2,
        "fixed_target": choose.choice([0, 0x401000]), "spacing": choose.choice([0, 0, 8]) if plain else 0,
        "ibpb_clears": choose.random() < 0.5}
    write(name, json.dumps({
        "name": name[:-5], "summary": "a test", "version": 1, "model": model,
        "fields": {key: {"value": value, "strength": "assumed", "source": "a test"}
                   for key, value in values.items()}}))


def same_as_models(browser):
    """The stacks in the page are the C models, event for event, on random programs; every overflow and underflow."""
    choose = random.Random(7)
    for seed in range(2):
        cpus = []
        write("random.s", random_program(choose))
        write("random.json", json.dumps({
            "name": "random", "asm": {"file": "random.s"}, "call": "f0", "scenario": {"depth": 20, "batch": 1},
            "environment": {"interrupt": [{"at": "here0", "does": "fill 3"}, {"at": "here1", "does": "ibpb"},
                                          {"at": "here2", "does": "clear"}]}}))
        for model, overflow, underflow in itertools.product(
                ["ring", "checked"], ["overwrite-oldest", "clear-all", "refuse"], ["stale", "none", "indirect", "fixed"]):
            for depth in (choose.choice([0, 1, 2, 3, 4, 5]), 16):
                name = f"cpu-{len(cpus)}.json"
                random_cpu(choose, name, model, overflow, underflow, depth)
                cpus.append("./" + name)
        rsbsim("report", "./random.json", "--cpu", ",".join(cpus), "-o", "random.html")
        with Page(browser, FOLDER, "random.html") as page:
            results = page.js(COMPARE_ALL)
            assert len(results) == 48
            assert len({misses for _, _, misses, _ in results}) > 3, "they hardly differ"
            for name, events, _, difference in results:
                assert events > 100
                assert difference == "", f"program {seed}, {name}: {difference}"


def scrubbed(browser):
    """The slider goes through the run both ways, by its keys; the stacks, the code and the sentence follow."""
    with Page(browser, FOLDER, "main.html") as page:
        slider = page.find(".scrub")
        line = page.find(".event-line")
        count = int(slider.get_attribute("max"))

        slider.send_keys(Keys.HOME)
        page.wait("players[0].at === 0", "Home goes to the start")
        assert line.text.startswith("Before the first"), line.text
        assert page.js("return players[0].cursor.frames.filter(Boolean).length") == 0
        for _ in range(12):
            slider.send_keys(Keys.ARROW_RIGHT)
        page.wait("players[0].at === 12", "twelve steps")
        assert line.text.startswith(f"12 of {count}"), line.text
        assert page.js("return players[0].listing.element.querySelectorAll('[aria-current]').length") == 1
        there = page.js("return players[0].stacks.element.textContent")
        slider.send_keys(Keys.END)
        page.wait(f"players[0].at === {count}", "End goes to the end")
        for at in (0, count, 12):
            page.js("players[0].show(arguments[0])", at)
        assert page.js("return players[0].stacks.element.textContent") == there, "back is where it was"


def played(browser):
    """Play moves on by itself, Pause stops it."""
    with Page(browser, FOLDER, "main.html") as page:
        page.js("players[0].show(0); players[0].speed.value = '120'")
        button = next(each for each in page.all(".controls button") if each.text.endswith("Play"))
        button.click()
        page.wait("players[0].at > 5", "it does not play")
        assert button.text.endswith("Pause")
        button.click()
        at = page.js("return players[0].at")
        time.sleep(0.2)
        assert page.js("return players[0].at") == at, "it still plays"


def as_in_text(browser):
    """The figures of the comparison are written as rsbsim score writes them."""
    options = ["plain-call", "bpf-fexit-skip", "recursion-24", "return-thunk-srso-alias",
               "--cpu", "intel-haswell,amd-zen4", "--depth", "20", "--batch", "32", "--force"]
    rsbsim("report", *options, "-o", "figures.html")
    rows = [[cell.strip().replace("\\", "") for cell in line.split("|")[1:-1]]
            for line in rsbsim("score", *options, "-f", "markdown").splitlines() if line.startswith("| ")]
    columns, rows = rows[0], [row for row in rows if row[0] != "layout"]
    at = [columns.index(name) for name in ("balance", "misses inside", "in callers", "lost cycles", "calls",
                                           "returns", "instructions")]
    with Page(browser, FOLDER, "figures.html") as page:
        shown = page.js("""return [...document.querySelectorAll('.scores tbody tr')].map((row) =>
            [...row.querySelectorAll('td')].map((cell) => cell.textContent))""")
        shown = [[cell.replace("\u2717 ", "").replace("\u2212", "-").replace("\u2013", "-") for cell in row]
                 for row in shown]
        assert sorted(shown) == sorted([row[i] for i in at] for row in rows), (shown, rows)
        assert any("." in row[3] for row in shown), shown


def filtered(browser):
    """The rows of the comparison and the events are filtered by what is typed and chosen."""
    with Page(browser, FOLDER, "main.html") as page:
        page.find(".filter input").send_keys("SKIP amd")
        page.wait("document.querySelector('.filter .count').textContent === '1 row'", "one row is of both words")
        assert len([row for row in page.all(".scores tbody tr") if row.is_displayed()]) == 1
        index = page.js("return players.findIndex((player) => player.block.layout === 'bpf-fexit-skip')")
        rows = page.js("""const list = players[arguments[0]].list;
            [...list.element.querySelectorAll('input[type=radio]')].find((each) => each.value === 'misses').click();
            return list.body.textContent""", index)
        assert rows.count("\u2717 miss") == page.js("return players[arguments[0]].track.misses.length", index) > 0
        assert "\u2713" not in rows


def by_keyboard(browser):
    """All can be done with keys alone, in the order of the page, and all that can be reached has a name."""
    with Page(browser, FOLDER, "main.html") as page:
        page.press(Keys.TAB)
        assert page.js("return document.activeElement.className") == "skip"
        page.press(Keys.ENTER)
        page.wait("document.activeElement.id === 'main'", "the link skips to the content")
        seen = []
        for _ in range(400):
            page.press(Keys.TAB)
            tag = page.js("""const now = document.activeElement;
                return now.matches('.scores th button') ? 'sort' : now.matches('.scrub') ? 'scrub' :
                    now.matches('.what-if input') ? 'what-if' : now.tagName""")
            if tag == "sort" and "sort" not in seen:
                page.press(Keys.ENTER)
                assert page.js("return document.activeElement.closest('th').getAttribute('aria-sort')"), "Enter sorts"
            if tag == "scrub":
                page.press("n")
                page.wait("document.activeElement.closest('.player').querySelector('.event-line').textContent.includes('miss')",
                          "n goes to a miss, or says that there is none")
            seen.append(tag)
            if tag == "what-if":
                break
        assert {"sort", "scrub", "what-if", "SUMMARY", "INPUT", "BUTTON"} <= set(seen), seen
        nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        for node in nodes:
            role = node.get("role", {}).get("value")
            if role in ("button", "slider", "spinbutton", "searchbox", "combobox", "radio", "checkbox", "link", "image", "region"):
                assert node.get("name", {}).get("value") or node.get("ignored"), f"a {role} has no name: {node}"


def code_by_keyboard(browser):
    """In the code the arrow keys go from transfer to transfer, and Enter to the next time that one runs."""
    with Page(browser, FOLDER, "main.html") as page:
        page.js("players[0].show(0); players[0].listing.body.focus()")
        for number in range(3):
            page.press(Keys.ARROW_DOWN)
            row, line = page.js("""const row = document.activeElement;
                return [row.matches('.code .transfer'), players[0].listing.rows.indexOf(row)]""")
            assert row, f"arrow {number} is not at a transfer"
        page.press(Keys.ENTER)
        reached = page.js("return players[0].run.line(players[0].run.siteOf[players[0].at - 1])")
        assert reached == line, f"Enter goes to line {reached}, not {line}"


def refused(browser):
    """What a shadow stack would refuse is marked, said and listed: the events that the recording marks."""
    recording = json.loads(rsbsim("step", "bpf-fexit-skip", "--cpu", "intel-haswell", "-f", "json"))
    expected = [i for i, event in enumerate(recording["events"]) if "refused" in event]
    verdict = json.loads(rsbsim("explain", "bpf-fexit-skip", "--cpu", "intel-haswell", "-f", "json"))["explanations"][0]["shadow_stack"]
    with Page(browser, FOLDER, "main.html") as page:
        index = page.js("return players.findIndex((player) => player.block.layout === 'bpf-fexit-skip')")
        assert page.js("return players[arguments[0]].run.refused", index) == expected
        page.js("const player = players[arguments[0]]; player.show(player.run.refused[0] + 1)", index)
        line = page.js("return players[arguments[0]].line.textContent", index)
        assert line.endswith("; \u2298 a shadow stack would refuse it: it has target+0x5"), line
        listed = page.js("""const list = players[arguments[0]].list;
            [...list.element.querySelectorAll('input[type=radio]')].find((each) => each.value === 'refused').click();
            return list.chosen""", index)
        assert listed == expected, listed
        assert page.js("return players[arguments[0]].timeline.frame.querySelector('.refusals').getAttribute('d').split('M').length", index) > 2
        findings = page.js("return players[arguments[0]].findings.textContent", index)
        assert f"Shadow stack: {verdict['answer']}: {verdict['story'].replace('`', '')}" in findings, findings
        # Nothing of it is shown where nothing is refused.
        index = page.js("return players.findIndex((player) => player.block.layout === 'bpf-fexit-jmp')")
        assert page.js("return players[arguments[0]].timeline.refusals.hidden", index)
        assert "Shadow stack: clean" in page.js("return players[arguments[0]].findings.textContent", index)


def what_if(browser):
    """Another depth in the page gives the misses of rsbsim score with that depth."""
    with Page(browser, FOLDER, "main.html") as page:
        for depth, overflow, underflow in ((4, "overwrite-oldest", "stale"), (6, "clear-all", "none"), (9, "refuse", "fixed")):
            settings = f"depth={depth},overflow={overflow},underflow={underflow}"
            expected = per_call(["bpf-fexit-double-ret"], "intel-haswell", "--set", settings)["bpf-fexit-double-ret"]
            inside, callers = page.js("""
                const player = players.find((each) => each.block.layout === 'bpf-fexit-double-ret');
                const { whatIf } = player;
                whatIf.depth.value = arguments[0];
                whatIf.overflow.value = arguments[1];
                whatIf.underflow.value = arguments[2];
                whatIf.apply();
                return [Number(player.figures.dataset.inside), Number(player.figures.dataset.callers)]""", depth, overflow, underflow)
            assert (inside, callers) == (expected["misses_inside"], expected["misses_callers"]), (settings, inside, callers, expected)


def explained(browser):
    """Each finding of rsbsim explain is on the page, with its cause and its way out."""
    expected = json.loads(rsbsim("explain", "bpf-fexit-skip", "--cpu", "intel-haswell", "-f", "json"))
    with Page(browser, FOLDER, "main.html") as page:
        text = page.js("return players.find((each) => each.block.layout === 'bpf-fexit-skip').findings.textContent").replace("`", "")
        for finding in expected["explanations"][0]["findings"]:
            for key in ("cause", "meaning", "story", "advice"):
                assert finding[key].replace("`", "") in text, finding[key]


def lesson(browser):
    """A lesson's page goes on behind a question when that is answered, so that nothing gives the answer away."""
    text = json.loads(rsbsim("lesson", "fexit", "-f", "json"))
    questions = [part for part in text["parts"] if part["kind"] == "question"]
    rsbsim("lesson", "fexit", "-f", "html", "-o", "lesson.html")
    with Page(browser, FOLDER, "lesson.html") as page:
        shown = lambda: page.js("return document.getElementById('main').innerText")
        forms = page.all("form.ask")
        assert len(forms) == len(questions) > 3
        assert [form.is_displayed() for form in forms] == [True] + [False] * (len(forms) - 1)
        assert not [link for link in page.all(".top nav a") if link.is_displayed()], "links to what is not shown"
        forms[0].find_element("css selector", "input").send_keys("1" + Keys.ENTER)
        assert "\u2713 That is so: 1" in forms[0].text, forms[0].text
        assert forms[1].is_displayed() and not forms[2].is_displayed()
        for form in forms[1:3]:
            assert "135-180" not in shown(), "the cost is told before the callers' misses are predicted"
            form.find_element("xpath", ".//button[text()='No prediction']").click()
        assert "What comes out is: 8" in forms[2].text and "135-180" in shown()
        assert len(browser.execute_cdp_cmd("Page.printToPDF", {})["data"]) > 10000
        page.find(".rest button").click()
        assert forms[-1].is_displayed() and not page.all(".rest")
        assert len([link for link in page.all(".top nav a") if link.is_displayed()]) == 3


def charts_have_tables(browser):
    """What a chart shows stands in a table beside it, and the knee is named."""
    sweep = json.loads(rsbsim("sweep", "bpf-fexit-jmp", "--cpu", "intel-haswell", "--set", "depth=1..64",
                              "--scenario", "unwind", "-f", "json"))
    with Page(browser, FOLDER, "main.html") as page:
        assert page.js("return document.querySelectorAll('svg[role=img]').length") >= 5
        assert page.js("return [...document.querySelectorAll('svg[role=img]')].every((each) => each.querySelector('title').textContent)")
        assert page.js("return document.querySelectorAll('.chart details table').length") == 2
        text = page.find("[aria-labelledby=depth] .legend").text
        assert f"bpf-fexit-jmp: knee at {sweep['knees'][0]['depth']} entries, then 0" in text, text


def hostile(browser):
    """Names that are markup are shown as they are."""
    name = "</script><img src=x onerror=alert(1)>"
    write("hostile.s", f'\t.globl f\nf:\tcall "{name}"\n\tret\n"{name}":\n\tret\n"<!--<script>":\n\tret\n')
    rsbsim("report", "--asm", "hostile.s", "--call", "f", "-o", "hostile.html")
    with Page(browser, FOLDER, "hostile.html") as page:
        assert page.js("return document.images.length") == 0
        assert page.js("return document.scripts.length") == 2
        assert name in page.js("return document.querySelector('.listing').textContent"), "the name is not shown"


def long(browser):
    """The longest recording is quick to go through, and what is left out is said."""
    rsbsim("report", "bpf-fexit-skip", "--depth", "40", "--batch", "9000", "--events", "100000", "-o", "long.html")
    with Page(browser, FOLDER, "long.html") as page:
        assert "Left out: " in page.find(".left-out").text
        assert page.js("return players[0].run.count") == 100000
        took = page.js("""const player = players[0];
            const start = performance.now();
            for (let i = 0; i < 50; i++)
                player.show((i * 7919) % player.run.count);
            return (performance.now() - start) / 50""")
        assert took < 500, f"a jump takes {took} ms" # it takes some 10 on an idle machine
        assert page.js("return document.querySelectorAll('.event-list tbody tr').length") <= 120


def main():
    layouts = ["bpf-fexit-jmp", "bpf-fexit-double-ret", "bpf-fexit-skip"]
    rsbsim("report", *layouts, "--cpu", "intel-haswell,amd-zen4", "-o", "main.html")
    browser = open_browser(FOLDER)
    try:
        wanted = sys.argv[2:]
        for test in (scrubbed, played, as_in_text, filtered, by_keyboard, code_by_keyboard, refused, what_if, explained,
                     lesson, charts_have_tables, looks, contrast, hostile, long, same_as_score, same_as_models):
            if wanted and test.__name__ not in wanted:
                continue
            start = time.monotonic()
            test(browser)
            print(f"{test.__name__}: good, {time.monotonic() - start:.1f} s", flush=True)
    finally:
        browser.quit()


main()
