# SPDX-License-Identifier: GPL-2.0-or-later
#
# Code that the engine dies of is trouble like any other: status 2, a message, and no report. One
# message where the code stands there from the start; after the engine's own where it writes itself.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

refuse() {
	printf '{ "bytes": { "hex": "%s", "base": "0x401000" }, "call": "0x401000" }\n' "$1" \
		>"$dir/code.json"
	status=0
	"$RSBSIM" score -o "$dir/report" "$dir/code.json" >"$dir/out" 2>"$dir/err" || status=$?
	if [ "$status" != 2 ] || [ -s "$dir/out" ] || ! grep -q "^rsbsim.*$2" "$dir/err"; then
		echo "$1: status $status"
		cat "$dir/out" "$dir/err"
		exit 1
	fi
}

refuse 'ff d8' 'cannot run the instruction at 0x401000'
[ "$(wc -l <"$dir/err")" = 1 ]
# It writes ff d8 where the jump that follows goes.
refuse '66 c7 05 02 00 00 00 ff d8 eb 00 90 90 c3' 'cannot translate'
rm "$dir/err" "$dir/out" "$dir/code.json"
[ -z "$(ls "$dir")" ]
