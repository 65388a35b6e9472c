# SPDX-License-Identifier: GPL-2.0-or-later
#
# A capture of a kernel's memory gives the figures that the memory gives, and a capture of a capture
# is the same, byte for byte. The memory is that of the captures kept beside the source tree, which
# hold the pages of system calls too.

set -eu
captures=${RSB_SHARED:-$srcdir/../shared}/captures
[ -d "$captures" ] || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

# The captures' README, "programs attached".
calls='--call __x64_sys_getpgid --call __x64_sys_getsid --call __x64_sys_getpriority
--call __x64_sys_sched_getscheduler --call security_task_getsid --call security_task_getpgid'

kernels='6.12-srso 7.2-off'
[ -n "$RSB_SANITIZED" ] || kernels='6.1-off 6.12-off 6.12-calldepth 6.12-srso 7.2-off'
for name in $kernels; do
	core=$captures/linux-$name.core
	# shellcheck disable=SC2086
	"$RSBSIM" capture --core "$core" --symbols "${core%.core}.kallsyms" $calls -o "$dir/$name"
	# shellcheck disable=SC2086
	"$RSBSIM" capture --core "$dir/$name.core" --symbols "$dir/$name.kallsyms" $calls \
		-o "$dir/again"
	cmp "$dir/$name.core" "$dir/again.core" &&
		cmp "$dir/$name.kallsyms" "$dir/again.kallsyms" ||
		fail "$name: a capture of a capture differs"

	# Its pages are some of those that were there, for a system call needs more of them.
	small=$(wc -c <"$dir/$name.core")
	large=$(wc -c <"$core")
	[ "$small" -lt "$large" ] && [ "$small" -gt 100000 ] || fail "$name: $small bytes of $large"
	grep -v ' rsb_captured\.' "$dir/$name.kallsyms" >"$dir/symbols"
	[ -z "$(sort "${core%.core}.kallsyms" "$dir/symbols" | uniq -u |
		sort - "$dir/symbols" | uniq -d)" ] || fail "$name: symbols from nowhere"

	# All but the addresses of the callers, which are put where there is room.
	"$RSBSIM" score "$core" --scenario unwind --format csv >"$dir/whole"
	"$RSBSIM" score "$dir/$name.core" --scenario unwind --format csv >"$dir/captured"
	cmp "$dir/whole" "$dir/captured" || fail "$name: other figures"
done

# One function alone, by options, at the README's figures: 17 calls, 16 returns, one miss inside.
"$RSBSIM" capture --core "$captures/linux-6.12-off.core" \
	--symbols "$captures/linux-6.12-off.kallsyms" --call __x64_sys_getsid -o "$dir/one"
"$RSBSIM" score --core "$dir/one.core" --symbols "$dir/one.kallsyms" --call __x64_sys_getsid \
	--set-reg rdi=scratch --scenario unwind --format json >"$dir/score"
tr -d ' \n\t' <"$dir/score" | grep -q '"calls":17,"returns":16,' || fail 'one function: calls, returns'

# The capture stands for that function, although another one that is traced, getpgid, begins on its
# pages; and for no other one if a capture of it is taken, here of one that is not traced.
grep -q ' __x64_sys_getpgid$' "$dir/one.kallsyms" || fail 'getpgid is not on these pages'
"$RSBSIM" score "$dir/one.core" --scenario unwind --cpu amd-zen4 --format csv >"$dir/score"
[ "$(cut -d , -f 1 "$dir/score" | tail -n +2)" = __x64_sys_getsid ] || fail "$(cat "$dir/score")"
cut -d , -f 12,13 "$dir/score" | grep -q '^17,16$' || fail "calls, returns: $(cat "$dir/score")"
"$RSBSIM" show "$dir/one.core" >"$dir/out" || fail 'a capture of one function is not one layout'
"$RSBSIM" capture --core "$dir/one.core" --symbols "$dir/one.kallsyms" --call __x64_sys_getpid \
	-o "$dir/other"
"$RSBSIM" score "$dir/other.core" --scenario unwind --cpu amd-zen4 --format csv >"$dir/score"
[ "$(cut -d , -f 1 "$dir/score" | tail -n +2)" = __x64_sys_getpid ] || fail "$(cat "$dir/score")"

