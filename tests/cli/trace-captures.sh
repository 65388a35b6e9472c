# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same for kernels' trampolines, whose steady state is observed rather than proved: the rounds
# that the averages are over are in the file.

set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${SHELL:-sh}" "$srcdir/tests/captures/make-layouts.sh" "$folder" >"$folder/list" || exit $?

while read -r layout; do
	"$RSBSIM" score "$layout" --scenario unwind --cpu intel-haswell,amd-zen4,ideal \
		--format json >"$folder/score"
	"$RSBSIM" trace record "$layout" --scenario unwind |
		"$RSBSIM" trace replay - --cpu intel-haswell,amd-zen4,ideal --format json \
			>"$folder/replay"
	cmp "$folder/score" "$folder/replay" || {
		echo "$layout is scored otherwise once it is recorded"
		exit 1
	}
done <"$folder/list"
grep -q '"observed"' "$folder/replay"
