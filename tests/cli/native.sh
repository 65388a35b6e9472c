# SPDX-License-Identifier: GPL-2.0-or-later
#
# rsbsim native runs what it may, says why of the rest, and ends well whatever the code does. What
# it measures is this machine's own, and not looked at.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

native()
{
	"$RSBSIM" native --cpu amd-zen4 --visits 1 --depth 2 --batch 1 "$@"
}

if ! native plain-call >"$dir/text" 2>"$dir/error"; then
	grep -q -e 'native runs need' -e 'seccomp' -e 'fork' -e 'cannot be had' "$dir/error" ||
		fail "$(cat "$dir/error")"
	cat "$dir/error"
	exit 77
fi

# Text has the CPU, the penalty by each method, and a row a layout; JSON has the same.
grep -q 'simulated as' "$dir/text" || fail "$(cat "$dir/text")"
for word in rewritten dropped overflow random unit '^plain-call  *0\.00 '; do
	grep -q "$word" "$dir/text" || fail "no $word: $(cat "$dir/text")"
done
native bpf-fexit-skip plain-call uretprobe-syscall -f json | tr -d '\t' >"$dir/json"
for key in '"host"' '"penalty"' '"measured"' '"agreement"' '"correlation"' '"tied"' '"doubt"' \
	'"against":"twin"' '"simulated":4,' '"refused":"it has incidents'; do
	grep -q "$key" "$dir/json" || fail "no $key: $(cat "$dir/json")"
done

# Code of one's own is run only if that is allowed, and then measured against plain-call.
printf 'stub: ret\nbad: hlt\nloop: jmp loop\n' >"$dir/own.s"
# Without, nothing is: it would be missing only at the end.
status=0
native plain-call --asm "$dir/own.s" --call stub >"$dir/none" 2>"$dir/error" || status=$?
[ "$status" = 2 ] && ! [ -s "$dir/none" ] &&
	grep -q 'stub is code of your own: --allow-native runs it$' "$dir/error" || fail 'not allowed'
native --asm "$dir/own.s" --call stub --allow-native | grep -q '^stub .*\*$' || fail 'allowed'

# Its simulation says what cannot be run before it is, and there is no table of nothing.
native --asm "$dir/own.s" --call bad --allow-native >"$dir/none"
grep -q 'not run: bad: .*hlt' "$dir/none" || fail 'hlt'
! grep -e '^misses' -e '^dropped:' -e ' $' "$dir/none" || fail 'a table of nothing'
"$RSBSIM" native --cpu amd-zen4 --visits 1 --depth 2 --asm "$dir/own.s" --call bad --allow-native \
	>"$dir/none"
! grep '^agreement' "$dir/none" || fail 'a summary of nothing'

# Depths and batches that are not given are all of them.
"$RSBSIM" native plain-call --cpu amd-zen4 --visits 1 --batch 1 |
	grep '^depth [0-9]' >"$dir/scenarios"
printf 'depth %s, batch 1\n' 1 4 8 12 24 | diff - "$dir/scenarios" || fail 'scenarios'

# Of more than one scenario there is a summary, a line each; tables keep to 80 columns, and no
# line ends in blanks.
"$RSBSIM" native bpf-fexit-skip plain-call --cpu amd-zen4 --visits 1 --depth 2 --spread >"$dir/both"
grep -q '^depth batch layouts correlation .*worst' "$dir/both" || fail 'no summary'
[ "$(grep -c '^ *2  *1\(00\)*  *2 ' "$dir/both")" = 2 ] || fail "summary: $(cat "$dir/both")"
"$RSBSIM" native 'retpoline-*' --cpu amd-zen4 --visits 1 -s bench --spread >"$dir/wide"
[ "$(grep -c '^retpoline-' "$dir/wide")" = 10 ] || fail "rows: $(cat "$dir/wide")"
! grep -n -e '^retpoline-.\{71\}' -e '^misses.\{75\}' -e ' $' "$dir/wide" || fail 'wide, or blanks'

# The spreads: each generated layout at four places and with four numbers of helpers.
[ "$(grep -c '^misses a call .* by alignment .*by helpers$' "$dir/both")" = 2 ] || fail 'no spread'
native bpf-fexit-skip --spread -f json | tr -d '\t\n' >"$dir/json"
[ "$(grep -o '"shift":[0-9]*,"helpers":[0-9]*,"simulated":4,' "$dir/json" | wc -l)" = 7 ] ||
	fail "variants: $(cat "$dir/json")"
native bpf-fexit-skip -f json | tr -d '\t' | grep -q '"variants":\[\]' || fail 'variants unasked'

# Each of these returns would be an image of some hundred KiB: that is said, and none is made.
native return-2 --each --depth 4096 --batch 1 >"$dir/deep"
grep -q 'not run: .* expected at most 1024' "$dir/deep" || fail "$(cat "$dir/deep")"

# Each return that is in question is made to miss: those of two callers and rsb_round, and its own.
native bpf-fexit-skip --each >"$dir/each"
grep -q '^misses a call .* by return .* returns that missed$' "$dir/each" ||
	fail "$(cat "$dir/each")"
native bpf-fexit-skip --each -f json | tr -d '\t' >"$dir/json"
[ "$(grep -c '^ *"symbol":' "$dir/json")" = 4 ] && grep -q '"by_return":{' "$dir/json" ||
	fail "returns: $(cat "$dir/json")"
! native bpf-fexit-skip | grep -q 'by return' || fail 'returns unasked'
native --asm "$dir/own.s" --call stub --allow-native --each >"$dir/own"
! grep -q 'by return' "$dir/own" || fail 'returns of code of ones own'

# Named scenarios, and Markdown with a table of each.
"$RSBSIM" native plain-call --cpu amd-zen4 --visits 1 -s unwind -f markdown >"$dir/markdown"
for line in '| 8 | 1 | 1 | - |' '| plain-call | 0.00 |' '| rewritten |' 'Depth 8, batch 1:'; do
	grep -q -F "$line" "$dir/markdown" || fail "no '$line': $(cat "$dir/markdown")"
done

# What is wrong is told before anything runs.
for arguments in '--cpu none plain-call' '--batch 0 plain-call' 'no-such-layout' '' \
	'-s bench --depth 1 plain-call' '-s none plain-call' '--spacing 40 plain-call' \
	'-f csv plain-call'; do
	status=0
	# shellcheck disable=SC2086 # arguments are words
	"$RSBSIM" native $arguments >"$dir/out" 2>"$dir/error" || status=$?
	[ "$status" = 2 ] && [ -s "$dir/error" ] && ! [ -s "$dir/out" ] ||
		fail "'$arguments': status $status"
done

# A processor that there is not, or that is not this program's.
"$RSBSIM" native plain-call --cpu amd-zen4 --processor 1023 >"$dir/out" 2>"$dir/error" &&
	fail 'processor 1023'
grep -q -e '--processor: expected one that this program may run on, of 0 to [0-9]*, got 1023$' \
	"$dir/error" || fail "$(cat "$dir/error")"
