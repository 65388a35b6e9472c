# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples that are installed do what they say.

set -eu
examples=${srcdir:?}/doc/examples
builddir=$(dirname "$RSBSIM")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Skip-frame below eight callers: one miss inside, one for each caller. Linux 6.12 drops its frame
# so, arch/x86/net/bpf_jit_comp.c, BPF_TRAMP_F_SKIP_FRAME.
got=$("$builddir/doc/examples/misses" bpf-fexit-skip intel-haswell)
if [ "$got" != '1 inside, 8 in the callers' ]; then
	echo "misses: $got"
	exit 1
fi

# The one stub drops its return address, the other returns to it.
got=$("$RSBSIM" score --asm "$examples/stub.S" --call drops --call returns -s unwind --format csv |
	cut -d, -f1,15,18,19)
if [ "$got" != 'layout,balance,misses_inside,misses_callers
returns,0,0,0
drops,1,1,8' ]; then
	echo "stub.S: $got"
	exit 1
fi

# The layout's stub drops its own frame as well, so that each return after it finds the stack one
# entry off: 1 inside, and the eight callers.
"$RSBSIM" score "$examples/layout.json" --cpu "$examples/cpu.json" --scenario unwind \
	--format json >"$folder/out"
for figure in balance:1 misses_inside:1 misses_callers:8; do
	if ! tr -d ' \t"' <"$folder/out" | grep -q "^$figure,"; then
		echo "$figure was expected"
		cat "$folder/out"
		exit 1
	fi
done
