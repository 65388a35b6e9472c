# SPDX-License-Identifier: GPL-2.0-or-later
#
# "--cpu all" is every built-in CPU; a note tells of those of another instruction set.

set -eu

fail()
{
	echo "$*"
	exit 1
}

scored=$("$RSBSIM" score plain-call --scenario bench --cpu all --format csv | sed 1d | cut -d, -f2)
[ "$scored" = "$("$RSBSIM" list cpus | sed '1d; s/ .*//')" ] || fail "$scored"

note='note: its code is arm64, and it never runs this, which is x86_64'
"$RSBSIM" score plain-call --cpu arm-cortex-a53 | grep -Fx "$note" >/dev/null || fail "no note"
! "$RSBSIM" score plain-call --cpu intel-haswell,ideal | grep 'never runs this' || fail "a note"

# More than one list is all of them, each CPU once.
scored=$("$RSBSIM" score plain-call -s unwind -c amd-zen4 -c intel-haswell,amd-zen4 -f csv |
	sed 1d | cut -d, -f2 | tr '\n' ' ')
[ "$scored" = 'amd-zen4 intel-haswell ' ] || fail "lists: $scored"

# Fields that no score needed are one note. What holds for some scores only, where no list of names
# has just those, names no more than tells: not all layouts and both scenarios.
"$RSBSIM" score plain-call -s unwind |
	grep -x 'note: never exercised: overflow, underflow, zero_call_pushes' >/dev/null ||
	fail 'notes of fields'
"$RSBSIM" score plain-call recursion-24 bpf-fexit-skip --cpu intel-golden-cove |
	grep -F ' [some of bpf-fexit-skip, recursion-24]' >/dev/null || fail 'names that tell nothing'

# A setting is for those whose model has the parameter; where none has it, it is an error.
"$RSBSIM" score plain-call --cpu all --set depth=4 >/dev/null
if "$RSBSIM" score plain-call --cpu ideal --set depth=4 >/dev/null 2>&1; then
	echo 'the ideal stack took a depth'
	exit 1
fi
