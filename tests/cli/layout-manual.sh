# SPDX-License-Identifier: GPL-2.0-or-later
#
# The layouts in rsbsim-layout(5) are scored, but for those of the running kernel, and are as they
# say they expect; rsbsim list layouts tells what a file says.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

awk -v dir="$dir" '
	/^\.Bd -literal/ { literal = 1; n++; next }
	/^\.Ed/ { literal = 0; next }
	literal { print > (dir "/" n ".json") }
' "$srcdir/doc/rsbsim-layout.5"

# rows FILE OPTION...: misses inside and in callers, and the layout's balance.
rows()
{
	"$RSBSIM" score "$@" -s unwind -f csv | tr -d '\r' | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $column["layout"], $column["misses_inside"], $column["misses_callers"],
			$column["balance_layout"] }'
}

check()
{
	if [ "$1" != "$2" ]; then
		echo "expected '$1', got '$2'"
		exit 1
	fi
}

check 'fexit-jmp 13 8 0' "$(rows "$dir/1.json" --cpu amd-zen3)"
grep -q /proc/kcore "$dir/2.json"
grep -q '"syscall": 124' "$dir/3.json"
check 'getpid 1 8 0' "$(rows "$dir/4.json")"
check 'interrupted 1 8 0' "$(rows "$dir/5.json" --cpu amd-zen2)"
[ "$(ls "$dir" | wc -l)" = 5 ]
