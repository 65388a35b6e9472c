# SPDX-License-Identifier: GPL-2.0-or-later
#
# The engine would exit the whole process where it cannot reserve its 1 GiB: a message says so
# first.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ulimit -v 900000

# A sanitizer's build cannot even start below such a limit.
"$RSBSIM" --version >"$dir/out" 2>&1 || exit 77

status=0
"$RSBSIM" score plain-call >"$dir/out" 2>"$dir/err" || status=$?
if [ "$status" != 2 ] || ! grep -qF '1 GiB of address space' "$dir/err"; then
	echo "status $status, expected 2 and a message"
	cat "$dir/out" "$dir/err"
	exit 1
fi