# What takes one layout says which functions of a capture there are to choose from.
! "$RSBSIM" show "$captures/linux-6.12-off.core" >"$dir/out" 2>"$dir/err" || fail 'six at once'
grep -q 'has 6 functions: expected one of them, such as --core .* --call __x64_sys_get' "$dir/err" ||
	fail "$(cat "$dir/err")"

# Functions that were not captured are not there.
! "$RSBSIM" score --core "$dir/one.core" --symbols "$dir/one.kallsyms" \
	--call __x64_sys_getpriority --set-reg rdi=scratch >/dev/null 2>"$dir/err" ||
	fail 'a function that was not captured'

# What is refused, and that nothing is left behind.
refuse()
{
	wanted=$1
	shift
	status=0
	"$RSBSIM" capture "$@" >"$dir/out" 2>"$dir/err" || status=$?
	[ "$status" = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/err")" = 1 ] ||
		fail "$*: status $status, $(cat "$dir/err")"
	grep -q -e "$wanted" "$dir/err" || fail "$*: $(cat "$dir/err")"
	[ -z "$(find "$dir" -name 'no*')" ] || fail "$*: left $(ls "$dir")"
}

core=$dir/one.core
symbols=$dir/one.kallsyms
refuse 'expected --core' --call f -o "$dir/no"
refuse 'expected --symbols' --core "$core" --call f -o "$dir/no"
refuse 'expected --call' --core "$core" --symbols "$symbols" -o "$dir/no"
refuse 'expected --output' --core "$core" --symbols "$symbols" --call __x64_sys_getsid
refuse "got 'f'" --core "$core" --symbols "$symbols" f -o "$dir/no"
refuse 'the nearest: __x64_sys_getsid' --core "$core" --symbols "$symbols" --call __x64_sys_getsit \
	-o "$dir/no"
refuse 'is read by this command' --core "$core" --symbols "$symbols" --call __x64_sys_getsid \
	--budget 10 -o "$dir/one"
refuse 'No such file' --core "$core" --symbols "$symbols" --call __x64_sys_getsid \
	-o "$dir/absent/no"
# Before the functions are run: those of this budget would be a message of their own.
refuse 'No such file' --core "$core" --symbols "$symbols" --call __x64_sys_getsid --budget 10 \
	-o "$dir/absent/no"
refuse "got '$dir/no.core': leave out .core" --core "$core" --symbols "$symbols" \
	--call __x64_sys_getsid --budget 10 -o "$dir/no.core"
mkdir "$dir/folder"
for prefix in . "$dir/folder" "$dir/folder/" /dev/null -; do
	refuse "expected P, for the files P.core and P.kallsyms, got '$prefix'" --core "$core" \
		--symbols "$symbols" --call __x64_sys_getsid --budget 10 -o "$prefix"
done
refuse 'expected --output' --core "$core" --symbols "$symbols" --call __x64_sys_getsid --budget 10 \
	-o ''
refuse 'the budget is 10 ' --core "$core" --symbols "$symbols" --call __x64_sys_getsid \
	--budget 10 -o "$dir/no"

# A capture that lacks a page, the last one, on which the trampolines are.
head -c -8192 "$core" >"$dir/short.core"
refuse 'is cut short' --core "$dir/short.core" --symbols "$symbols" --call __x64_sys_getsid \
	-o "$dir/no"

# Symbols as a kernel shows them to those that may not see addresses.
sed 's/^[0-9a-f]*/0000000000000000/' "$symbols" >"$dir/hidden"
refuse 'every address is 0: .*kptr_restrict' --core "$core" --symbols "$dir/hidden" \
	--call __x64_sys_getsid -o "$dir/no"

# One of two files that cannot be written: the other one is not there either.
mkdir "$dir/half.kallsyms"
status=0
"$RSBSIM" capture --core "$core" --symbols "$symbols" --call __x64_sys_getsid -o "$dir/half" \
	2>"$dir/err" || status=$?
[ "$status" = 2 ] && [ ! -e "$dir/half.core" ] || fail 'half of a capture'
[ -z "$(find "$dir" -name 'half.core*')" ] || fail 'temporary files are left'
