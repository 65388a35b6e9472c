# SPDX-License-Identifier: GPL-2.0-or-later
#
# The stepper, driven by scripts: what its keys do, that back is forwards undone, and that it counts
# as score does.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset LC_ALL LANG LC_CTYPE

fail()
{
	echo "$*"
	exit 1
}

# The screen of a layout after these keys.
screen()
{
	keys=$1
	shift
	"$RSBSIM" step "$@" --script "$keys"
}

# The trampoline drops the return address target+0x5 by add rsp, 8 (Linux 6.12, bpf_jit_comp.c), so
# that the return behind it is predicted to go there, and every caller's return to one call further
# in.
screen m bpf-fexit-skip >"$dir/m"
grep '^MISS: predicted target+0x5, pushed by target$' "$dir/m" >/dev/null || fail "$(cat "$dir/m")"
grep 'add rsp, 8' "$dir/m" >/dev/null || fail "no culprit: $(cat "$dir/m")"
grep '> 9 rsb_landing  *rsb_traced_ca~ ! caller_7+0x6' "$dir/m" >/dev/null || fail "$(cat "$dir/m")"
screen 'm m' bpf-fexit-skip |
	grep '^MISS: predicted rsb_landing, pushed by rsb_traced_call$' >/dev/null ||
	fail 'the second miss'
# Eight callers and the landing miss in a round, of 13 returns that score counts and eight callers.
screen 'g1' bpf-fexit-skip | grep '^21 returns so far, missed 1 inside, 8 in callers ' >/dev/null ||
	fail "the first round: $(screen g1 bpf-fexit-skip)"

# 24 rows of at most 80 columns, or as many as are asked for.
for size in 80x24 200x60 41x13; do
	"$RSBSIM" step bpf-fexit-skip --script 'm s s' --size $size >"$dir/sized"
	[ "$(wc -l <"$dir/sized")" = "${size#*x}" ] || fail "$size: rows"
	[ -z "$(awk -v most="${size%x*}" 'length > most' "$dir/sized")" ] || fail "$size: columns"
done
[ "$(wc -l <"$dir/m")" = 24 ] || fail "rows: $(cat "$dir/m")"
"$RSBSIM" step bpf-fexit-skip --script m --size 20x10 | grep 'too small' >/dev/null ||
	fail 'too small'
"$RSBSIM" step bpf-fexit-skip --script 'm s' --each >"$dir/each"
[ "$(wc -l <"$dir/each")" = 48 ] || fail "two screens: $(cat "$dir/each")"

# Back leads through the same screens as forwards did; so does any other way to a place.
same()
{
	[ "$(screen "$1" bpf-fexit-skip --cpu amd-zen4)" = \
		"$(screen "$2" bpf-fexit-skip --cpu amd-zen4)" ] ||
		fail "'$1' and '$2' differ"
}
same 'n n n s s' 'n n n s s s b'
same 'n n n' 'n n n n p'
same 'm m' 'm m m M'
same 'g1 s' '$ g1 s'
same 'n n' '$ home n n'
same 'm s' 'm right'
same '$ b b' '$ b b b s'
same 'n n' 'n n c C'

# A message instead of a move.
screen 'b' bpf-fexit-skip | tail -1 | grep '^this is the start$' >/dev/null ||
	fail 'back at the start'
screen 'm' plain-call | tail -1 | grep '^nothing misses from here on$' >/dev/null || fail 'no miss'
screen 'g99' bpf-fexit-skip | tail -1 | grep '^there is no round 99: ' >/dev/null || fail 'no round'
screen 'm w' bpf-fexit-skip | grep '^way out$' >/dev/null || fail 'why'
screen '?' bpf-fexit-skip | grep 'one instruction on$' >/dev/null || fail 'help'
# What a shadow stack would refuse is said at the return, and above why it missed: the SDM's rule
# for ret.
refused='A shadow stack would refuse this return: it has target+0x5'
grep "^$refused\$" "$dir/m" >/dev/null || fail "no refusal: $(cat "$dir/m")"
screen 'm w' bpf-fexit-skip | grep "^$refused\$" >/dev/null || fail 'why has no refusal'
screen 'm' recursion-24 --cpu intel-haswell | grep 'would refuse' >/dev/null &&
	fail 'a refusal where there is none'
