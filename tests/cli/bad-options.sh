# SPDX-License-Identifier: GPL-2.0-or-later
#
# Bad command lines: status 2, one line on standard error, nothing on standard output. Each row is
# the command line, a bar, and a part of the message.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0

while IFS='|' read -r line message; do
	[ -n "$line" ] || continue
	status=0
	# The rows are words without quotes; patterns are for rsbsim to expand.
	set -f
	# shellcheck disable=SC2086
	"$RSBSIM" $line >"$dir/out" 2>"$dir/err" </dev/null || status=$?
	set +f
	if [ "$status" != 2 ] || [ -s "$dir/out" ] || [ "$(wc -l <"$dir/err")" != 1 ] ||
		! grep -qF -- "$message" "$dir/err"; then
		echo "rsbsim $line: status $status, expected 2 and: $message"
		cat "$dir/out" "$dir/err"
		bad=1
	fi
done <<'ROWS'
scor|rsbsim: unknown command 'scor': expected score
--frobnicate|rsbsim: --frobnicate: unknown option
score|rsbsim score: expected a layout
score plain-cal|plain-call
score nothing-like-it*|rsbsim score: no built-in name matches 'nothing-like-it*'
score ./none.json|./none.json
score plain-call --cpu intel-haswel|intel-haswell
score plain-call --cpu ./none.json|./none.json
score plain-call --cpu intel-haswell,,amd-zen4|rsbsim score: expected names between commas
score plain-call --set depth|rsbsim score: --set: expected name=value, got 'depth'
score plain-call --set dept=3|depth
score plain-call --set nothing=3|unknown parameter 'nothing': rsbsim list models NAME has those of a model
sweep plain-call --set depth=1-5|parameter 'depth': expected a range as 1..64, got '1-5'
score plain-call --cpu zzz|unknown CPU 'zzz': expected a name of rsbsim list cpus, or the path of a profile
list cpus zzz*|rsbsim list: no name matches 'zzz*': rsbsim list cpus shows them all
lesson zzz|there is no lesson 'zzz': rsbsim lesson lists them
score plain-call --set depth=x|depth
score plain-call --depth x|rsbsim score: --depth: expected a number from 0 to 4096, got 'x'
score plain-call --depth 4097|rsbsim score: --depth: expected a number from 0 to 4096, got '4097'
score plain-call --depth -1|rsbsim score: --depth: expected a number from 0 to 4096, got '-1'
score plain-call --depth 99999999999999999999|rsbsim score: --depth: expected a number
score plain-call --batch 0|rsbsim score: --batch: expected a number from 1 to 100000, got '0'
score plain-call --spacing 16|rsbsim score: --spacing: expected a number from 32 to 4096, got '16'
score plain-call --spacing 40|rsbsim score: --spacing: expected a multiple of 16, got '40'
score plain-call --rounds 0|rsbsim score: --rounds: expected a number from 1 to 1000000000000, got '0'
score plain-call --scenario benk|rsbsim score: --scenario: expected bench or unwind, got 'benk'
score plain-call --scenario bench --depth 3|rsbsim score: --scenario: expected either a name or
score plain-call --format jsn|rsbsim score: --format: unknown format 'jsn': expected json
score plain-call --frmat json|rsbsim score: --frmat: unknown option; the nearest is --format
score plain-call --s bench|rsbsim score: --s: more than one option starts like that
score plain-call --depth|rsbsim score: --depth: an argument is missing
score plain-call --help=x|rsbsim score: --help: takes no argument
score plain-call -x|rsbsim score: -x: unknown option
score plain-call --budget 3|budget
score plain-call --model nothing|unknown model
score plain-call --model ./none.so|./none.so
score plain-call --set dept=4|rsbsim score: --set: intel-haswell: unknown parameter 'dept': expected depth
score plain-call --set depth=|depth
score plain-call --set ,|rsbsim score: --set: expected name=value, got ''
score plain-call --cpu ideal --set depth=4|rsbsim score: --set: ideal: unknown parameter 'depth'
score plain-call --return-thunk srs|rsbsim score: --return-thunk: expected none, rethunk, retbleed, its, srso
score plain-call --indirect x|rsbsim score: --indirect: expected direct, retpoline, lfence or its, got 'x'
score plain-call --return-thunk srso|plain-call on intel-haswell: Linux never returns by the return thunk srso there
score plain-call --return-thunk retbleed|retbleed
score plain-call --cpu amd-zen3 --return-thunk its|its
score plain-call --cpu amd-zen2 --return-thunk srso-alias|Linux never returns by the return thunk srso-alias there
score plain-call --cpu amd-zen5 --return-thunk srso|Linux never returns by the return thunk srso there
score plain-call --cpu intel-haswell --return-thunk call-depth|Linux never returns by the return thunk call-depth there
score plain-call --cpu amd-zen3 --return-thunk call-depth|call-depth
score plain-call --cpu intel-haswell,amd-zen3 --return-thunk srso|intel-haswell
score plain-call --mitigations on|rsbsim score: --mitigations: expected auto or off, got 'on'
score plain-call --mitigations off --return-thunk its|rsbsim score: --mitigations: expected either
step plain-call --mitigations auto --return-thunk its|rsbsim step: --mitigations: expected either
explain plain-call --mitigations auto --return-thunk its|rsbsim explain: --mitigations: expected either
explain|rsbsim explain: expected a layout
explain plain-call 'nothing-*'|rsbsim explain: no built-in name matches
explain plain-cal|plain-call
explain plain-call --cpu intel-haswel|intel-haswell
explain plain-call --format csv|rsbsim explain: --format: unknown format 'csv': expected
report -f json|rsbsim report: expected a layout
report plain-call --format pdf|rsbsim report: --format: expected html or json, got 'pdf'
report plain-call --events 0|rsbsim report: --events: expected
report plain-call --scenario unwind --depth 3 -f json|rsbsim report: --scenario: expected either
check|rsbsim check: expected a layout
check plain-call --rule RSB001|rsbsim check: --rule: expected RULE=LEVEL, got 'RSB001'
check plain-call --rule RSB001=fatal|rsbsim check: --rule: expected off, note, warning or error
check plain-call --rule RSB0=off|rsbsim check: --rule: unknown rule 'RSB0': expected
check plain-call --format sarf|rsbsim check: --format: unknown format 'sarf': expected sarif
check plain-call --format json=|rsbsim check: --format: expected a file after '='
check plain-call --today soon|rsbsim check: --today: expected a date as 2027-01-31, got 'soon'
check plain-call --against ./none.json --baseline b.json|rsbsim check: --against: expected no
check /no/folder.core|/no/folder.core
explain RSB999|rsbsim explain: unknown rule 'RSB999': expected
list|rsbsim list: expected what to list
list cpu|rsbsim list: nothing to list is called 'cpu': expected cpus
list lessons|expected cpus, layouts or models; rsbsim lesson lists the lessons
list cpus amd-zen4 amd-zen5|rsbsim list: expected one name, got 'amd-zen5' too
list cpus amd-zen44|amd-zen4
list models rinng|ring
list layouts --format csv|rsbsim list: --format: expected text or json, got 'csv'
show|rsbsim show: expected a layout
show plain-call bpf-fentry|rsbsim show: expected one layout, got 'bpf-fentry' too
show plain-cal|plain-call
merge|rsbsim merge: expected the parts of a sweep
merge ./none|./none
sweep|rsbsim sweep: expected a layout or a trace
sweep plain-call|rsbsim sweep: expected a parameter to sweep: --set depth=1..64
sweep plain-call - --set depth=1|rsbsim sweep: - is a trace: expected nothing else beside it
sweep plain-cal --set depth=1|plain-call
sweep ./none.rsbt --set depth=1|./none.rsbt
sweep plain-call --set depth|rsbsim sweep: --set: expected parameter=values, got 'depth'
sweep plain-call --set depth=4 --return-thunk srso|plain-call on intel-haswell: Linux never returns by
sweep plain-call --set depth=|rsbsim sweep: --set: parameter 'depth': expected values between commas
sweep plain-call --set depth=64..1|expected a range from the lower to the higher number
sweep plain-call --set depth=1..5000|'4097' is no number from 0 to 4096
sweep plain-call --set dept=1..4|intel-haswell: unknown parameter 'dept': expected depth
sweep plain-call --set depth=1..4 --cpu ideal|ideal: unknown parameter 'depth'
sweep plain-call --set depth=1..4 --set depth=5|parameter 'depth' is given twice
sweep plain-call --set depth=1..4096 --set fixed_target=1..13|more than 100000 configurations
sweep plain-call --set underflow=stale,nothing|'nothing' is none of stale|none|indirect|fixed
sweep plain-call --set underflow=indirect --set indirect=none|underflow=indirect needs an indirect predictor
sweep plain-call --set depth=1..4 --shard 0/4|rsbsim sweep: --shard: expected K/N, from 1/N to N/N
sweep plain-call --set depth=1..4 --shard 5/4|rsbsim sweep: --shard: expected K/N, from 1/N to N/N
sweep plain-call --set depth=1..4 --shard 1|rsbsim sweep: --shard: expected K/N, from 1/N to N/N
sweep plain-call --set depth=1..4 --shard 1/2 --format csv|--format and --plot are for rsbsim merge
sweep plain-call --set depth=1..4 --jobs 0|rsbsim sweep: --jobs: expected a number from 1 to 256, got '0'
sweep plain-call --set depth=1..4 --format yaml|rsbsim sweep: --format: unknown format 'yaml'
sweep - --set depth=1..4 --scenario bench|- is a trace: scenarios and forms of code are for layouts
sweep - --set depth=1..4|standard input
help scores|rsbsim: unknown command 'scores': expected score
help score list|rsbsim help: expected one command, got 'list' too
ROWS

# A name with an escape in it may not reach the terminal as it is.
escape=$(printf '\033')
"$RSBSIM" score "x${escape}[2J" 2>"$dir/err" && bad=1
if grep -qF "$escape" "$dir/err"; then
	echo 'control characters reach the terminal'
	bad=1
fi
exit $bad
