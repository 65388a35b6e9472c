# SPDX-License-Identifier: GPL-2.0-or-later
#
# A layout that was recorded gets the very score that score gives it: every layout, on every CPU, in
# both scenarios, through a file or a pipe. Under sanitizers, where a process takes a second to
# start, every fifth layout. One figure is not in a trace: pages that were touched are no events.

set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

layouts=$("$RSBSIM" list layouts --format json | sed -n 's/^.*"name":[^"]*"\([^"]*\)".*$/\1/p')
[ -z "${RSB_SANITIZED-}" ] || layouts=$(echo "$layouts" | awk 'NR % 5 == 1')
without_pages() {
	sed 's/"pages_after_flush":.*/"pages_after_flush":/' "$1"
}
count=0
for layout in $layouts; do
	for scenario in bench unwind; do
		"$RSBSIM" score "$layout" --scenario "$scenario" --cpu all --format json \
			>"$folder/score"
		"$RSBSIM" trace record "$layout" --scenario "$scenario" -o "$folder/trace"
		"$RSBSIM" trace replay "$folder/trace" --cpu all --format json >"$folder/replay"
		without_pages "$folder/score" >"$folder/scored"
		without_pages "$folder/replay" | cmp "$folder/scored" - || {
			echo "$layout in $scenario is scored otherwise once it is recorded"
			exit 1
		}
		count=$((count + 1))
	done
done
[ "$count" -ge 18 ] || { echo "only $count scores were compared"; exit 1; }

# Totals over more rounds than are in the file; a layout with its own depth; jumps and branches too.
"$RSBSIM" score bpf-fexit-skip --depth 20 --batch 3 --rounds 1000000 --format json >"$folder/score"
"$RSBSIM" trace record bpf-fexit-skip --depth 20 --batch 3 --all |
	"$RSBSIM" trace replay - --rounds 1000000 --format json >"$folder/replay"
cmp "$folder/score" "$folder/replay"

# Every format that score has.
for format in text csv markdown; do
	"$RSBSIM" score plain-call --scenario unwind --format "$format" >"$folder/score"
	"$RSBSIM" trace record plain-call | "$RSBSIM" trace replay - --format "$format" \
		>"$folder/replay"
	cmp "$folder/score" "$folder/replay"
done
