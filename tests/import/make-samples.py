#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make-samples.py FOLDER [STEPS]: writes small traces in each form that rsbsim imports.

One made-up program is walked, and what it did is written in every form. tests/import/count.py reads
the files again, on its own, and counts. To add a form: a function here, its row in main(), and its
reader there.
"""

import gzip
import lzma
import os
import random
import struct
import sys
import zipfile

FUNCTIONS = 12
BASE = 0x401000


class Step:
    """One instruction: its kind is other, call, icall, ret, jmp, ijmp, jcc or njcc."""

    def __init__(self, kind, pc, length, target, thread):
        self.kind, self.pc, self.length = kind, pc, length
        self.target, self.thread = target, thread


def walk(seed, count, fixed=0, thread=1):
    """A thread's walk through the program, back to where it began. fixed: the length of all."""
    chance = random.Random(seed)
    steps = []

    def step(kind, pc, length, target=None):
        length = fixed or length
        steps.append(Step(kind, pc, length, pc + length if target is None else target, thread))
        return steps[-1].target

    def place(function, slot):
        return BASE + function * 0x1000 + slot * 64

    stack = []
    function, slot = 0, 0
    while len(steps) < count or stack:
        pc = place(function, slot)
        pc = step("other", pc, 3)
        # What a place does depends on the place, as in a program.
        what = (function * 7 + slot * 13) % 10
        deep = len(stack) > 24 or len(steps) >= count
        if what < 4 and not deep and slot < 60:
            length = (5, 5, 2, 6)[what]
            callee = (function * 5 + slot) % FUNCTIONS if what < 2 else chance.randrange(FUNCTIONS)
            stack.append((function, slot, pc + (fixed or length)))
            step("call" if what < 2 else "icall", pc, length, place(callee, 0))
            function, slot = callee, 0
            continue
        if stack and (what > 7 or deep or slot > 50):
            # Now and then a frame is skipped, as longjmp does.
            skip = len(stack) > 2 and chance.random() < 0.05
            if skip:
                stack.pop()
            function, slot, back = stack.pop()
            step("ret", pc, 1, back)
            pc = step("jmp", back, 2, place(function, slot + 1))
            slot += 1
            continue
        slot = slot + 1 if slot < 60 else 0
        if chance.random() < 0.5 and what == 4:
            step("ijmp", pc, 2, place(function, slot))
        else:
            pc = step("njcc", pc, 2)
            step("jcc" if what % 2 else "jmp", pc, 2, place(function, slot))
    return steps


def shuffle(threads, seed):
    """Pieces of several threads in turn."""
    chance = random.Random(seed)
    threads = [list(steps) for steps in threads]
    while any(threads):
        steps = chance.choice([steps for steps in threads if steps])
        piece = chance.randrange(1, 200)
        yield from steps[:piece]
        del steps[:piece]


# ---- ChampSim ----

IP, SP, FLAGS, OTHER = 26, 6, 25, 10
CHAMPSIM = {  # registers that are written, and that are read
    "other": ([OTHER], [OTHER]),
    "call": ([IP, SP], [IP, SP]),
    "icall": ([IP, SP], [IP, SP, OTHER]),
    "ret": ([IP, SP], [SP]),
    "jmp": ([IP], []),
    "ijmp": ([IP], [OTHER]),
    "jcc": ([IP], [IP, FLAGS]),
    "njcc": ([IP], [IP, FLAGS]),
}


def champsim(steps, cloudsuite=False):
    places = 4 if cloudsuite else 2
    for step in steps:
        writes, reads = CHAMPSIM[step.kind]
        record = struct.pack("<QBB", step.pc, step.kind != "other", step.kind not in ("other", "njcc"))
        record += bytes(writes + [0] * (places - len(writes)))
        record += bytes(reads + [0] * (4 - len(reads)))
        record += bytes(-len(record) % 8 + 8 * places + 32)
        if cloudsuite:
            record += struct.pack("<H6x", step.thread)
        yield record


# ---- drmemtrace ----

TYPES = {"other": 10, "jmp": 11, "ijmp": 12, "call": 14, "icall": 15, "ret": 16, "jcc": 48, "njcc": 49}
HEADER, FOOTER, MARKER, THREAD, EXIT, PROCESS, ENCODING = 25, 26, 28, 22, 23, 24, 47
EVENT, TRANSFER, TIMESTAMP, CPU, FILE_TYPE, SYSCALL, TARGET = 0, 1, 2, 3, 9, 25, 29


