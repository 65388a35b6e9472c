# SPDX-License-Identifier: GPL-2.0-or-later
#
# Plots: what cannot be plotted is refused before gnuplot is asked for, a gnuplot that is not there
# or fails is one clear message, and one that is there draws every line.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

# refuse MESSAGE OPTION...: status 2, one line with that message, and no plot.
refuse()
{
	message=$1
	shift
	status=0
	"$RSBSIM" sweep plain-call "$@" >/dev/null 2>"$dir/err" || status=$?
	[ $status = 2 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -qF -- "$message" "$dir/err" &&
		[ ! -e "$dir/p.svg" ] || fail "$*: status $status, $(cat "$dir/err")"
}

refuse 'expected a file that ends in .svg or .png' --set depth=1..4 --plot "$dir/p.gif"
refuse 'a plot needs a swept depth' --set underflow=stale,none --plot "$dir/p.svg"
refuse 'cannot be read' --set depth=1..2 --set fixed_target=1..41 -s bench --plot "$dir/p.svg"
GNUPLOT=$dir/none
export GNUPLOT
refuse 'expected gnuplot' --set depth=1..4 --plot "$dir/p.svg"
GNUPLOT=$dir/fails
printf '#!/bin/sh\necho "line 1: it fails" >&2\nexit 1\n' >"$GNUPLOT"
chmod +x "$GNUPLOT"
refuse 'line 1: it fails' --set depth=1..4 --plot "$dir/p.svg"
unset GNUPLOT

command -v gnuplot >/dev/null || exit 77
sed "s/\"name\": \"plain-call\"/\"name\": \"it's_plain\"/" "$srcdir/sim/layouts/plain-call.json" \
	>"$dir/it's_plain.json"
"$RSBSIM" sweep "$dir/it's_plain.json" --depth 12 --set depth=1..32 --set underflow=stale,none \
	--plot "$dir/p.svg" >"$dir/text"
grep -q "it's_plain\|it&#39;s_plain" "$dir/p.svg" || fail 'the title'
for line in stale none; do
	grep -q "own, intel-haswell, underflow=$line: knee 13<" "$dir/p.svg" ||
		fail "the line of $line"
done

# For those who do not see it: 13 calls are open, so that a stack of d misses 13 - d of them.
grep -q "^<title>it's_plain: mispredicted returns against the depth" "$dir/p.svg" ||
	fail 'its title'
grep -q '^<desc>Per call.*underflow=none: 0 misses from depth 13 on; 1 miss at depth 12, up to 12 at depth 1\.<' \
	"$dir/p.svg" || fail "$(grep '<desc>' "$dir/p.svg")"
! grep -i 'gnuplot_plot_.*title\|produced by' "$dir/p.svg" || fail 'a title that tells nothing'
# What a name holds is text there.
sed 's/"name": "plain-call"/"name": "<b>\&"/' "$srcdir/sim/layouts/plain-call.json" >"$dir/odd.json"
"$RSBSIM" sweep "$dir/odd.json" --set depth=1..4 -s unwind --plot "$dir/odd.svg" >/dev/null
grep -q '^<title>&lt;b&gt;&amp;: ' "$dir/odd.svg" || fail "$(grep '<title>' "$dir/odd.svg")"

# Colours of Okabe and Ito, which those can tell apart who do not see all of them, and dashes too.
grep -qi '0, *114, *178\|0072b2' "$dir/p.svg" && grep -qi '213, *94, *0\|d55e00' "$dir/p.svg" &&
	grep -q 'stroke-dasharray' "$dir/p.svg" || fail 'colours and dashes'

grep -q 'own, intel-haswell, underflow=stale: 13' "$dir/text" || fail 'the report'
"$RSBSIM" sweep plain-call --set depth=1..32 --plot "$dir/p.PNG" -o "$dir/text"
head -c 4 "$dir/p.PNG" | grep -q PNG || fail 'a PNG'

# From parts too.
"$RSBSIM" sweep plain-call --set depth=1..32 --shard 1/1 -o "$dir/part"
"$RSBSIM" merge "$dir/part" --plot "$dir/merged.svg" -o "$dir/text"
grep -q '<svg' "$dir/merged.svg"
