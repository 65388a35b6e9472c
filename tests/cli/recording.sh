# SPDX-License-Identifier: GPL-2.0-or-later
#
# Recordings of every built-in layout: they miss as often as score says, and their differences lead
# forwards and back through the same states.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

command -v python3 >/dev/null || exit 77

layouts=$(cd "$srcdir/sim/layouts" && printf '%s\n' *.json | sed 's/\.json$//')
[ "$(printf '%s\n' "$layouts" | wc -l)" -ge 60 ] || fail "layouts: $layouts"
# Under sanitizers a fifth of them is enough.
[ -z "${RSB_SANITIZED:-}" ] || layouts=$(printf '%s\n' "$layouts" | awk 'NR % 5 == 1')

# A ring that is shallow, one that is deep; and by turns a stack that counts, and one that is not a
# ring at all, which has to be looked at by popping a copy.
number=0
for layout in $layouts; do
	number=$((number + 1))
	[ $((number % 2)) = 0 ] && other=intel-skylake || other=ideal
	for cpu in intel-haswell amd-zen4 $other; do
		"$RSBSIM" step "$layout" --cpu "$cpu" --depth 3 --batch 2 -f json \
			>"$dir/$number-$cpu.json" || fail "$layout on $cpu"
	done
done
"$RSBSIM" step bpf-fexit-skip --scenario bench -f json >"$dir/bench.json"
# Fewer events than there are: whole rounds, or a part of the first, and it says so.
"$RSBSIM" step bpf-fexit-skip --depth 40 --events 200 -f json >"$dir/rounds.json"
grep '"left_out":{"rounds":[1-9]' "$dir/rounds.json" >/dev/null || fail 'no rounds are left out'
"$RSBSIM" step bpf-fexit-skip --depth 40 --events 20 -f json >"$dir/part.json"
grep '"left_out":{"rounds":[0-9]*,"why":".*cut short"}' "$dir/part.json" >/dev/null ||
	fail 'it is not said to be cut'
# As many as were asked for: what marks traced calls and landings does not count.
[ "$(grep -c '^{"site":' "$dir/part.json")" = 20 ] || fail 'a part has not 20 events'
rm "$dir/part.json" # what its round misses is not all there
find "$dir" -name '*.json' | python3 "$srcdir/tests/cli/recording.py"

# Every key is in the manual page.
python3 - "$dir" >"$dir/keys" <<'PYTHON'
import glob, json, sys
keys = set()
for name in glob.glob(sys.argv[1] + "/*.json"):
    recording = json.load(open(name, encoding="utf-8"))
    keys |= set(recording) | set(recording["stack"]) | set(recording.get("left_out", {}))
    for table in ("code", "addresses", "sites", "entries", "frames", "rounds", "events"):
        for row in recording[table]:
            keys |= set(row or {})
print("\n".join(sorted(keys)))
PYTHON
while read -r key; do
	grep "^\.\(It \|\)Cm.* *$key\( \|$\)" "$srcdir/doc/rsbsim-recording.5" >/dev/null ||
		fail "$key is not in the manual page"
done <"$dir/keys"
