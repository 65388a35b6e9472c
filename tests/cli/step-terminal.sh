# SPDX-License-Identifier: GPL-2.0-or-later
#
# The stepper on a terminal: it draws, follows a new size, and leaves the terminal as it was, after
# q and after signals; without a terminal it says what it wants.

set -eu

fail()
{
	echo "$*"
	exit 1
}

message=$("$RSBSIM" step bpf-fexit-skip </dev/null 2>&1) && fail 'not a terminal: status 0'
case $message in
*'built without ncurses (Debian: libncurses-dev)'*) exit 77 ;;
*'expected a terminal on standard input and output'*) ;;
*) fail "not a terminal: $message" ;;
esac

command -v python3 >/dev/null || exit 77
python3 "$srcdir/tests/cli/step_terminal.py" "$RSBSIM"
