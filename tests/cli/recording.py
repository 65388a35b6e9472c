# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges recordings (rsbsim-recording(5)), whose files are named on standard input.

Applies the differences of each forwards and back, follows the paths, and counts the misses.
"""
import json
import os
import sys


def fail(name, text):
    sys.exit(f"{name}: {text}")


def apply(name, state, index, before, after):
    while len(state) <= index:
        state.append(0)
    if state[index] != before:
        fail(name, f"place {index} holds {state[index]}, and the difference says {before}")
    state[index] = after


def count_misses(name, recording):
    """What the score says must be what the events say."""
    score, events = recording["score"], recording["events"]
    sums = {"cold": [0, 0, 0], "steady": [0, 0, 0]}
    for number, turn in enumerate(recording["rounds"]):
        misses = [0, 0]
        for event in events[turn["first"]:turn["first"] + turn["count"]]:
            kind = recording["sites"][event["site"]]["kind"]
            if "miss" in event and kind == "return":
                misses[0 if event.get("inside") else 1] += 1
        if misses != [turn["misses_inside"], turn["misses_callers"]]:
            fail(name, f"round {number} has misses {misses}")
        for phase in (["cold"] if not number else []) + [turn["phase"]] * (turn["phase"] == "steady"):
            sums[phase] = [a + b for a, b in zip(sums[phase], [turn["traced_calls"], *misses])]
    for phase, figures in (("cold", score["cold"]), ("steady", score["per_call"])):
        calls, inside, callers = sums[phase]
        if phase == "steady" and "left_out" in recording:
            continue
        for count, key in ((inside, "misses_inside"), (callers, "misses_callers")):
            if abs(count / calls - figures[key]) > 1e-9:
                fail(name, f"{phase} {key}: {count}/{calls}, and the score has {figures[key]}")


def follow(name, recording):
    """Differences lead from nothing to the end and back; each stack is as the other tables say."""
    slots, stack, states = [0] * recording["stack"]["slots"], [], []
    top = recording["stack"]["top"]
    for number, event in enumerate(recording["events"]):
        states.append((list(slots), [x for x in stack if x], top))
        if "top" in event:
            if event["top"][0] != top:
                fail(name, f"event {number}: top is {top}")
            top = event["top"][1]
        for index, before, after in event.get("slots", []):
            if index >= len(slots):
                fail(name, f"event {number}: no slot {index}")
            apply(f"{name}: event {number}", slots, index, before, after)
        last = 0
        for step, index, before, after in event.get("stack", []):
            if step < last or step > event.get("steps", 1):
                fail(name, f"event {number}: steps are not in order")
            last = step
            apply(f"{name}: event {number}", stack, index, before, after)
        if stack != [x for x in stack if x] + [0] * stack.count(0):
            fail(name, f"event {number}: a hole in the stack")
        places = [int(recording["frames"][x]["slot"], 16) for x in stack if x]
        if places != sorted(places, reverse=True):
            fail(name, f"event {number}: the stack does not grow downwards")
    for number, event in reversed(list(enumerate(recording["events"]))):
        for step, index, before, after in reversed(event.get("stack", [])):
            apply(f"{name}: back to event {number}", stack, index, after, before)
        for index, before, after in reversed(event.get("slots", [])):
            apply(f"{name}: back to event {number}", slots, index, after, before)
        top = event["top"][0] if "top" in event else top
        if (slots, [x for x in stack if x], top) != states[number]:
            fail(name, f"event {number}: another state when coming back")


def follow_code(name, recording):
    """The instructions of an event are in a row, from where the one before went to its own."""
    code, sites, addresses = recording["code"], recording["sites"], recording["addresses"]
    ends = [int(x["pc"], 16) + len(x["bytes"].split()) for x in code]
    for turn in recording["rounds"]:
        line = turn.get("line")
        for event in recording["events"][turn["first"]:turn["first"] + turn["count"]]:
            steps, site = event.get("steps", 1), sites[event["site"]]
            path = event.get("path")
            if steps and not path:
                path = list(range(site["line"] - steps + 1, site["line"] + 1))
            if steps != len(path or []):
                fail(name, f"a path of {path}, and {steps} steps")
            if path and path[0] != line:
                fail(name, f"{event}: begins at line {path[0]}, not {line}")
            for a, b in zip(path or [], (path or [])[1:]):
                if ends[a] != int(code[b]["pc"], 16):
                    fail(name, f"{event}: line {b} does not follow {a}")
            if site["kind"] == "environment" or not steps:
                line += steps  # something outside the code, which goes on where it was
                continue
            if path[-1] != site["line"]:
                fail(name, f"{event}: does not end at its site")
            if site["kind"] == "call" and addresses[site["pushes"]]["address"] != hex(ends[site["line"]]):
                fail(name, f"{event}: pushes another address than that after it")
            line = addresses[event["to"]].get("line")


def check_predictions(name, recording):
    """A hit is a prediction of where it went; the slots say what a ring predicts."""
    slots, top = [0] * recording["stack"]["slots"], recording["stack"]["top"]
    for number, event in enumerate(recording["events"]):
        if recording["sites"][event["site"]]["kind"] == "return" and slots:
            if ("miss" in event) == (event["predicted"] == event["to"]):
                fail(name, f"event {number}: a hit that misses")
            entry = recording["entries"][slots[top]]
            if entry and not entry.get("stale") and event["predicted"] != entry["address"]:
                fail(name, f"event {number}: predicts another address than the top slot")
        if "miss" in event and "cause" not in event and recording["sites"][event["site"]]["kind"] == "return":
            fail(name, f"event {number}: a miss without a cause")
        if "cause" in event and recording["sites"][event["site"]]["kind"] != "return":
            fail(name, f"event {number}: a cause of what is no return")
        top = event.get("top", [0, top])[1]
        for index, _, after in event.get("slots", []):
            slots[index] = after


def is_kept(layout):
    """Does the built-in layout's environment say what a kernel does to the shadow stack?"""
    path = os.path.join(os.environ["srcdir"], "sim", "layouts", layout + ".json")
    if not os.path.exists(path):
        return False
    with open(path, encoding="utf-8") as stream:
        return "shadow" in json.load(stream).get("environment", {})


