# SPDX-License-Identifier: GPL-2.0-or-later
"""
The page of rsbsim report in a browser, from file://, in the folder that is the argument. One idea a
function; what each expects comes from rsbsim score and explain, or from the C models' recordings.
"""

import json
import sys
import time

sys.dont_write_bytecode = True # nothing is left in the sources
from browser import Page, open_browser # noqa: E402
from page_looks import contrast, looks, narrow # noqa: E402
from page_replay import same_as_models, same_as_score # noqa: E402
from page_run import FOLDER, per_call, rsbsim, write # noqa: E402
from page_stacks import lanes, shadowed, told # noqa: E402
from selenium.webdriver.common.keys import Keys # noqa: E402


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
                     told, shadowed, lanes, lesson, charts_have_tables, looks, narrow, contrast, hostile,
                     long, same_as_score, same_as_models):
            if wanted and test.__name__ not in wanted:
                continue
            start = time.monotonic()
            test(browser)
            print(f"{test.__name__}: good, {time.monotonic() - start:.1f} s", flush=True)
    finally:
        browser.quit()


main()
