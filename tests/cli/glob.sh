# SPDX-License-Identifier: GPL-2.0-or-later
#
# Patterns stand for the built-in names that match, and nothing is scored twice.

set -eu
layouts()
{
	"$RSBSIM" score "$@" --scenario unwind --format csv | sed -n '1!s/,.*//p' | LC_ALL=C sort
}

[ "$(layouts 'bpf-fexit-*')" = 'bpf-fexit-double-ret
bpf-fexit-jmp
bpf-fexit-skip' ]
[ "$(layouts bpf-fexit-jmp 'bpf-f?xit-jmp' plain-call)" = 'bpf-fexit-jmp
plain-call' ]

# The same for CPUs, with commas; a star is every one of them (all-cpus.sh: all).
cpus()
{
	"$RSBSIM" score plain-call --scenario unwind --format csv --cpu "$1" | sed '1d' |
		cut -d, -f2
}

[ "$(cpus 'amd-zen[24],ideal,amd-zen2')" = 'amd-zen2
amd-zen4
ideal' ]
[ "$(cpus "*" | wc -l)" = "$(ls "$srcdir"/models/cpus/*.json | wc -l)" ]
