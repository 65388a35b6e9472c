# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the stepper on a pseudo terminal of Python's own."""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

LIMIT = 60  # seconds that anything may take, on a slow machine under a sanitizer


def fail(text):
    sys.exit(text)


class Terminal:
    """A stepper with its terminal."""

    def __init__(self, arguments, term="xterm-256color", no_color=False):
        self.master, slave = pty.openpty()
        self.resize(80, 24)
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.text = b""
        environment = dict(os.environ, TERM=term, LC_ALL="C.UTF-8")
        environment.pop("NO_COLOR", None)
        if no_color:
            environment["NO_COLOR"] = "1"
        self.child = os.fork()
        if not self.child:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for stream in range(3):
                os.dup2(slave, stream)
            os.execve(sys.argv[1], [sys.argv[1], "step", *arguments], environment)

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        self.text += os.read(self.master, 65536)
        return True

    def wait_for(self, wanted):
        """Until that is drawn, of what was drawn since the last time."""
        end = time.monotonic() + LIMIT
        while wanted not in self.text:
            if time.monotonic() > end:
                fail(f"{wanted!r} was not drawn: {self.text!r}")
            self.read(0.2)
        self.text = b""

    def press(self, keys):
        os.write(self.master, keys)

    def leave(self, what):
        """It must end, and the terminal must be as it was."""
        end = time.monotonic() + LIMIT
        while True:
            self.read(0.1)
            pid, status = os.waitpid(self.child, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                os.kill(self.child, signal.SIGKILL)
                fail(f"{what}: does not end")
        while self.read(0.1):
            pass
        if termios.tcgetattr(self.slave) != self.before:
            fail(f"{what}: the terminal's modes are not what they were")
        # xterm's rmcup and cnorm (terminfo): the screen before comes back, and the cursor.
        if b"\x1b[?1049l" not in self.text:
            fail(f"{what}: the other screen is not left: {self.text!r}")
        os.close(self.master)
        os.close(self.slave)
        return status


def check_quit():
    terminal = Terminal(["bpf-fexit-skip"])
    terminal.wait_for(b"? help")
    terminal.press(b"m")
    terminal.wait_for(b"MISS")
    terminal.resize(120, 40)
    os.kill(terminal.child, signal.SIGWINCH)
    terminal.wait_for(b"batch 1")  # what has room only there
    terminal.press(b"g1\r")
    terminal.wait_for(b"warm")
    terminal.press(b"q")
    status = terminal.leave("q")
    if status:
        fail(f"q: status {status}")


def check_signals():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        terminal = Terminal(["bpf-fexit-skip", "bpf-fexit-jmp", "--depth", "2"])
        terminal.wait_for(b"? help")
        os.kill(terminal.child, number)
        status = terminal.leave(number.name)
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != number:
            fail(f"{number.name}: status {status}")


def check_colour():
    """SGR 31 to 36 are colours (ECMA-48, 8.3.117)."""
    for no_color in (False, True):
        terminal = Terminal(["bpf-fexit-skip"], no_color=no_color)
        terminal.press(b"m")
        end = time.monotonic() + LIMIT
        while b"MISS" not in terminal.text and time.monotonic() < end:
            terminal.read(0.2)
        while terminal.read(0.3):
            pass
        coloured = b"[31m" in terminal.text or b";31m" in terminal.text
        if coloured == no_color:
            fail(f"NO_COLOR {no_color}: {terminal.text!r}")
        terminal.press(b"q")
        terminal.leave("colour")


def check_unknown():
    terminal = Terminal(["bpf-fexit-skip"], term="no-such-terminal")
    terminal.text = b""
    terminal.wait_for(b"expected the name of a known terminal")
    _, status = os.waitpid(terminal.child, 0)
    if os.waitstatus_to_exitcode(status) != 2:
        fail(f"an unknown terminal: status {status}")


check_quit()
check_signals()
check_colour()
# Where it finds no terminal, ncurses 6.4 keeps memory of its own, which LeakSanitizer reports.
if "address" not in os.environ.get("RSB_SANITIZED", ""):
    check_unknown()
