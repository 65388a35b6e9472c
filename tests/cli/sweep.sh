# SPDX-License-Identifier: GPL-2.0-or-later
#
# A sweep says what as many scores say, in every format, with any number of threads. Below depth
# callers depth + 1 calls are open, and as many as do not fit into a ring miss.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

sweep()
{
	"$RSBSIM" sweep "$@"
}

# 13 calls are open: a ring of d misses 13 - d times, and from 13 on never.
sweep plain-call --depth 12 --set depth=1..64 --set underflow=stale,none -f csv |
	tr -d '\r' >"$dir/all"
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	{
		want = 13 - $column["depth"]
		want = want > 0 ? want : 0
		if ($column["misses"] != want || $column["misses_callers"] != want ||
		    $column["misses_inside"] != 0 || $column["returns"] != 13 || $column["knee"] != 13)
			print "wrong:", $0
		rows++
	}
	END { if (rows != 128) print rows, "rows" }
' "$dir/all" >"$dir/wrong"
[ ! -s "$dir/wrong" ] || fail "$(cat "$dir/wrong")"

# One row is the score with those values.
for depth in 3 9 20; do
	score=$("$RSBSIM" score bpf-fexit-skip -s unwind --set depth=$depth -f csv | tr -d '\r' |
		awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $column["misses_inside"], $column["misses_callers"] }')
	row=$(sweep bpf-fexit-skip -s unwind --set depth=3..20 -f csv | tr -d '\r' |
		awk -F, -v depth=$depth '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["depth"] == depth { print $column["misses_inside"], $column["misses_callers"] }')
	[ "$score" = "$row" ] || fail "depth $depth: score '$score', sweep '$row'"
done

# Text shows depths that are alike in one row, and the knee; markdown is pipe tables.
sweep plain-call --depth 12 --set depth=1..64 >"$dir/text"
grep -q '^intel-haswell *13-64 *0 *0 *0 ' "$dir/text" || fail "$(cat "$dir/text")"
grep -q 'own, intel-haswell: 13$' "$dir/text" || fail "$(cat "$dir/text")"
sweep plain-call --depth 12 --set depth=1..64 -f markdown |
	grep -q '^| intel-haswell | 13-64 | 0 |' ||
	fail 'markdown'
sweep plain-call --depth 12 --set depth=1..8 | grep -q 'own, intel-haswell: not reached' ||
	fail 'a knee where misses still fall'

# So it does other numbers that count up: 21 calls are open, and 16 of them in the stack.
sweep plain-call --depth 20 --cpu intel-golden-cove --set in_flight=0..9 >"$dir/text"
grep -q '^intel-golden-cove *4 *0 *1 ' "$dir/text" || fail "$(cat "$dir/text")"
grep -q '^intel-golden-cove *5-9 *0 *0 ' "$dir/text" || fail "$(cat "$dir/text")"

# JSON has the whole curve: a ring of d misses 13 - d times, and each depth is another number.
sweep plain-call --depth 12 --set depth=1..64 -f json | tr -d '\t\n ' | grep -qF \
	'"depth":"13","misses":0,"begins":{"depth":"12","misses":1},"most":{"depth":"1","misses":12},"saturates":false' ||
	fail 'the curve in JSON'
# All 24 calls of itself push one address, so that it is the same 9 misses in all rings up to 24
# deep.
sweep recursion-24 -s unwind --set depth=1..40 -f json | tr -d '\t\n ' | grep -qF \
	'"depth":"33","misses":0,"begins":{"depth":"32","misses":1},"most":{"depth":"24","misses":9},"saturates":true' ||
	fail 'a curve that saturates'

# No knee where a deeper stack does not help. Without a push, each return pops what another call
# pushed: all nine miss at any depth. Nor where an empty stack falls back on what predicts better
# (Skylake), so that the shallowest misses least.
sweep call-over-pop -s unwind --set depth=1..16 >"$dir/text"
grep -q 'unwind, intel-haswell: none, 9 misses at every depth$' "$dir/text" ||
	fail "$(cat "$dir/text")"
sweep call-over-pop -s unwind --set depth=1..16 -f json | tr -d '\t\n ' | grep -qF \
	'"depth":null,"misses":9,"begins":null,"most":null,"saturates":false,"trend":"flat","deepest":{"depth":"16","misses":9}' ||
	fail 'a flat curve in JSON'
