# SPDX-License-Identifier: GPL-2.0-or-later
#
# What changed between versions of Linux for a traced function, by the built-in layouts: ftrace's
# way to a BPF trampoline in 6.2 and 6.19, fprobes in 6.14, function graph in 5.18.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	cat "$dir/out"
	exit 1
}

# changed FROM TO STATUS: check --against finds a change for the worse (1), or none (0).
changed()
{
	got=0
	"$RSBSIM" check --against "$1" "$2" >"$dir/out" 2>&1 || got=$?
	[ "$got" = "$3" ] || fail "$1 to $2: status $got, expected $3"
}

# Commit 36b64f101219: for fentry it balances the stack, for fexit it takes the balance away.
changed ftrace-regs-fentry-6.1 ftrace-regs-fentry-6.2 0
changed ftrace-regs-fexit-6.1 ftrace-regs-fexit-6.2 1
changed livepatch-fexit-6.1 livepatch-fexit-6.2 1

# By jmp one miss is left; a jmp that needs no ftrace_regs_caller has none.
changed ftrace-regs-fexit-6.2 ftrace-regs-fexit-6.19 0
changed bpf-fexit-jmp ftrace-regs-fexit-6.19 1

# On the graph tracer an fprobe is balanced, a kretprobe is not; a call would do.
changed fprobe-rethook fprobe-graph 0
changed kretprobe kretprobe-dummy-call 0
changed ftrace-graph kretprobe 1

# The call at the site is accounted for twice, by ftrace_regs_caller and by the trampoline.
"$RSBSIM" check ftrace-regs-fentry-6.2 --return-thunk call-depth --cpu intel-skylake >"$dir/out" ||
	[ $? = 1 ]
grep -q 'accounted for as +1, the return stack is left at 0' "$dir/out" || fail 'accounted twice'
"$RSBSIM" check ftrace-caller ftrace-graph kretprobe-dummy-call --return-thunk call-depth \
	--cpu intel-skylake >"$dir/out" || fail 'accounted as it should be'

# All of them are compared at once, the best first.
"$RSBSIM" score 'ftrace-*' 'livepatch-*' -s unwind >"$dir/out" || fail 'a score of both'
[ "$(awk '$1 == "ftrace-caller" || $1 == "ftrace-regs-fentry-6.1" { printf $1 " " }' "$dir/out")" \
	= \
	'ftrace-caller ftrace-regs-fentry-6.1 ' ] || fail 'the order'
