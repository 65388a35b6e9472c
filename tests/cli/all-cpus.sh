# SPDX-License-Identifier: GPL-2.0-or-later
#
# "--cpu all" is every built-in CPU that may run the code; one of another instruction set is scored
# when it is named, with a note.

set -eu

fail()
{
	echo "$*"
	exit 1
}

scored=$("$RSBSIM" score plain-call --scenario bench --cpu all --format csv | sed 1d | cut -d, -f2)
for cpu in $("$RSBSIM" list cpus | sed '1d; s/ .*//'); do
	arch=$("$RSBSIM" list cpus "$cpu" --format json | sed -n 's/.*"arch":	"\(.*\)".*/\1/p')
	case $arch in
	x86_64 | any) expected=1 ;;
	*) expected=0 ;;
	esac
	[ "$(echo "$scored" | grep -cx "$cpu")" -eq $expected ] || fail "$cpu, $arch: $scored"
done

note='note: its code is arm64, and it never runs this, which is x86_64'
"$RSBSIM" score plain-call --cpu arm-cortex-a53 | grep -Fx "$note" >/dev/null || fail "no note"
! "$RSBSIM" score plain-call --cpu all,intel-haswell | grep 'never runs this' || fail "a note"

# A setting is for those whose model has the parameter; where none has it, it is an error.
"$RSBSIM" score plain-call --cpu all --set depth=4 >/dev/null
if "$RSBSIM" score plain-call --cpu ideal --set depth=4 >/dev/null 2>&1; then
	echo 'the ideal stack took a depth'
	exit 1
fi
