# SPDX-License-Identifier: GPL-2.0-or-later
#
# Captured kernels: findings where the captures' README has an imbalance, and nowhere else; and from
# one kernel to another.

set -eu
captures=${RSB_SHARED:-$srcdir/../shared}/captures
[ -d "$captures" ] || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	cat "$dir/out" "$dir/err"
	exit 1
}

status()
{
	want=$1
	shift
	got=0
	"$RSBSIM" check "$@" >"$dir/out" 2>"$dir/err" || got=$?
	[ "$got" = "$want" ] || fail "check $*: status $got, expected $want"
}

kernel()
{
	echo "$captures/linux-$1.core"
}

# Every function with a fexit or a fmod_ret program is one call too many before 6.19, and none is
# since; a function with a fentry program alone is balanced. Six functions are traced.
unbalanced='__x64_sys_getpriority __x64_sys_getsid __x64_sys_sched_getscheduler security_task_getpgid
security_task_getsid'
for name in 6.1-off 6.12-off 6.12-pti 6.12-calldepth; do
	status 1 "$(kernel $name)"
	[ "$(grep -c 'error RSB002' "$dir/out")" = 5 ] || fail "$name: findings"
	[ "$(grep -c ' RSB[0-9]* ' "$dir/out")" = 5 ] || fail "$name: nothing else"
	for function in $unbalanced; do
		grep -q "^$function " "$dir/out" || fail "$name: $function"
	done
	[ "$(grep -c 'bpf_trampoline_[0-9]*+0x[0-9a-f]* *add rsp, 8 ' "$dir/out")" = 5 ] ||
		fail "$name: the culprits"
	grep -q ' on 1 CPU$' "$dir/out" && grep -q ': 6 layouts' "$dir/out" || fail "$name: layouts"
done
status 0 "$(kernel 7.2-off)"
grep -q ' RSB[0-9]* ' "$dir/out" && fail '7.2-off: a finding'

# With safe RET each return misses as it is: no finding, and a note that says when it would cost.
status 0 "$(kernel 6.12-srso)" --cpu amd-zen3
[ "$(grep -c 'note RSB010 intended' "$dir/out")" = 6 ] || fail 'srso: intended misses'
[ "$(grep -c 'note RSB011 free-imbalance' "$dir/out")" = 5 ] || fail 'srso: imbalances'
tr -s ' \n' ' ' <"$dir/out" | grep -q 'with plain returns, mitigations off, it would cost a miss' ||
	fail 'srso: under which it would cost'

# A baseline made on 6.1 is good for 6.12: other addresses, other ids of trampolines.
status 0 "$(kernel 6.1-off)" --baseline "$dir/baseline.json" --update-baseline
status 0 "$(kernel 6.12-off)" --baseline "$dir/baseline.json"
[ "$(grep -c ' accepted (in the baseline) RSB002' "$dir/out")" = 5 ] ||
	fail '6.12 by the baseline of 6.1'
grep -q '^absent' "$dir/out" && fail 'nothing is absent'
status 0 "$(kernel 7.2-off)" --baseline "$dir/baseline.json"
[ "$(grep -c '^absent: RSB002 in trampoline of ' "$dir/out")" = 5 ] || fail '7.2: all are absent'

# Every one of the five goes from +1 to 0, and nothing gets worse.
status 0 --against "$(kernel 6.12-off)" "$(kernel 7.2-off)"
for function in $unbalanced; do
	grep -q "^$function .* +1 -> 0 .* 1 -> 0 .* 8 -> 0 .* better$" "$dir/out" ||
		fail "$function"
done
grep -q '^1 same, 5 better, 0 worse, 0 added, 0 gone$' "$dir/out" || fail 'the sum'
status 1 --against "$(kernel 7.2-off)" "$(kernel 6.12-off)"
[ "$(grep -c 'error RSB012 worse' "$dir/out")" = 5 ] || fail 'the way back'
status 0 --against "$(kernel 6.1-off)" "$(kernel 6.12-off)"
