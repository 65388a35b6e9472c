# SPDX-License-Identifier: GPL-2.0-or-later
"""The stacks that the page of rsbsim report replays: tests of tests/cli/report_page.py."""

import itertools
import json
import random

from browser import Page
from page_run import FOLDER, per_call, rsbsim, write

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
