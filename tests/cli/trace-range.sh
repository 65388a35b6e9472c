# SPDX-License-Identifier: GPL-2.0-or-later
#
# A trace with a wrong path: a return that was run and taken back. Where the pointer is put back,
# the return that really came is predicted, and where nothing is, its entry is gone. Of Zen 5 it is
# not known which; the Rocket core is known to put nothing back (its RTL).

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cat >"$dir/wrong.txt" <<'TRACE'
rsbsim-trace 1
about arch x86_64
call 0x401000+5 -> 0x402000
speculate 0x402000 -> 0x402000
return 0x402001+1 -> 0x401005
squash 0x402001 -> 0x402001
return 0x402004+1 -> 0x401005
TRACE
"$RSBSIM" trace import --from text "$dir/wrong.txt" -o "$dir/wrong.rsbt"
"$RSBSIM" trace replay "$dir/wrong.rsbt" --cpu amd-zen5 >"$dir/out"
grep -q 'amd-zen5: what is put back after a wrong path is not known: 0 to 1 misses$' "$dir/out" || {
	cat "$dir/out"
	exit 1
}

# As scripts read it; and of a CPU of which it is known there is no range.
range()
{
	"$RSBSIM" trace replay "$dir/wrong.rsbt" "$@" -f json | tr -d ' \t' |
		grep '^"misses_range":'
}
[ "$(range --cpu amd-zen5)" = '"misses_range":[0,1],' ]
[ "$(range --cpu riscv-rocket)" = '"misses_range":null,' ]
[ "$(range --cpu amd-zen5 --set repair=full)" = '"misses_range":null,' ]
