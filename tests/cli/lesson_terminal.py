# SPDX-License-Identifier: GPL-2.0-or-later
#
# lesson_terminal.py RSBSIM: gives the first lesson on a terminal. It asks, asks again for what is no
# number, takes Enter and the end of input for no prediction, and writes what was predicted. On a terminal
# that says how many rows it has, nothing leaves the screen before Enter is pressed.

import fcntl
import json
import os
import pty
import struct
import sys
import tempfile
import termios

PROMPT = b"your prediction (Enter: none): "
WAITS = b"  (Enter: on) "


def run(arguments, typed, rows=0):
    """What the program shows when this is typed, each at a prompt; and its status."""
    child, terminal = pty.fork()
    if child and rows:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
    if child == 0:
        os.environ["TERM"] = "dumb"
        while rows and fcntl.ioctl(1, termios.TIOCGWINSZ, bytes(8))[:2] != struct.pack("H", rows):
            pass
        os.execv(sys.argv[1], [sys.argv[1], "lesson", "call"] + arguments)
    shown = b""
    typed = list(typed)
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
        if typed and shown.endswith(PROMPT):
            os.write(terminal, typed.pop(0))
        elif shown.endswith(WAITS):
            os.write(terminal, b"\n")
    return shown.decode().replace("\r\n", "\n"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "answers.json")
    shown, status = run(["-o", path], [b"nine\n", b"9\n", b"\n", b"7\n"])
    assert status == 0, shown
    assert "expected a number, found 'nine'" in shown, shown
    assert shown.count(PROMPT.decode()) == 4, shown
    assert "  Yes: 9\n" in shown, shown
    assert "  What comes out is: 0\n" in shown, shown
    assert "You predicted 7. What comes out is: 5\n" in shown, shown
    assert shown.endswith("You predicted 1 of 2 as they come out; 1 has no answer.\n"), shown
    # What stands below a question is not shown before it is answered.
    assert shown.index("One for each call that is open") > shown.index("Yes: 9"), shown
    with open(path, encoding="utf-8") as file:
        answers = json.load(file)
    assert [one["prediction"] for one in answers["answers"]] == ["9", None, "7"], answers
    assert answers["right"] == 1 and answers["questions"] == 3, answers

    # Ctrl-D ends the asking, and not the lesson.
    shown, status = run([], [b"\x04"])
    assert status == 0 and shown.count(PROMPT.decode()) == 1, shown
    assert "What comes out is: 5\n" in shown and "You predicted" not in shown, shown

    # With 24 rows no more than 23 lines go by before somebody types, and all is as without waiting.
    plain = shown
    shown, status = run([], [b"9\n", b"0\n", b"5\n"], 24)
    assert status == 0 and shown.count(WAITS.decode()) >= 2, shown
    for part in shown.replace(PROMPT.decode(), WAITS.decode()).split(WAITS.decode()):
        assert part.count("\n") <= 24, part
    text = shown.replace(WAITS.decode() + "\n", "")
    for line in plain.splitlines():
        assert line in text or "your prediction" in line or "What comes out" in line, line