# x and X go from one that is refused to the next, and back: the retpoline's return, once in each
# round.
screen x retpoline-jmp >"$dir/x"
grep '^A shadow stack would refuse this return: it has __x86_indirect_thunk_rax+0x5$' "$dir/x" \
	>/dev/null ||
	fail "x: $(cat "$dir/x")"
[ "$(screen 'x x X' retpoline-jmp)" = "$(cat "$dir/x")" ] || fail 'X does not go back'
screen x plain-call | tail -1 | grep '^nothing is refused from here on$' >/dev/null ||
	fail 'x where nothing is'
# What comes after q is not done.
[ "$(screen 'm q s s' bpf-fexit-skip)" = "$(cat "$dir/m")" ] || fail 'keys behind q'
screen 'c' bpf-fexit-skip --cpu intel-haswell,amd-zen4 |
	grep '^bpf-fexit-skip on amd-zen4 (ring of 32)' \
	>/dev/null || fail 'the other CPU'

# What cannot be is refused by name and place, and nothing is shown.
refuse()
{
	wanted=$1
	shift
	status=0
	"$RSBSIM" step plain-call "$@" >"$dir/out" 2>"$dir/err" </dev/null || status=$?
	[ "$status" = 2 ] && [ ! -s "$dir/out" ] && grep -qF -e "$wanted" "$dir/err" ||
		fail "$*: status $status, $(cat "$dir/err")"
}
refuse "--script: key 2, 'z': expected one of sbn" --script 'm z s'
refuse "--script: key 3, 'mm': expected" --script 'm s mm' --each
refuse 'expected --format json or --script, got both' -f json --script m
refuse '--size is for --script' -f json --size 80x24
refuse '--each is for --script' -f json --each

# Side by side they stay together outside of the traced call: the one that lands first waits.
screen 'm m' bpf-fexit-skip bpf-fexit-jmp --size 100x30 >"$dir/two"
grep 'caller_6+0x6  *! caller_5+0x6  *| .*caller_5+0x6  *= caller_5+0x6$' "$dir/two" >/dev/null ||
	fail "$(cat "$dir/two")"

# A symbol's name does nothing to a terminal.
cat >"$dir/hostile.s" <<'ASSEMBLY'
	.globl "evil\033[31m"
"evil\033[31m":
	ret
ASSEMBLY
if command -v as >/dev/null && as -o "$dir/hostile.o" "$dir/hostile.s" 2>/dev/null; then
	"$RSBSIM" step --elf "$dir/hostile.o" --call "$(printf 'evil\033[31m')" --script n \
		>"$dir/out" 2>&1 || :
	if LC_ALL=C grep "$(printf '\033')" "$dir/out" >/dev/null; then
		fail 'an escape reaches the terminal'
	fi
fi

# What it counts in the first round is what score says of it.
command -v python3 >/dev/null || exit 0
# By --mitigations each CPU that is chosen has the code that Linux has there.
for each in 'n,n,n amd-zen2 srso' 'n,n,n,c intel-haswell none'; do
	set -- $each
	keys=$(echo "$1" | tr , ' ')
	screen "$keys" bpf-fexit-skip --mitigations auto --cpu amd-zen2,intel-haswell >"$dir/auto"
	screen "$keys" bpf-fexit-skip --return-thunk "$3" --force --cpu amd-zen2,intel-haswell |
		cmp - "$dir/auto" || fail "step --mitigations auto: $each"
	grep -q "on $2 " "$dir/auto" || fail "$each: $(head -n 1 "$dir/auto")"
done

layouts=$(cd "$srcdir/sim/layouts" && printf '%s\n' *.json | sed 's/\.json$//')
[ -z "${RSB_SANITIZED:-}" ] || layouts=$(printf '%s\n' "$layouts" | awk 'NR % 5 == 1')
for layout in $layouts; do
	screen g1 "$layout" --scenario unwind --cpu amd-zen3 | awk -v layout="$layout" '
		/returns so far, missed/ { print layout, $6 + 0, $8 + 0 }' >>"$dir/stepped"
	grep "^$layout " "$dir/stepped" >/dev/null || fail "$layout"
done
# shellcheck disable=SC2086
"$RSBSIM" score $layouts --scenario unwind --cpu amd-zen3 -f json | python3 -c '
import json, sys
for score in json.load(sys.stdin)["results"]:
    cold = score["cold"]
    print(score["layout"], round(cold["misses_inside"]), round(cold["misses_callers"]))
' | sort >"$dir/scored"
sort "$dir/stepped" | diff - "$dir/scored" || fail 'not as score counts'
