# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shards under GNU parallel, as rsbsim-sweep(1) shows it; and a plot, where gnuplot is there.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# moreutils has a program of that name too.
parallel --version 2>/dev/null | grep -q '^GNU parallel' || exit 77

cd "$dir"
HOME=$dir parallel --will-cite -j 2 \
	"'$RSBSIM' sweep plain-call --depth 20 --set depth=1..64 --set underflow=stale,none \
		--shard {}/5 -o part-{}.json" ::: 1 2 3 4 5
"$RSBSIM" sweep plain-call --depth 20 --set depth=1..64 --set underflow=stale,none -f csv >whole
"$RSBSIM" merge part-*.json -f csv | cmp - whole
