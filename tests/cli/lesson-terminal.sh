# SPDX-License-Identifier: GPL-2.0-or-later
#
# A lesson on a terminal asks for predictions: lesson_terminal.py.

command -v python3 >/dev/null || exit 77
exec python3 "$srcdir/tests/cli/lesson_terminal.py" "$RSBSIM"
