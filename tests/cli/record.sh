# SPDX-License-Identifier: GPL-2.0-or-later
#
# --record writes a line for each miss: the return, what was predicted, what happened, who pushed
# it.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	cat "$dir/record"
	exit 1
}

# In each round the return that lands pops what the call of the trampoline pushed, and eight callers
# miss. Skip-frame never changes from round to round, and the first ones are recorded whole.
"$RSBSIM" score bpf-fexit-skip --scenario unwind --record "$dir/record" >"$dir/report"
[ -s "$dir/report" ] || fail 'no report beside the record'
[ "$(grep -c '"round":0,.*"inside":true' "$dir/record")" = 1 ] || fail 'inside, round 0'
[ "$(grep -c '"round":0,.*"inside":false' "$dir/record")" = 8 ] || fail 'callers, round 0'
head -1 "$dir/record" | grep '"layout":"bpf-fexit-skip","cpu":"intel-haswell","scenario":"unwind"' \
	>/dev/null || fail 'names'
head -1 "$dir/record" | grep '"predicted":{"pc":"0x[0-9a-f]*","symbol":"target+0x5"}' >/dev/null ||
	fail 'predicted: the address behind the call of the trampoline'
head -1 "$dir/record" | grep '"pushed_by":{"pc":"0x[0-9a-f]*","symbol":"target"}' >/dev/null ||
	fail 'pushed_by: that call'
head -1 "$dir/record" | grep '"actual":{"pc":"0x[0-9a-f]*","symbol":"rsb_landing"}' >/dev/null ||
	fail 'actual: the landing'
grep '"intended":true' "$dir/record" >/dev/null && fail 'nothing is intended here'

# On standard output the record stands alone.
"$RSBSIM" score bpf-fexit-skip --scenario unwind --record - >"$dir/alone"
cmp "$dir/record" "$dir/alone" || fail 'standard output differs'

# No misses: the file is there, and empty.
"$RSBSIM" score plain-call --record "$dir/record" >/dev/null
[ -f "$dir/record" ] && [ ! -s "$dir/record" ] || fail 'plain-call misses nothing'
