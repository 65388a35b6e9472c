# SPDX-License-Identifier: GPL-2.0-or-later
#
# The case that the project was born from, as scripts read it: below eight callers, skip-frame costs
# a miss inside and one in each caller, double-ret one inside, jmp none; in a loop of 100 calls the
# eight are shared by 100.

set -eu

# layout, scenario, balance, inside, callers: one line each, from one key a line of JSON.
got=$("$RSBSIM" score 'bpf-fexit-*' --cpu intel-haswell,amd-zen4 --format json | awk '
	/"layout":/ { layout = $2 }
	/"cpu":/ { cpu = $2 }
	/"name":/ { scenario = $2 }
	/"balance":/ { balance = $2 }
	/"misses_inside":/ && !cold { inside = $2 }
	/"misses_callers":/ && !cold { print cpu, scenario, layout, balance, inside, $2 }
	/"cold":/ { cold = 1 }
	/"sites":/ { cold = 0 }
' | tr -d '",')

want='intel-haswell bench bpf-fexit-jmp 0 0 0
intel-haswell bench bpf-fexit-double-ret 0 1 0
intel-haswell bench bpf-fexit-skip 1 1 0.08
intel-haswell unwind bpf-fexit-jmp 0 0 0
intel-haswell unwind bpf-fexit-double-ret 0 1 0
intel-haswell unwind bpf-fexit-skip 1 1 8
amd-zen4 bench bpf-fexit-jmp 0 0 0
amd-zen4 bench bpf-fexit-double-ret 0 1 0
amd-zen4 bench bpf-fexit-skip 1 1 0.08
amd-zen4 unwind bpf-fexit-jmp 0 0 0
amd-zen4 unwind bpf-fexit-double-ret 0 1 0
amd-zen4 unwind bpf-fexit-skip 1 1 8'

if [ "$got" != "$want" ]; then
	echo "$got"
	exit 1
fi

# Depth 40 below 16 entries: 41 calls are open, 25 more than fit. One scenario, of the user's own.
"$RSBSIM" score plain-call --depth 40 --format csv | tr -d '\r' | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	NR == 2 { print $column["scenario"], $column["depth"], $column["batch"],
		  $column["misses_inside"], $column["misses_callers"] }
	NR == 3 { print "more than one row" }
' | grep -qx 'own 40 1 0 25'

# Totals over 10^9 rounds are exact: 10^9 misses inside, 8 * 10^9 in the callers.
"$RSBSIM" score bpf-fexit-skip --scenario unwind --rounds 1000000000 --format csv | tr -d '\r' |
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	NR == 2 { print $column["total_misses_inside"], $column["total_misses_callers"] }
' | grep -qx '1000000000 8000000000'

# With 8 entries in place of 16, 33 of the 41 do not fit.
"$RSBSIM" score plain-call --depth 40 --set depth=8,underflow=stale --format csv | tr -d '\r' |
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	NR == 2 { print $column["misses_inside"], $column["misses_callers"] }
' | grep -qx '0 33'

# What scoring knows of a miss (models/model.h): nothing was predicted, an entry came back
# that had been popped, or the entry is another's. Of 25 callers too many each meets the first or,
# where an empty stack hands out what it has, the second; behind a dropped return address all are
# one off.
kinds()
{
	"$RSBSIM" score "$@" --format json | tr -d ' \t' | grep -o '"kind":"[a-z]*"' | sort -u
}
[ "$(kinds plain-call --depth 40 --set underflow=none)" = '"kind":"empty"' ]
[ "$(kinds plain-call --depth 40 --set underflow=stale)" = '"kind":"stale"' ]
[ "$(kinds bpf-fexit-skip --scenario unwind)" = '"kind":"other"' ]

# One run, the same report in several formats: a file each, and one where -o says or on standard
# output.
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
"$RSBSIM" score plain-call --format csv="$outputs/a.csv" -f json="$outputs/a.json" -f markdown \
	>"$outputs/a.md"
"$RSBSIM" score plain-call --format csv >"$outputs/b.csv"
"$RSBSIM" score plain-call --format json -o "$outputs/b.json"
"$RSBSIM" score plain-call --format markdown -f csv="$outputs/c.csv" -o "$outputs/b.md"
for pair in 'a.csv b.csv' 'a.csv c.csv' 'a.json b.json' 'a.md b.md'; do
	cmp "$outputs/${pair% *}" "$outputs/${pair#* }"
done

# What cannot be is refused before anything is run.
refused()
{
	status=0
	"$RSBSIM" score plain-call "$@" >"$outputs/out" 2>"$outputs/err" || status=$?
	[ "$status" = 2 ] && [ ! -s "$outputs/out" ]
}
refused -f csv -f json
grep -q 'one without a file' "$outputs/err"
refused -f csv="$outputs/d.csv" -o "$outputs/d"
grep -q 'a file of its own' "$outputs/err"
refused -f csv=
refused -f yaml=x
[ ! -e "$outputs/d.csv" ] && [ ! -e "$outputs/d" ]

# In Markdown a note that is about all CPUs is one line, without their names.
"$RSBSIM" score bpf-tail-call --cpu intel-haswell,amd-zen4 -f markdown >"$outputs/notes"
[ "$(grep 'indirect is assumed' "$outputs/notes")" = '- indirect is assumed to be path' ]
