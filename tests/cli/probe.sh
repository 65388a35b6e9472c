# SPDX-License-Identifier: GPL-2.0-or-later
#
# What rsbsim probe writes is the file of a CPU, which the other commands take. What it measures is
# this machine's own, and not looked at.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

if ! "$RSBSIM" probe --visits 1 --name tried -o "$dir/cpu.json" >"$dir/text" 2>"$dir/error"; then
	grep -q -e 'native runs need' -e 'seccomp' -e 'fork' -e 'cannot be had' \
		-e 'no method' "$dir/error" ||
		fail "$(cat "$dir/error")"
	cat "$dir/error"
	exit 77
fi
# What each experiment measured comes last, and if it is asked for.
! grep -q '^chain ' "$dir/text" || fail 'experiments, unasked'
for word in '^depth ' '^overflow ' '^underflow ' '^penalty ' \
	'^zero_call_pushes ' \
	'^repair null: ' 'the indirect predictor' 'A system call'; do
	grep -q "$word" "$dir/text" || fail "no $word: $(cat "$dir/text")"
done
"$RSBSIM" probe --visits 1 --all >"$dir/text"
tail -n 20 "$dir/text" | grep -q '^[a-z]* *[0-9]* *[0-9]* .* to ' && grep -q '^bounce ' "$dir/text" ||
	fail "no experiments: $(cat "$dir/text")"
"$RSBSIM" list cpus "$dir/cpu.json" | grep -q '^tried: ' || fail 'list'
"$RSBSIM" score plain-call --cpu "$dir/cpu.json" -s unwind | grep -q '^plain-call .* 0 ' ||
	fail 'score'

status=0
"$RSBSIM" probe too-much >"$dir/out" 2>"$dir/error" || status=$?
[ "$status" = 2 ] && grep -q "expected no argument" "$dir/error" || fail 'an argument'

# Said before anything is measured.
status=0
timeout 5 "$RSBSIM" probe --processor 1023 >"$dir/out" 2>"$dir/error" || status=$?
[ "$status" = 2 ] && grep -q -e '--processor: expected one that .*, got 1023$' "$dir/error" ||
	fail "processor 1023: $(cat "$dir/error")"
