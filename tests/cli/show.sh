# SPDX-License-Identifier: GPL-2.0-or-later
#
# The code of a layout with what each transfer does, and the events of one call.

set -eu

fail()
{
	echo "$*"
	exit 1
}

# The exit of skip-frame: Linux 6.12, arch/x86/net/bpf_jit_comp.c, emits leave, add rsp, 8, ret.
code=$("$RSBSIM" show bpf-fexit-skip)
printf '%s\n' "$code" | grep -A1 '48 83 c4 08  *add rsp, 8' |
	grep ' c3  *ret  *; pops$' >/dev/null ||
	fail "$code"
printf '%s\n' "$code" | grep '^target:' >/dev/null || fail "no target: $code"
printf '%s\n' "$code" | grep ' e8 .*call .*; to trampoline, pushes target+0x5$' >/dev/null ||
	fail "no call of the trampoline: $code"
printf '%s\n' "$code" | grep ' je .*, no effect$' >/dev/null || fail "no branch: $code"

# Its events: the body returns into the trampoline, whose last return lands; three calls are open
# there but for the two that returned, so one is left over.
events=$("$RSBSIM" show bpf-fexit-skip --events)
printf '%s\n' "$events" | sed -n 2p | grep '^ *+1  call  rsb_traced_call -> target$' >/dev/null ||
	fail "$events"
printf '%s\n' "$events" | tail -1 | grep '^ *+1  *return  trampoline+0x[0-9a-f]* -> rsb_landing$' \
	>/dev/null || fail "$events"

# As many calls and returns as the score counts.
calls=$(printf '%s\n' "$events" | grep -c '^ *[+-][0-9]*  *call ')
returns=$(printf '%s\n' "$events" | grep -c '^ *[+-][0-9]*  *return ')
counted=$("$RSBSIM" score bpf-fexit-skip --scenario unwind --format csv | tr -d '\r' | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	NR == 2 { print $column["calls"], $column["returns"] }')
[ "$calls $returns" = "$counted" ] || fail "shown $calls $returns, scored $counted"

json=$("$RSBSIM" show bpf-fexit-skip --format json)
case $json in
'{'*'"layout":'*'"bpf-fexit-skip"'*'"lines":'*'"effect":'*'"pops"'*) ;;
*) fail "$json" ;;
esac

# No line is longer than 100 columns, though a thunk's say much.
for layout in call-pop retpoline-call bpf-fexit-skip; do
	wide=$("$RSBSIM" show "$layout" | LC_ALL=C.UTF-8 grep '.\{101\}') || true
	[ -z "$wide" ] || fail "$layout: $wide"
done

# Code without a symbol is shown too, and no further than the run goes: call, add, ret.
code=$("$RSBSIM" show "$srcdir/doc/examples/layout.json" | sed -n '/ 40[0-9a-f]*  /p')
[ "$(printf '%s\n' "$code" | sed 's/^ *\([0-9a-f]*\).*/\1/' |
	tr '\n' ' ')" = '401000 401005 401006 40100a ' ] ||
	fail "$code"
