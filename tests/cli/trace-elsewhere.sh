# SPDX-License-Identifier: GPL-2.0-or-later
#
# The score of a trace that has no traced function. traces/samples/threads.txt, event by event:
# thread 1 calls three deep; thread 2 calls and returns, which hits; thread 1 returns to where it
# should, then skips a frame, which misses, as the processor said too; after the gap there is a
# return whose call is missing; then a call and its return. So 5 returns, of which 4 are judged, 1
# misses, and model and hardware agree on all of them.

set -eu
sample=${srcdir:?}/traces/samples/threads
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

expect() {
	tr -d ' \t\n' <"$folder/out" >"$folder/flat"
	for text; do
		grep -qF "$text" "$folder/flat" || {
			echo "expected: $text"
			cat "$folder/out"
			exit 1
		}
	done
}

"$RSBSIM" trace replay "$sample.rsbt" --cpu ideal --format json >"$folder/out"
expect '"events":11,"calls":5,"returns":5,"instructions":130,"threads":2,"switches":0,"gaps":1' \
	'"returns":4,"unjudged":1,"misses":1,"rate":0.25,"empty":0,"stale":0,"other":1' \
	'"hardware":{"returns":4,"misses":1,"both_hit":3,"model_missed":0,"hardware_missed":0,"both_missed":1,"agreement":1}' \
	'{"thread":2,"calls":1,"returns":1,"unjudged":0,"misses":0' \
	'"symbol":"g+0x14","pc":"0x401214","returns":1,"unjudged":0,"misses":1'

# Through one return stack, thread 2 is called above thread 1, and both still match; the switches
# are events.
"$RSBSIM" trace import --from text --threads shared "$sample.txt" |
	"$RSBSIM" trace replay - --cpu ideal --format json >"$folder/out"
expect '"events":13,"calls":5,"returns":5,"instructions":130,"threads":1,"switches":2,"gaps":1'

# As text: the same, and what the report cannot know.
"$RSBSIM" trace replay "$sample.rsbt" --cpu ideal,intel-haswell >"$folder/out"
for text in 'ideal  *ideal  *4  *1  *25%' 'g+0x14  *1  *1  *100%' 'hardware missed  *0  *1' \
	'note: the trace has no wrong paths' 'not judged.*: 1, after 1 gap'; do
	grep -q "$text" "$folder/out" || {
		echo "expected: $text"
		cat "$folder/out"
		exit 1
	}
done

# Three calls deep neither fill a stack of 16 nor empty it, and no call goes to just behind itself:
# the text says so below a CPU's tables, and of a single one below those of the trace. The third
# call overflows a stack of 2, in one of the two threads.
idle='never exercised: overflow'
grep -q "^note: $idle\$" "$folder/out"
"$RSBSIM" trace replay "$sample.rsbt" --cpu intel-haswell >"$folder/out"
grep -q "^note: $idle\$" "$folder/out"
"$RSBSIM" trace replay "$sample.rsbt" --cpu intel-haswell --format json >"$folder/out"
grep -q "\"$idle\", \"never exercised: underflow\", \"never exercised: zero_call" "$folder/out"
"$RSBSIM" trace replay "$sample.rsbt" --cpu intel-haswell --set depth=2 --format json >"$folder/out"
grep -q 'never exercised: zero_call_pushes' "$folder/out"
if grep "$idle" "$folder/out"; then
	exit 1
fi

# What is in it.
"$RSBSIM" trace info "$sample.rsbt" --format json >"$folder/out"
expect '"whole":true,"events":11,"kinds":{"call":5,"return":5,"mark":1}' '"instructions":130' \
	'"predicted":9,"mispredicted":1,"threads":2'

# All known CPUs in one pass.
"$RSBSIM" trace replay "$sample.rsbt" --cpu all --format json | grep -c '"cpu"' >"$folder/all"
"$RSBSIM" list cpus --format json | grep -c '"arch"' | cmp - "$folder/all"