sweep call-over-pop -s unwind --set depth=1..16 -f csv | tr -d '\r' | sed 1d | grep -vq ',$' &&
	fail 'a knee in CSV'
sweep call-over-pop -s unwind --set depth=1..16 --cpu intel-skylake >"$dir/text"
grep -q 'none, 1 miss at depth 1, 9 at depth 16: a deeper stack does not help$' "$dir/text" ||
	fail "$(cat "$dir/text")"
sweep call-over-pop -s unwind --set depth=1..16 --cpu intel-skylake -f json | tr -d '\t\n ' |
	grep -qF '"trend":"rising"' || fail 'a rising curve in JSON'

# A trace: a ring of awk's is the source of what is expected.
awk 'BEGIN {
	print "rsbsim-trace 1"
	print "about arch x86_64"
	srand(7)
	for (i = 0; i < 20000; i++) {
		if (rand() < 0.5) {
			pc = 4096 + int(rand() * 40) * 16
			open[++n] = pc + 5
			printf "call 0x%x+5 -> 0x9000\n", pc
		} else if (n) {
			if (rand() < 0.01 && n > 1)
				n--
			printf "return 0x8000+1 -> 0x%x\n", open[n--]
		}
	}
}' >"$dir/trace.txt"
"$RSBSIM" trace import --from text "$dir/trace.txt" -o "$dir/trace.rsbt"
for depth in 1 2 5 16 33 64; do
	awk -v depth=$depth '
		/^call/ { split($2, at, "+"); top = (top + 1) % depth; ring[top] = at[1] "+5" }
		/^return/ {
			returns++
			split(ring[top], entry, "+")
			if (ring[top] == "" || sum(entry[1], 5) != value($4))
				misses++
			top = (top + depth - 1) % depth
		}
		function value(hex,	i, v)
		{
			for (i = 3; i <= length(hex); i++)
				v = 16 * v + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return v
		}
		function sum(hex, more)
		{
			return value(hex) + more
		}
		END { print depth, misses + 0, returns }
	' "$dir/trace.txt"
done >"$dir/expected"
for jobs in 1 4; do
	sweep "$dir/trace.rsbt" --model ring --set depth=1..64 --jobs $jobs -f csv |
		tr -d '\r' >"$dir/jobs$jobs"
done
cmp "$dir/jobs1" "$dir/jobs4"
awk -F, '$3 ~ /^(1|2|5|16|33|64)$/ { print $3, $4, $5 }' "$dir/jobs1" | diff "$dir/expected" - ||
	fail 'not what a ring does'
"$RSBSIM" sweep - --model ring --set depth=1..64 -f csv <"$dir/trace.rsbt" | tr -d '\r' |
	sed 's/^standard input/trace.rsbt/' | cmp - "$dir/jobs1" || fail 'standard input'

# Threads make no difference to any format, of a layout either.
for format in text json csv markdown; do
	for jobs in 1 4; do
		sweep bpf-fexit-skip --set depth=1..16 --set underflow=stale,none,indirect \
			--cpu intel-haswell,amd-zen4 --jobs $jobs -f $format >"$dir/$format.$jobs"
	done
	cmp "$dir/$format.1" "$dir/$format.4"
done

# A recorded layout is swept as the layout is.
"$RSBSIM" trace record bpf-fexit-skip -s unwind -o "$dir/skip.rsbt"
sweep bpf-fexit-skip -s unwind --set depth=1..16 -f csv >"$dir/layout"
sweep "$dir/skip.rsbt" --set depth=1..16 -f csv | cmp - "$dir/layout" || fail 'a recording'

# A trace that is cut short: what came before, and status 2.
head -c 4000 "$dir/trace.rsbt" >"$dir/short.rsbt"
status=0
sweep "$dir/short.rsbt" --set depth=1..4 >"$dir/out" 2>"$dir/err" || status=$?
[ $status = 2 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -q short.rsbt "$dir/err" ||
	fail "a short trace: status $status, $(cat "$dir/err")"

# Five returns of nine miss in a ring of 4, eight callers deep: programs get the fraction, people
# percent.
"$RSBSIM" sweep plain-call --scenario unwind --set depth=4 | grep ' 55\.56%$' >/dev/null
"$RSBSIM" sweep plain-call --scenario unwind --set depth=4 --format csv |
	grep ',0\.555555555556,' >/dev/null
