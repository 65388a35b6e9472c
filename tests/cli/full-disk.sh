# SPDX-License-Identifier: GPL-2.0-or-later
#
# A full disk is trouble, said once; a file that could not be written whole is as it was.

set -eu
[ -w /dev/full ] || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

refuse()
{
	status=0
	"$@" 2>"$dir/err" || status=$?
	if [ "$status" != 2 ] || [ "$(grep -c 'No space left on device' "$dir/err")" != 1 ]; then
		echo "$*: status $status"
		cat "$dir/err"
		exit 1
	fi
}

to_full()
{
	"$@" >/dev/full
}

refuse to_full "$RSBSIM" score plain-call
refuse to_full "$RSBSIM" score plain-call --format json
refuse to_full "$RSBSIM" score bpf-fexit-skip --record -
refuse to_full "$RSBSIM" list cpus
refuse to_full "$RSBSIM" show plain-call
refuse to_full "$RSBSIM" --help
refuse "$RSBSIM" score plain-call --output /dev/full
refuse "$RSBSIM" score bpf-fexit-skip --record /dev/full
refuse "$RSBSIM" report plain-call --output /dev/full
grep -q '/dev/full: cannot write' "$dir/err"

# Where the output has no place, that is said before hours of work.
status=0
timeout 5 "$RSBSIM" probe --visits 101 --output "$dir/none/cpu.json" 2>"$dir/err" || status=$?
[ "$status" = 2 ] && grep -q 'none/cpu.json: No such file' "$dir/err"

"$RSBSIM" check plain-call --baseline "$dir/none/rsb.json" --update-baseline >"$dir/out" \
	2>"$dir/err" && exit 1
[ ! -s "$dir/out" ] && grep -q 'none/rsb.json: No such file' "$dir/err"
rm "$dir/out"

# What was there stays if scoring fails, and nothing else is left.
echo before >"$dir/report"
"$RSBSIM" score plain-call --budget 3 --output "$dir/report" --record "$dir/record" 2>/dev/null &&
	exit 1
[ "$(cat "$dir/report")" = before ]
"$RSBSIM" score plain-call --output "$dir/report"
grep '^plain-call ' "$dir/report" >/dev/null
rm "$dir/err"
[ "$(ls "$dir")" = report ]
