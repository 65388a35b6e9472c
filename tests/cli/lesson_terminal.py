# SPDX-License-Identifier: GPL-2.0-or-later
#
# lesson_terminal.py RSBSIM: gives the first lesson on a terminal. It asks, asks again for what is no
# number, takes Enter and the end of input for no prediction, and writes what was predicted.

import json
import os
import pty
import sys
import tempfile

PROMPT = b"your prediction (Enter: none): "


def run(arguments, typed):
    """What the program shows when this is typed, each at a prompt; and its status."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "dumb"
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
