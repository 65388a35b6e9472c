# SPDX-License-Identifier: GPL-2.0-or-later
#
# "-" is standard input where a layout file, or a part of a sweep, is expected; what it says is as
# if it had been a file. explain takes as many layouts as score and check do.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
layout=$srcdir/sim/layouts/kretprobe.json

fail()
{
	echo "$*"
	exit 1
}

# same COMMAND...: with - in place of the file.
same()
{
	status=0
	"$RSBSIM" "$@" "$layout" >"$dir/file" || status=$?
	other=0
	"$RSBSIM" "$@" - <"$layout" >"$dir/input" || other=$?
	[ "$status" = "$other" ] || fail "$*: status $status and $other"
	# check tells where it is.
	grep -v 'kretprobe\.json' "$dir/file" >"$dir/want"
	grep -v 'kretprobe\.json' "$dir/input" | diff "$dir/want" - || fail "$*"
}

same score --format csv
same score --format json --cpu amd-zen4
same explain
same check
same check --rule expectation=error

# Two inputs beside each other; but it can be read only once.
[ "$("$RSBSIM" score plain-call - -s unwind -f csv <"$layout" | wc -l)" = 3 ] || fail 'two inputs'
"$RSBSIM" score - - <"$layout" 2>"$dir/err" && fail 'read twice'
grep -q 'rsbsim score: expected - once' "$dir/err" || fail "$(cat "$dir/err")"

# Paths in it are relative to where the program runs.
cp "$srcdir/doc/examples/stub.S" "$dir"
if command -v as >/dev/null; then
	(cd "$dir" && printf '{ "asm": { "file": "stub.S" }, "call": "drops" }' |
		"$RSBSIM" score - -f csv >out && grep -q '^standard input,' out) ||
		fail 'relative paths'
fi

# Messages name it, with the line.
printf '{\n"nam": "x" }\n' | "$RSBSIM" score - 2>"$dir/err" && fail 'an unknown key'
grep -q '^rsbsim score: standard input:2: unknown key "nam"' "$dir/err" || fail "$(cat "$dir/err")"
"$RSBSIM" explain - </dev/null 2>"$dir/err" && fail 'nothing'
grep -q '^rsbsim explain: standard input:1' "$dir/err" || fail "$(cat "$dir/err")"
printf '{ \0 }' | "$RSBSIM" check - 2>"$dir/err" && fail 'a byte 0'
grep -q 'standard input: expected text, got a byte 0' "$dir/err" || fail "$(cat "$dir/err")"
head -c 40000000 /dev/zero | tr '\0' ' ' | "$RSBSIM" score - 2>"$dir/err" && fail 'no end'
grep -q 'standard input: expected a file of at most 16 MiB' "$dir/err" || fail "$(cat "$dir/err")"

# The parts of a sweep, one of them from standard input.
"$RSBSIM" sweep plain-call --set depth=1..8 --format csv >"$dir/whole"
for shard in 1 2; do
	"$RSBSIM" sweep plain-call --set depth=1..8 --shard $shard/2 -o "$dir/part$shard.json"
done
if [ -r /dev/stdin ]; then
	"$RSBSIM" merge "$dir/part1.json" - --format csv <"$dir/part2.json" | diff "$dir/whole" - ||
		fail 'merge'
fi

# A folder and a pattern, as many layouts as there are.
mkdir "$dir/layouts"
cp "$layout" "$srcdir/sim/layouts/plain-call.json" "$dir/layouts"
[ "$("$RSBSIM" explain "$dir/layouts" 'bpf-fexit-*' |
	grep -c ' on intel-haswell (ring of 16), ')" = 5 ] || fail 'a folder'
[ "$("$RSBSIM" explain "$dir/layouts" --cpu amd-zen4,intel-haswell -f json |
	grep -c '"shadow_stack":.{')" = 4 ] || fail 'two layouts on two CPUs'
