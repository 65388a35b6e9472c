# SPDX-License-Identifier: GPL-2.0-or-later
#
# Colour is for terminals that want it: never in a pipe, never with NO_COLOR.

set -eu
escape=$(printf '\033')

coloured()
{
	printf '%s' "$1" | grep -qF "$escape"
}

if coloured "$("$RSBSIM" score bpf-fexit-skip)"; then
	echo 'colour in a pipe'
	exit 1
fi

# script(1) of util-linux runs a command on a terminal.
script --version 2>/dev/null | grep -q util-linux || exit 77
command="'$RSBSIM' score bpf-fexit-skip"
unset NO_COLOR
TERM=xterm
export TERM
if ! coloured "$(script -qec "$command" /dev/null </dev/null)"; then
	echo 'no colour on a terminal'
	exit 1
fi
NO_COLOR=1
export NO_COLOR
if coloured "$(script -qec "$command" /dev/null </dev/null)"; then
	echo 'colour in spite of NO_COLOR'
	exit 1
fi
