# SPDX-License-Identifier: GPL-2.0-or-later
#
# A standard stream that is closed is not taken by the next file: a report that cannot be written is
# an error, and no message ends in the report.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
	echo "$1"
	exit 1
}

for command in "score plain-call" "list cpus" "explain plain-call" "show plain-call" \
	"check plain-call" "help score" --version; do
	status=0
	# shellcheck disable=SC2086
	"$RSBSIM" $command >&- 2>"$dir/err" || status=$?
	[ "$status" = 2 ] || fail "rsbsim $command, standard output closed: status $status"
	[ "$(wc -l <"$dir/err")" = 1 ] || fail "rsbsim $command: expected one message"
	grep -q 'standard output' "$dir/err" || fail "rsbsim $command: $(cat "$dir/err")"
done

# A layout in trouble beside a good one: its message must not stand in the report.
"$RSBSIM" check plain-call ./none.json --format json="$dir/report" <&- >&- 2>&- &&
	fail "status 0"
! grep -q '^rsbsim' "$dir/report" || fail "a message in the report"
"$RSBSIM" score plain-call -o "$dir/score" <&- >&- 2>&- || fail "a closed stream that is not used"
[ -s "$dir/score" ] || fail "no report"
