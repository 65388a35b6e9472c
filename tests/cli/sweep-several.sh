# SPDX-License-Identifier: GPL-2.0-or-later
#
# A sweep of several layouts is that of each of them, one after the other, in every format, in parts
# too, and on one chart or a chart each.

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
	"$RSBSIM" sweep "$@" --set depth=1..12 --cpu intel-haswell,intel-skylake
}

three='bpf-fexit-double-ret bpf-fexit-jmp bpf-fexit-skip'

# Rows of CSV, and tables of text and markdown, are those of the sweeps of each; only the name
# before a knee is more. A pattern stands for the names that match, and a name that comes twice
# counts once.
for format in csv text markdown; do
	sweep 'bpf-fexit-*' bpf-fexit-jmp -f $format >"$dir/several"
	for layout in $three; do
		sweep $layout -f $format
	done >"$dir/each"
	case $format in
	csv)
		awk 'NR == 1 || !/^layout,/' "$dir/each" | cmp - "$dir/several" || fail csv
		;;
	*)
		knees='^  (bench|unwind), |^- (bench|unwind), |^[kK]nee, |^    |^$'
		grep -vE "$knees" "$dir/each" >"$dir/tables"
		sed -E 's/^(  |- )bpf-[a-z-]*, /\1/' "$dir/several" | grep -vE "$knees" |
			cmp - "$dir/tables" ||
			fail "the tables of $format"
		[ "$(grep -cE "^(  |- )bpf-fexit-skip, (bench|unwind), intel-(haswell|skylake): " \
			"$dir/several")" = 4 ] ||
			fail "$(cat "$dir/several")"
		;;
	esac
done

# JSON names the layouts, with their scenarios, and the one that a row or a knee is of.
sweep $three -s unwind -f json | tr -d '\t\n ' >"$dir/json"
grep -qF '"layouts":[{"name":"bpf-fexit-double-ret","scenarios":[{"name":"unwind","depth":8,' \
	"$dir/json" ||
	fail 'the layouts in JSON'
[ "$(grep -oF '{"layout":"bpf-fexit-jmp","scenario":"unwind","cpu":' "$dir/json" | wc -l)" = 26 ] ||
	fail 'rows and knees in JSON'

# Parts make the same whole, though a part is of some layouts only.
for format in text json csv markdown; do
	sweep $three -f $format >"$dir/whole"
	for k in 1 2 3 4 5; do
		sweep $three --shard $k/5 -o "$dir/part-$k"
	done
	"$RSBSIM" merge "$dir"/part-* -f $format | cmp - "$dir/whole" || fail "parts as $format"
done
sweep bpf-fexit-jmp bpf-fexit-double-ret bpf-fexit-skip --shard 1/5 -o "$dir/part-1"
! "$RSBSIM" merge "$dir"/part-* 2>"$dir/err" >"$dir/out" || fail 'another order'
grep -q 'is a part of another sweep than' "$dir/err" || fail "$(cat "$dir/err")"

# A folder of layout files, and code of one's own beside a layout.
mkdir "$dir/own"
cp "$srcdir/sim/layouts/plain-call.json" "$srcdir/sim/layouts/bpf-fentry.json" "$dir/own"
sweep "$dir/own" -f csv | cut -d, -f1 | uniq | tr -d '\r' | tr '\n' ' ' |
	grep -qx 'layout bpf-fentry plain-call ' ||
	fail 'a folder'
sweep plain-call --bytes c3 -f csv | cut -d, -f1 | uniq | tr -d '\r' | tr '\n' ' ' |
	grep -qx 'layout plain-call 0x401000 ' || fail 'own code'

# refuse MESSAGE ARGUMENT...: status 2, and nothing is written.
refuse()
{
	message=$1
	shift
	status=0
	"$RSBSIM" sweep "$@" --set depth=1..4 >"$dir/out" 2>"$dir/err" || status=$?
	[ $status = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
		grep -qF -- "$message" "$dir/err" || fail "$*: status $status, $(cat "$dir/err")"
}

"$RSBSIM" trace record plain-call -o "$dir/t.rsbt"
refuse 't.rsbt is a trace: expected nothing else beside it' plain-call "$dir/t.rsbt"
refuse 't.rsbt is a trace: expected nothing else beside it' "$dir/t.rsbt" --bytes c3
refuse "no built-in name matches 'none-*'" plain-call 'none-*'
refuse 'two called' "$dir/own/plain-call.json" plain-call --plot "$dir/{}.svg"
refuse 'cannot be read' 'bpf-*' detours plain-call fcontext --plot "$dir/p.svg"
refuse "$dir/none/bpf-fentry.svg: No such file" bpf-fentry plain-call --plot "$dir/none/{}.svg"

command -v gnuplot >/dev/null || exit 77
sweep $three -s unwind --plot "$dir/p.svg" -o "$dir/out"
grep -q '^<title>bpf-fexit-double-ret, bpf-fexit-jmp, bpf-fexit-skip: ' "$dir/p.svg" ||
	fail 'the title'
# Nine calls are open below eight callers, and two more in the trampoline: the ring that holds all
# has 11.
grep -q 'bpf-fexit-jmp, unwind, intel-haswell: knee 11<' "$dir/p.svg" || fail 'a line of the chart'
[ "$(grep -c 'unwind, intel-[a-z]*: \(knee [0-9]*\|no knee\)<' "$dir/p.svg")" = 6 ] ||
	fail 'six lines'

# A chart each; a name that cannot be a file's is one all the same.
sed 's/"name": "plain-call"/"name": "a\/b"/' "$srcdir/sim/layouts/plain-call.json" >"$dir/odd.json"
sweep bpf-fexit-jmp "$dir/odd.json" --plot "$dir/plot-{}.svg" -o "$dir/out"
grep -q '^<title>bpf-fexit-jmp: ' "$dir/plot-bpf-fexit-jmp.svg" || fail 'the first chart'
grep -q '^<title>a/b: ' "$dir/plot-a_b.svg" || fail 'the second chart'
