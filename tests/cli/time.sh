# SPDX-License-Identifier: GPL-2.0-or-later
#
# score --time in every format, and the tables of doc/time.md, which are what its commands print.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail() {
	echo "$@"
	exit 1
}

# Each row of the page's tables (layout, [thunk,] misses, [ns,] M calls/s) against the CSV of its
# command: the page's numbers are rounded, so they are rounded here as well.
row() { # LAYOUT THUNK: the calls a second of that score, in millions, as "low-high"
	LC_ALL=C awk -F, -v layout="$1" -v thunk="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["layout"] == layout && $column["return_thunk"] == thunk {
			low = sprintf("%.0f", $column["calls_per_second_low"] / 1e6)
			high = sprintf("%.0f", $column["calls_per_second_high"] / 1e6)
			print low == high ? low : low "-" high
		}' score.csv
}

"$RSBSIM" score bpf-fexit-jmp bpf-fexit-double-ret bpf-fexit-skip --cpu amd-zen4 -s bench --time \
	--base-ns 7.3 -f csv >score.csv
for layout in bpf-fexit-jmp bpf-fexit-double-ret bpf-fexit-skip; do
	grep -q "^| $layout |.* $(row $layout none) | [0-9]* |" "$srcdir/doc/time.md" ||
		fail "doc/time.md has not $(row $layout none) for $layout"
done
"$RSBSIM" score livepatch-ftrace livepatch-bpf-jmp --cpu amd-zen4 -s bench --time --base-ns 5 \
	--mitigations auto -f csv >score.csv
for thunk in none srso-alias; do
	for layout in livepatch-ftrace livepatch-bpf-jmp; do
		grep -q "^| $layout | $thunk |.* $(row $layout $thunk) | [0-9]* |" \
			"$srcdir/doc/time.md" ||
			fail "doc/time.md has not $(row $layout $thunk) for $layout, $thunk"
	done
done

# Intervals that overlap are tied in text (the two that miss), the others are not.
"$RSBSIM" score bpf-fexit-jmp bpf-fexit-double-ret bpf-fexit-skip --cpu amd-zen4 -s bench --time \
	--base-ns 7.3 >text
[ "$(grep -c ' 2=$' text)" = 2 ] || fail "two are tied for the second place: $(cat text)"
grep -q '^bpf-fexit-jmp .* 1$' text || fail "the jmp form is the fastest: $(cat text)"

# CSV has the columns with and without, and they are empty without.
"$RSBSIM" score plain-call --cpu amd-zen4 -s bench -f csv | tr -d '\r' >without.csv
grep -q ',ns_low,ns_high,calls_per_second_low,calls_per_second_high,time_base,notes$' without.csv
"$RSBSIM" score plain-call --cpu amd-zen4 -s bench -f csv --time --base-ns 2 | tr -d '\r' >with.csv
grep -q ',2,2,500000000,500000000,stated,' with.csv ||
	fail "2 ns are 500 M calls/s: $(cat with.csv)"
grep -q ',2,2,500000000' without.csv && fail "a time that was not asked for"

# A CPU whose clock is not known has no time, and says why.
"$RSBSIM" score plain-call --cpu intel-pentium-mmx -s bench --time --base-ns 2 >text
grep -q 'no time: its clock is not known (--ghz states one)' text || fail "no reason: $(cat text)"
"$RSBSIM" score plain-call --cpu intel-pentium-mmx -s bench --time >text
grep -q 'neither its clock nor its width is known (--ghz states one, --base-ns a base)' text ||
	fail "both: $(cat text)"

# A base that native measured is that of its layout, form and scenario, on its CPU: 46 to 57 cycles
# at 5.7 GHz are 8 to 10 ns. Others are estimated, and marked.
row='"return_thunk": "none", "base": { "low": 45.6, "median": 50, "high": 57 }'
cat >native.json <<END
{ "schema": 1, "cpu": "amd-zen4", "indirect": null, "results": [ { "doubt": null,
  "scenario": { "name": "bench", "depth": 8, "batch": 100, "spacing": 128 },
  "layouts": [ { "layout": "bpf-fexit-jmp", $row } ] } ] }
END
"$RSBSIM" score bpf-fexit-jmp --cpu amd-zen4 -s bench --time --native native.json >text
grep -q '^time of a call in cycles, bench, base measured, 5.7 GHz$' text ||
	fail "measured: $(cat text)"
grep -q '^bpf-fexit-jmp  *46-57 .* 8-10 ' text || fail "8 to 10 ns: $(cat text)"
"$RSBSIM" score bpf-fexit-jmp bpf-fexit-skip --cpu amd-zen4,intel-haswell -s bench --time \
	--native native.json -f csv | tr -d '\r' >bases.csv
[ "$(grep -c ',125000000,measured,' bases.csv)" = 1 ] || fail "one is measured: $(cat bases.csv)"
[ "$(grep -c '[0-9],estimated,' bases.csv)" = 3 ] || fail "three are estimated: $(cat bases.csv)"
"$RSBSIM" score bpf-fexit-jmp bpf-fexit-skip --cpu amd-zen4 -s bench --time --native native.json \
	>text
grep -q '^bpf-fexit-jmp  *46-57 measured ' text && grep -q '^bpf-fexit-skip .* estimated ' text ||
	fail "mixed: $(cat text)"
"$RSBSIM" score bpf-fexit-jmp --cpu amd-zen4 -s bench --time --native native.json -f json |
	tr -d '\t' | grep -q '"base":"measured"' || fail 'JSON'

# What it has nothing of is told: another CPU, scenario, form or spacing.
for other in '--cpu intel-haswell -s bench' '--cpu amd-zen4 -s unwind' \
	'--cpu amd-zen4 -s bench --return-thunk srso-alias' '--cpu amd-zen4 -s bench --spacing 64' \
	'--cpu amd-zen4 -s bench --indirect retpoline' '--cpu amd-zen4 --base-ns 5'; do
	status=0
	# shellcheck disable=SC2086 # words
	"$RSBSIM" score bpf-fexit-jmp --time --native native.json $other >out 2>err || status=$?
	[ "$status" = 2 ] && [ ! -s out ] && grep -q -e '--native: ' err ||
		fail "$other: $(cat err)"
done

# What goes with --time alone, and what is no number.
for bad in '--ghz 5' '--native native.json' '--time --native none.json' '--base-ns 5' \
	'--time --ghz 0' '--time --ghz 1e3' '--time --base-ns -1' \
	'--time --base-ns nan' '--time --ghz 1.2.3' '--time --ghz 101'; do
	status=0
	# shellcheck disable=SC2086 # words
	"$RSBSIM" score plain-call $bad >out 2>err || status=$?
	[ "$status" = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] || fail "$bad: $status"
done