def check_refusals(name, recording):
    """A shadow stack of our own, by the rule of Documentation/arch/x86/shstk.rst (calls push to both, returns
    pop and compare), refuses the same returns; where code asks for one, or another keeps it, it cannot be so simple."""
    code, sites, addresses = recording["code"], recording["sites"], recording["addresses"]
    if recording["shadow_stack"]["answer"] == "not judged":
        return
    if is_kept(recording["layout"]):
        return
    if any("ssp" in line["text"] for line in code) or any(
            site["kind"] in ("syscall", "sysret", "iret", "far call", "far return") for site in sites):
        return
    for number, turn in enumerate(recording["rounds"]):
        shadow = []
        for event in recording["events"][turn["first"]:turn["first"] + turn["count"]]:
            site = sites[event["site"]]
            if site["kind"] == "call" and not site.get("zero_call"):
                shadow.append(site["pushes"])
            if site["kind"] != "return":
                if event.get("refused") == "shadow stack":
                    fail(name, f"round {number}: a refused {site['kind']}")
                continue
            expected = shadow.pop() if shadow else None
            if (expected != event["to"]) != ("refused" in event):
                where = code[site["line"]]["symbol"]
                fail(name, f"round {number}: at {where} the shadow stack has {expected}: {event}")
            if expected is not None and event.get("expected", event["to"]) != expected:
                fail(name, f"round {number}: {event} expects {event.get('expected')}, not {expected}")


for file in sys.stdin.read().split():
    with open(file, encoding="utf-8") as stream:
        loaded = json.load(stream)
    title = f"{loaded['layout']} on {loaded['cpu']}"
    count_misses(title, loaded)
    follow(title, loaded)
    follow_code(title, loaded)
    check_predictions(title, loaded)
    check_refusals(title, loaded)
