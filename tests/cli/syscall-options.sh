# SPDX-License-Identifier: GPL-2.0-or-later
#
# --syscall, and "syscall" in a layout file: what is refused, with one message and status 2; and,
# where the captures are, a system call in every command.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

# refused WORDS COMMAND...: status 2, and one line with these words.
refused()
{
	words=$1
	shift
	status=0
	"$RSBSIM" "$@" >"$dir/out" 2>"$dir/err" || status=$?
	[ "$status" = 2 ] || fail "$*: status $status"
	[ "$(wc -l <"$dir/err")" = 1 ] || fail "$*: $(cat "$dir/err")"
	grep -qF -e "$words" "$dir/err" || fail "$*: $(cat "$dir/err"); expected $words"
}

layout()
{
	printf '%s' "$1" >"$dir/layout.json"
}

refused '--syscall: expected code beside it' score --syscall 124
refused '--syscall: expected a kernel by --core, got --bytes' score --bytes c3 --syscall 124
core=$srcdir/tests/fuzz/corpus/core/good
refused "--syscall: expected a number from 0 to 2147483647, got '-1'" score --core "$core" \
	--syscall -1
refused "--syscall: expected a number from 0 to 2147483647, got '1x'" score --core "$core" \
	--syscall 1x
refused '--core: expected --call, the function to call, or --syscall' score --core "$core"
refused 'give "gs_base"' score --core "$core" --syscall 1
refused 'the symbols lack entry_SYSCALL_64' score --core "$core" --syscall 1 --gs-base 0x0
printf 'ffffffff91000000 T entry_SYSCALL_64\n' >"$dir/symbols"
refused 'its page is not in the image' score --core "$core" --symbols "$dir/symbols" --syscall 1 \
	--gs-base 0x0
layout '{ "bytes": { "hex": "c3", "base": "0x1000" }, "syscall": 1 }'
refused '"syscall" does not go with "bytes"' score "$dir/layout.json"
layout '{ "core": { "file": "x" }, "syscall": 1, "call": "f" }'
refused '"syscall" does not go with "call"' score "$dir/layout.json"
layout '{ "core": { "file": "x" }, "syscall": "read" }'
refused '"syscall": expected' score "$dir/layout.json"

shared=${RSB_SHARED:-$srcdir/../shared}/captures
[ -e "$shared/linux-6.12-pti.core" ] || exit $bad
set -- --core "$shared/linux-6.12-pti.core" --symbols "$shared/linux-6.12-pti.kallsyms"
refused 'rax holds the number' score "$@" --syscall 124 --set-reg rax=0x1

# From the captures' README: 23 calls, 22 returns, 485 instructions with sysretq.
"$RSBSIM" score "$@" --syscall 124 -s unwind -f csv | tr -d '\r' | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
	NR > 1 { print $c["layout"], $c["calls"], $c["returns"], $c["instructions"] }' >"$dir/out"
[ "$(cat "$dir/out")" = 'syscall-124 23 22 485' ] || fail "score: $(cat "$dir/out")"
"$RSBSIM" score "$@" --syscall 124 -s unwind >"$dir/out"
tr '\n' ' ' <"$dir/out" | tr -s ' ' | grep -q \
	'note: returns at once, for the engine has no xrstor: fpregs_assert_state_consistent, switch_fpu_return' ||
	fail 'score: no note'
# These kernels move their stack by the time-stamp counter, which is the same in each run all the
# same.
"$RSBSIM" score "$@" --syscall 124 -s unwind >"$dir/again"
cmp "$dir/out" "$dir/again" || fail 'score: another report when run again'
"$RSBSIM" explain "$@" --syscall 124 --cpu intel-haswell | grep -q '^1. skipped-frame: ' ||
	fail 'explain'
"$RSBSIM" show "$@" --syscall 124 >"$dir/out" || fail 'show'
"$RSBSIM" trace record "$@" --syscall 124 --all -o "$dir/trace" || fail 'trace record'
"$RSBSIM" trace dump "$dir/trace" >"$dir/out"
grep -q 'sysret' "$dir/out" && grep -q 'cr3-flush' "$dir/out" || fail 'trace dump'
status=0
"$RSBSIM" check "$@" --syscall 121 --cpu intel-haswell >/dev/null || status=$?
[ "$status" = 0 ] || fail "check of a balanced system call: status $status"
status=0
"$RSBSIM" check "$@" --syscall 124 --cpu intel-haswell >/dev/null || status=$?
[ "$status" = 1 ] || fail "check of one too many: status $status"
exit $bad