def drmemtrace(steps, version, file_type=None, narrow=False, signals=False):
    form = "<HHI" if narrow else "<HHQ"

    def record(kind, size, address):
        return struct.pack(form, kind, size, address & (0xFFFFFFFF if narrow else 2**64 - 1))

    yield record(HEADER, 0, version)
    yield record(MARKER, 12, version)
    if file_type is not None:
        yield record(MARKER, FILE_TYPE, file_type)
    thread, seen = None, set()
    for number, step in enumerate(steps):
        if step.thread != thread:
            thread = step.thread
            yield record(THREAD, 4, thread)
            yield record(PROCESS, 4, 1)
            yield record(MARKER, TIMESTAMP, number)
            yield record(MARKER, CPU, thread % 4)
        kind = TYPES[step.kind]
        if version < 5 and kind >= 48:
            kind = 13
        if version >= 5 and step.kind in ("ijmp", "icall", "ret"):
            yield record(MARKER, TARGET, step.target)
        if file_type and file_type & 0x200 and step.pc not in seen:
            seen.add(step.pc)
            yield struct.pack("<HH", ENCODING, step.length) + bytes(8)
        yield record(kind, step.length, step.pc)
        if step.kind == "ret":
            yield record(0, 8, 0x7FFF0000)
        if step.kind == "other" and number % 100 == 50:
            yield record(MARKER, SYSCALL, 39)
        if signals and number % 300 == 200:
            # A handler of three instructions, that a system call ends.
            yield record(MARKER, EVENT, step.target)
            yield record(MARKER, 40, 14)
            for pc in (0x700000, 0x700003, 0x700006):
                yield record(10, 3, pc)
            yield record(MARKER, SYSCALL, 15)
            yield record(MARKER, TRANSFER, 0x700006)
    yield record(EXIT, 4, thread)
    yield record(FOOTER, 0, 0)


# ---- the championships ----

CBP = {"other": 0, "jcc": 3, "njcc": 3, "jmp": 4, "ijmp": 5, "call": 9, "icall": 10, "ret": 11}
CVP = {"call": 4, "icall": 5, "ret": 5}
LINK = 30


def championship(steps, cvp=False):
    for number, step in enumerate(steps):
        kind = CVP.get(step.kind, CBP[step.kind]) if cvp else CBP[step.kind]
        inputs, outputs = [], []
        if step.kind == "other":
            kind = (0, 1, 2, 6)[number % 4]
        if step.kind == "ret":
            inputs = [LINK]
        if step.kind == "icall":
            inputs = [LINK] if number % 2 else [9]  # blr x30 is a call, too
        if step.kind in ("call", "icall"):
            outputs = [LINK]
        if kind == 6:
            outputs = [32, 64]
        record = struct.pack("<QB", step.pc, kind)
        if kind in (1, 2):
            record += struct.pack("<QB", 0x1000, 8) + (b"" if cvp else bytes(kind))
        if kind in (3, 4, 5, 9, 10, 11):
            taken = step.kind != "njcc"
            record += struct.pack("<BQ", 1, step.target) if taken else b"\0"
        record += bytes([len(inputs)] + inputs + [len(outputs)] + outputs)
        for name in outputs:
            record += struct.pack("<Q", step.pc + 4) + (bytes(8) if 32 <= name < 64 else b"")
        yield record


# ---- perf ----

BRSTACK = {"call": "CALL", "icall": "IND_CALL", "ret": "RET", "jmp": "UNCOND", "ijmp": "IND", "jcc": "COND"}


def samples(steps, window, period):
    """Of each thread the last branches, every period branches: the newest first."""
    taken = [step for step in steps if step.kind in BRSTACK]
    chance = random.Random(len(taken))
    for step in taken:
        step.cycles = chance.randrange(1, 200)
        step.verdict = "M" if step.kind == "ret" and chance.random() < 0.1 else "P"
    for end in range(window, len(taken), period):
        yield taken[end - window : end][::-1]


def address(pc):
    return "0x%x" % pc


def symbol(pc):
    return "f<int, char>%d+0x%x" % ((pc - BASE) >> 12, (pc - BASE) & 0xFFF)


def brstack(steps, place=address, tail="/{type}/-", window=32, period=40, head="", file=""):
    for sample in samples(steps, window, period):
        line = head.format(thread=sample[0].thread)
        for step in sample:
            line += " %s%s/%s%s/%s/-/-/%d" % (
                place(step.pc), file, place(step.target), file, step.verdict, step.cycles)
            line += tail.format(type=BRSTACK[step.kind])
        yield (line + "\n").encode()


