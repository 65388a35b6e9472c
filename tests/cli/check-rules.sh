# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules that no built-in layout breaks on its own: each by an example whose misses are counted by
# hand.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail()
{
	echo "$*"
	cat out err
	exit 1
}

# finds RULES MISSES ARGUMENT...: these rules, and no others, in the order of the report; MISSES is
# in it.
finds()
{
	rules=$1
	misses=$2
	shift 2
	got=0
	"$RSBSIM" check "$@" >out 2>err || got=$?
	[ "$got" = 1 ] || fail "check $*: status $got, expected 1"
	found=$(sed -n 's/^  [a-z]* \(RSB[0-9]*\) .*/\1/p' out | tr '\n' ' ')
	[ "$found" = "$rules " ] || fail "check $*: found $found, expected $rules"
	tr -s ' \n' ' ' <out | grep -qF -- "$misses" || fail "check $*: expected $misses"
}

# A balanced function, and the return stack is emptied in it: its own return and the 8 callers'
# miss.
cat >cleared.json <<'LAYOUT'
{ "name": "cleared", "generate": { "family": "plain-call" },
  "environment": { "interrupt": [ { "at": "target", "does": "clear" } ] } }
LAYOUT
finds RSB003 '1 inside, 8 in callers' ./cleared.json

# Below 40 callers 41 calls are open; 16 fit.
finds RSB004 '0 inside, 25 in callers' plain-call --depth 40

# The layout has no part in that, and no way out is in it: its callers alone fill the stack.
tr -s ' \n' ' ' <out | grep -q 'way out: none in the layout: its callers alone fill' ||
	fail 'the callers alone fill the return stack'

# Where calls near the newest entry make none, the outermost alone has one. The function's return
# takes it, to the wrong place, and the 3 callers find the stack empty: the first call that this is
# about is the innermost of theirs.
set -- plain-call --depth 3 --set spacing=4096
call='for the return of `call caller_3` at caller_2+0x1'
finds 'RSB001 RSB005' "had no entry left, $call (misses a call: 0 inside, 3 in callers)" "$@" \
	--model checked
# A ring does not know that it is empty: the entry comes back, which is right for the outermost
# only.
finds 'RSB001 RSB005' "used before, $call (misses a call: 0 inside, 2 in callers)" "$@" --model ring

# lea rax, [1f]; jmp rax; 1: ret: there is no endbr64.
cat >jump.json <<'LAYOUT'
{ "name": "jump", "call": "0x401000", "ibt": true,
  "bytes": { "base": "0x401000", "hex": "48 8d 05 02 00 00 00 ff e0 c3" } }
LAYOUT
finds RSB007 '`jmp rax` at 0x401007 lands on no endbr64' ./jump.json

# What the author states is not so.
cat >stated.json <<'LAYOUT'
{ "name": "stated", "generate": { "family": "plain-call" }, "expect": { "balance_layout": 1 } }
LAYOUT
finds RSB009 'the layout expects balance_layout 1, a run gives 0' ./stated.json
