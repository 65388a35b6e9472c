#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""count.py FORMAT FILE DEPTH: what importing FILE and replaying it must come to.

Reads the file by rules of its own, as simple as they can be, and prints calls, returns, returns that
cannot be judged, misses of an unbounded stack, misses of one of DEPTH entries that keeps the newest
and predicts nothing when it is empty, and misses that the processor itself reported.
"""

import collections
import gzip
import lzma
import re
import struct
import sys
import zipfile


def read(path):
    if path.endswith(".zip"):
        with zipfile.ZipFile(path) as archive:
            return b"".join(archive.read(name) for name in sorted(archive.namelist()))
    opener = {"gz": gzip.open, "xz": lzma.open}.get(path.rsplit(".", 1)[-1], open)
    with opener(path, "rb") as file:
        return file.read()


# Each reader yields (thread, "call", pc, length or None), (thread, "gap"), or (thread, "ret", target),
# with True behind if the processor says that it missed.


def champsim(data, size=64, sources=12, space=None):
    last = {}
    for at in range(0, len(data), size):
        record = data[at : at + size]
        (pc,) = struct.unpack_from("<Q", record)
        thread = struct.unpack_from("<H", record, space)[0] if space else 0
        if thread in last:
            kind, from_pc = last.pop(thread)
            yield (thread, "call", from_pc, None) if kind == "call" else (thread, "ret", pc)
        writes, reads = set(record[10:sources]), set(record[sources : sources + 4])
        if {26, 6} <= writes and 6 in reads:
            last[thread] = ("call" if 26 in reads else "ret", pc)


def cloudsuite(data):
    return champsim(data, 96, 14, 88)


def championship(data, cvp=False):
    at = 0
    while at < len(data):
        pc, kind = struct.unpack_from("<QB", data, at)
        at += 9
        target = None
        if kind == 1:
            at += 9 if cvp else 10
        elif kind == 2:
            at += 9 if cvp else 11
        elif kind in (3, 4, 5, 9, 10, 11):
            if data[at]:
                (target,) = struct.unpack_from("<Q", data, at + 1)
                at += 8
            at += 1
        inputs = data[at + 1 : at + 1 + data[at]]
        at += 1 + len(inputs)
        outputs = data[at + 1 : at + 1 + data[at]]
        at += 1 + len(outputs)
        at += sum(16 if 32 <= name < 64 else 8 for name in outputs)
        if cvp and kind in (4, 5):
            if 30 in outputs:
                kind = 9
            elif list(inputs) == [30]:
                kind = 11
        if kind in (9, 10):
            yield (0, "call", pc, 4)
        elif kind == 11:
            yield (0, "ret", target)


def drmemtrace(data):
    form = "<HHQ" if struct.unpack_from("<I", data, 8)[0] == 0 else "<HHI"
    size = struct.calcsize(form)
    thread, returning = 0, {}
    for at in range(0, len(data), size):
        kind, length, address = struct.unpack_from(form, data, at)
        if kind == 22:
            thread = address
        is_event = kind == 28 and length == 0
        if (10 <= kind <= 16 or kind in (48, 49) or is_event) and returning.pop(thread, False):
            yield (thread, "ret", address)
        if kind in (14, 15):
            yield (thread, "call", address, length)
        returning[thread] = returning.get(thread, False) or kind == 16


def overlap(before, sample):
    for count in range(min(len(before), len(sample)), 0, -1):
        if before[-count:] == sample[:count]:
            return count
    return 0


ENTRY = re.compile(
    r"(0x[0-9a-f]+|\S+(?: \w+>\d+)?\+0x[0-9a-f]+)(?:\([^)]*\))?/"
    r"(0x[0-9a-f]+|[^/]+\+0x[0-9a-f]+)(?:\([^)]*\))?/([MP])/-/-/(\d+)(?:/(\w+))?")


def place(text):
    if text.startswith("0x"):
        return int(text, 16)
    name, offset = text.rsplit("+", 1)
    return (int(name.rsplit(">", 1)[1]) << 32) + int(offset, 16)


def perf(data):
    before = collections.defaultdict(list)
    started = set()
    chains, first = set(), None
    for line in data.decode().splitlines():
        flagged = re.match(r".* \d+/(\d+) .*: +(call|return|jcc|jmp|tr \w+) .*?([0-9a-f]+) \S+.*=> +(\w+)",
                           line)
        if flagged or "trace error" in line:
            thread = int(flagged[1]) if flagged else int(re.search(r"tid (\d+)", line)[1])
            if thread not in started:
                yield (thread, "gap")
                started.add(thread)
            if not flagged:
                yield (thread, "gap")
            elif flagged[2] == "call":
                yield (thread, "call", int(flagged[3], 16), None)
            elif flagged[2] == "return":
                yield (thread, "ret", int(flagged[4], 16))
            continue
        head = re.match(r"  my prog (\d+) ", line)
        thread = int(head[1]) if head else 0
        sample = ENTRY.findall(line)[::-1]
        if not sample:
            # The first address of a callchain is where the sample was taken.
            chain = re.fullmatch(r"\s+([0-9a-f]{4,16})", line)
            address = int(chain[1], 16) if chain else None
            if first and address and address != first:
                chains.add(address)
            first = address and (first or address)
            continue
        first = None
        common = overlap(before[thread], sample)
        before[thread] = sample
        if not common:
            yield (thread, "gap")
        waiting = []
        for number, (start, end, verdict, _, kind) in enumerate(sample):
            start, end = place(start), place(end)
            if not kind:
                # Of the old form: pairs that a callchain confirms; the call is known at its return.
                while waiting and not 2 <= end - waiting[-1] <= 15:
                    if end not in chains or not any(2 <= end - one <= 15 for one in waiting):
                        break
                    waiting.pop()
                if end in chains and waiting and 2 <= end - waiting[-1] <= 15:
                    yield (thread, "pair", verdict == "M")
                    waiting.pop()
                else:
                    waiting.append(start)
                continue
            if number < common:
                continue
            if kind in ("CALL", "IND_CALL"):
                yield (thread, "call", start, None)
            elif kind == "RET":
                yield (thread, "ret", end, verdict == "M")


FORMATS = {
    "champsim": champsim,
    "champsim-cloudsuite": cloudsuite,
    "cbp": championship,
    "cvp": lambda data: championship(data, True),
    "drmemtrace": drmemtrace,
    "perf": perf,
}


def fits(entry, target):
    pc, length = entry
    return target == pc + length if length else 2 <= target - pc <= 15


def misses(events, depth):
    stacks = collections.defaultdict(lambda: collections.deque(maxlen=depth))
    since_gap = {}
    missed = unjudged = reported = 0
    for thread, kind, *rest in events:
        stack = stacks[thread]
        if kind == "gap":
            since_gap[thread] = 0
        elif kind == "call":
            stack.append(rest)
            if thread in since_gap:
                since_gap[thread] += 1
        elif kind == "ret":
            judged = since_gap.get(thread, 1) > 0
            if thread in since_gap and judged:
                since_gap[thread] -= 1
            hit = stack and fits(stack.pop(), rest[0])
            unjudged += not judged
            missed += judged and not hit
            reported += judged and rest[-1] is True
        elif kind == "pair":
            reported += rest[0]
    return missed, unjudged, reported


def main():
    data = read(sys.argv[2])
    events = list(FORMATS[sys.argv[1]](data))
    pairs = sum(event[1] == "pair" for event in events)
    calls = pairs + sum(event[1] == "call" for event in events)
    returns = pairs + sum(event[1] == "ret" for event in events)
    unbounded, unjudged, reported = misses(events, None)
    bounded, _, _ = misses(events, int(sys.argv[3]))
    print(calls, returns - unjudged, unjudged, unbounded, bounded, reported)


main()