def old_brstack(steps):
    """Entries of six fields, each sample with the callchain of where it was taken."""
    for sample in samples(steps, 32, 40):
        yield b"\t%16x\n" % sample[0].target
        for back in {step.target for step in sample if step.kind == "ret"}:
            yield b"\t%16x\n" % back
        for step in sample:
            yield b" 0x%x/0x%x/%s/-/-/%d " % (
                step.pc, step.target, step.verdict.encode(), step.cycles)
        yield b"\n\n"


FLAGS_NAMES = {"call": "call", "icall": "call", "ret": "return", "jmp": "jmp", "ijmp": "jmp", "jcc": "jcc"}


def intel_pt(steps):
    for number, step in enumerate(steps):
        if step.kind not in FLAGS_NAMES:
            continue
        start = "  my prog %d/%d [000] 20.%09d: %10d branches:uH: " % (
            7, step.thread, number, 1)
        yield (start + "  %-11s %16x %s (/bin/prog) => %16x %s (/bin/prog)\n" % (
            FLAGS_NAMES[step.kind], step.pc, symbol(step.pc), step.target,
            symbol(step.target))).encode()
        if number % 400 == 100:
            yield (start + "  tr end  syscall %16x %s (/bin/prog) => %16x [unknown] ([unknown])\n" % (
                step.target, symbol(step.target), 0)).encode()
            yield (start + "  tr strt     %16x [unknown] ([unknown]) => %16x %s (/bin/prog)\n" % (
                0, step.target + 2, symbol(step.target))).encode()
        if number % 900 == 700:
            yield (" instruction trace error type 1 time 20.000000001 cpu 0 pid 7 tid %d ip 0x%x "
                   "code 7: Overflow packet\n" % (step.thread, step.target)).encode()


# ---- files ----

def write_zip(path, pieces):
    data = list(pieces)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for number in range(0, len(data), 3000):
            member = zipfile.ZipInfo("chunk.%04d" % (number // 3000))  # of a date that stays
            out.writestr(member, b"".join(data[number : number + 3000]), zipfile.ZIP_DEFLATED)


def main():
    folder = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    one = walk(1, count)
    threads = [walk(10 + thread, count // 2, thread=thread) for thread in (101, 102, 103)]
    many = list(shuffle(threads, 5))
    word = walk(2, count, fixed=4)

    forms = {
        "champsim.xz": champsim(one),
        "champsim-cloudsuite": champsim(many, cloudsuite=True),
        "cbp.gz": championship(word),
        "cvp": championship(word, cvp=True),
        "drmemtrace-1.gz": drmemtrace(one, 1),
        "drmemtrace-2": drmemtrace(many, 2),
        "drmemtrace-4": drmemtrace(many, 4, file_type=0x40 | 0x200, signals=True),
        "drmemtrace-7.zip": drmemtrace(many, 7, file_type=0x40 | 0x200, signals=True),
        "drmemtrace-i386": drmemtrace(one, 3, file_type=0x20, narrow=True),
        "drmemtrace-arm64": drmemtrace(word, 6, file_type=0x08),
        "perf-brstack": brstack(one),
        "perf-brstack-spec": brstack(one, tail="/{type}/NON_SPEC_CORRECT_PATH ", file="(/usr/bin/a)"),
        "perf-brstack-overlap": brstack(one, period=20),
        "perf-brstack-threads": b"".join(
            b"".join(lines)
            for lines in zip(*(brstack(steps, head="  my prog {thread} [001] 2.5:   10 cycles:u: ")
                               for steps in threads))),
        "perf-brstacksym": brstack(one, place=symbol, tail="/{type}"),
        "perf-brstack-old": old_brstack(one),
        "perf-pt": intel_pt(many),
    }
    os.makedirs(folder, exist_ok=True)
    for name, pieces in forms.items():
        path = os.path.join(folder, name)
        pieces = [pieces] if isinstance(pieces, bytes) else pieces
        if name.endswith(".zip"):
            write_zip(path, pieces)
            continue
        data = b"".join(pieces)
        if name.endswith(".gz"):
            data = gzip.compress(data, mtime=0)
        elif name.endswith(".xz"):
            data = lzma.compress(data)
        with open(path, "wb") as out:
            out.write(data)


main()
