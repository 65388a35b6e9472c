# SPDX-License-Identifier: GPL-2.0-or-later
"""
The stacks beside each other, and the CPUs below each other: tests of tests/cli/report_page.py. What is
expected is in the recordings, which the C models wrote.
"""

import json

from browser import Page
from page_run import FOLDER, rsbsim


def record(layout, cpu):
    return json.loads(rsbsim("step", layout, "--cpu", cpu, "-f", "json"))


def find_player(page, layout):
    return page.js("return players.findIndex((player) => player.block.layout === arguments[0])", layout)


def told(browser):
    """Above the stacks is what a return was predicted to do, and what it did."""
    recording = record("bpf-fexit-skip", "intel-haswell")
    name = lambda index: recording["addresses"][index].get("symbol")
    with Page(browser, FOLDER, "main.html") as page:
        index = find_player(page, "bpf-fexit-skip")
        seen = 0
        for number, event in enumerate(recording["events"]):
            site = recording["sites"][event["site"]]
            if site["kind"] == "call":
                expected = [f"pushed{name(site['pushes'])}"] * 2
            elif "predicted" in event:
                by = recording["code"][recording["sites"][event["pushed_by"]]["line"]]["symbol"]
                expected = [f"predicted{name(event['predicted'])}of the call at {by}",
                            f"returned to{name(event['to'])}" + ("\u2717 a miss" if "miss" in event else "\u2713 a hit")]
                seen += "miss" in event
            else:
                expected = [f"untouched by the {site['kind']}"] * 2
            shown = page.js("""const { stacks } = players[arguments[0]];
                players[arguments[0]].show(arguments[1]);
                return [stacks.buffer, stacks.program].map((card) => card.done.textContent)""", index, number + 1)
            assert shown == expected, (number, shown, expected)
        assert seen == sum(each["misses_inside"] + each["misses_callers"] for each in recording["rounds"]) > 8


def shadowed(browser):
    """The shadow stack holds what a refused return did not go to, and what the traced call leaves there."""
    recording = record("bpf-fexit-skip", "intel-haswell")
    refused = [(i, event) for i, event in enumerate(recording["events"]) if event.get("refused") == "shadow stack"]
    # The return that ends a round is refused too, and is no event.
    assert len(refused) == recording["shadow_stack"]["violations"] - len(recording["rounds"]) > 8
    rsbsim("report", "uretprobe-syscall", "--cpu", "intel-haswell", "-o", "unknown.html")
    with Page(browser, FOLDER, "main.html") as page:
        index = find_player(page, "bpf-fexit-skip")
        heights = """const player = players[arguments[0]];
            player.show(arguments[1]);
            return [player.stacks.shadow, player.stacks.program].map((card) => parseInt(card.high.textContent))"""
        for i, event in refused:
            if event.get("reason") == "empty":
                continue
            expected = recording["addresses"][event["expected"]]["symbol"]
            before = page.js("""const player = players[arguments[0]];
                player.show(arguments[1]);
                return player.stacks.shadow.list.textContent""", index, i)
            assert before[1:].startswith(expected), (i, before, expected)
            page.js("players[arguments[0]].show(arguments[1])", index, i + 1)
            text = page.js("return players[arguments[0]].stacks.shadow.done.textContent", index)
            assert text == f"had{expected}\u2298 would refuse", text
        landing = next(i for i, event in enumerate(recording["events"]) if event.get("mark") == "landing")
        shadow, program = page.js(heights, index, landing + 1)
        assert shadow - program == recording["shadow_stack"]["left"] == 1, (shadow, program)
        # Where nothing is refused it is the program's own stack.
        index = find_player(page, "bpf-fexit-jmp")
        differ = page.js("""const { run, cursor } = players[arguments[0]];
            return [...run.depthAfter].flatMap((height, i) => run.shadow.count(i + 1) === height ? [] : [i])""", index)
        assert differ == [], differ
    # sigreturn and the like move it by what makes no event: nothing is shown rather than something wrong.
    with Page(browser, FOLDER, "unknown.html") as page:
        assert not page.js("return players[0].run.shadow.known")
        assert not page.js("return players[0].stacks.shadow.element.checkVisibility()")


def lanes(browser):
    """CPUs that miss at the same events share a lane, and the next difference is where only some miss."""
    cpus = ("intel-haswell", "intel-sandy-bridge", "amd-zen4")
    recordings = [record("recursion-24", cpu) for cpu in cpus]
    misses = [[i for i, event in enumerate(each["events"]) if "miss" in event] for each in recordings]
    assert misses[0] == misses[1] != misses[2] and misses[2]
    differ = sorted(set(misses[0]) ^ set(misses[2]))
    rsbsim("report", "recursion-24", "--cpu", ",".join(cpus), "-o", "lanes.html")
    with Page(browser, FOLDER, "lanes.html") as page:
        heads = [each.text.split("\n") for each in page.all(".lane-head")]
        assert heads[0][0].startswith(f"{cpus[0]}, {cpus[1]}") and heads[1][0].startswith(cpus[2]), heads
        assert [page.js("return players[0].lanes.lanes[arguments[0]].misses", i) for i in (0, 1)] == [misses[0], misses[2]]
        page.js("players[0].show(0); players[0].slider.focus()")
        for i in differ:
            page.press("d")
            page.wait(f"players[0].at === {i + 1}", f"d goes to event {i + 1}, where they differ")
        page.press("d")
        page.wait("players[0].line.textContent === 'No difference follows.'", "it says that none follows")
        page.js("players[0].show(arguments[0])", differ[0] + 1)
        said = [each.text for each in page.all(".lane-now")]
        event = recordings[0]["events"][differ[0]]
        assert said == [f"here: \u2717 predicted {recordings[0]['addresses'][event['predicted']]['symbol']}",
                        "here: \u2713 hit"], said
    with Page(browser, FOLDER, "main.html") as page: # two that do not differ have no lanes to compare
        assert not [each for each in page.all(".lanes svg") if each.is_displayed()]
