# SPDX-License-Identifier: GPL-2.0-or-later
#
# Indirect jumps that miss: one that goes to two places in turn is always wrong by its last target,
# never by its last target on the same path; and without a predictor nothing is known.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# xor byte [0x402000], 1; movzx eax, byte [0x402000]; lea rax, [rax + 0x401020]; jmp rax; and nop,
# ret at 0x401020.
cat >"$dir/turn.json" <<'LAYOUT'
{
	"bytes": {
		"hex": "80342500204000010fb604250020400048 8d8020104000ffe0 90909090909090 90c3",
		"base": "0x401000"
	},
	"call": "0x401000",
	"memory": [ { "at": "0x402000", "size": 4096 } ]
}
LAYOUT

check()
{
	got=$("$RSBSIM" score "$dir/turn.json" -s bench --set "indirect=$1" -f csv | tr -d '\r' |
		awk -F, '
			NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
			{ print "[" $column["misses_indirect"] "]", $column["misses_inside"] }')
	if [ "$got" != "$2" ]; then
		echo "indirect=$1: expected '$2', got '$got'"
		exit 1
	fi
}
check last '[1] 0'
check path '[0] 0'
check none '[] 0'

# The text has a column for them where there are any.
"$RSBSIM" score "$dir/turn.json" -s bench --set indirect=last | grep -q ' indirect  *cycles' ||
	exit 1
if "$RSBSIM" score "$dir/turn.json" -s bench --set indirect=path |
	grep -q ' indirect  *cycles'; then
	echo 'a column of zeros'
	exit 1
fi
