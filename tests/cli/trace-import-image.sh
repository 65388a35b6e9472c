# SPDX-License-Identifier: GPL-2.0-or-later
#
# Branches without a type, as perf prints them before 6.1, are told apart by the code of --image.
# The program has one branch of each kind; what a trace has of it is written by hand, with the
# addresses that nm says. An indirect jump may go anywhere, so that what it is hangs on its code
# alone.

set -eu
command -v gcc >/dev/null && command -v nm >/dev/null && [ "$(uname -m)" = x86_64 ] || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cat >"$dir/program.s" <<'ASM'
	.globl	_start
_start:
a:	call	f
b:	jmp	*%rax
f:	je	c
	nop
c:	ret
	.section .note.GNU-stack,"",@progbits
ASM
gcc -nostdlib -no-pie -o "$dir/fixed" "$dir/program.s" 2>/dev/null || exit 77
gcc -nostdlib -pie -o "$dir/pie" "$dir/program.s" 2>/dev/null || exit 77

# The address of a symbol in a file, and how much is added to it.
at()
{
	printf '0x%x' $((0x$(nm "$1" | sed -n "s/ [tT] $2\$//p") + $3))
}

# One sample, the newest branch first: the call of f, je, ret to behind the call, the jump to f. And
# a branch of a library, of which no file is given.
sample()
{
	a=$(at "$1" a "$2") b=$(at "$1" b "$2") f=$(at "$1" f "$2") c=$(at "$1" c "$2")
	echo "program 7/7 [000] 1.0: "
	echo " 0x7f0000001000/$b/P/-/-/1 $b/$f/P/-/-/1 $c/$b/M/-/-/2 $f/$c/P/-/-/3 $a/$f/P/-/-/4 "
}

# The events after the gap, without their places; then the note of branches that are not known.
import()
{
	"$RSBSIM" trace import --from perf "$@" -o "$dir/t.rsbt"
	"$RSBSIM" trace dump "$dir/t.rsbt" >"$dir/dump"
	sed -n 's/.* \([0-9]* of [0-9]* branches could not be classified\).*/\1/p' "$dir/dump"
	sed -n 's/^\(call\|indirect-jump\|return\|taken-branch\) .*/\1/p' "$dir/dump" | tr '\n' ' '
}

expect()
{
	[ "$2" = "$3" ] || {
		printf '%s: expected\n%s\nfound\n%s\n' "$1" "$3" "$2"
		cat "$dir/dump"
		exit 1
	}
}

note()
{
	grep -q "$1" "$dir/dump" || {
		echo "expected: $1"
		cat "$dir/dump"
		exit 1
	}
}

# All five are of no type. The call and the return fit, but nothing proves that they are.
sample "$dir/fixed" 0 >"$dir/fixed.txt"
expect 'no image' "$(import "$dir/fixed.txt")" '5 of 5 branches could not be classified'
note 'classified; --image FILE would'

# Four are of the program; the one of the library stays.
known='1 of 5 branches could not be classified
call taken-branch return indirect-jump '
expect 'an executable' "$(import --image "$dir/fixed" "$dir/fixed.txt")" "$known"
note 'in no --image'

# Where a program can be loaded anywhere, the address says where it was; without, it is at those of
# the file, where nothing of this trace is.
base=0x555555554000
sample "$dir/pie" $base >"$dir/pie.txt"
expect 'an address' "$(import --image "$dir/pie@$base" "$dir/pie.txt")" "$known"
expect 'no address' "$(import --image "$dir/pie" "$dir/pie.txt")" \
	'5 of 5 branches could not be classified'

# A page too high, where no code is: none is believed.
expect 'another address' "$(import --image "$dir/pie@0x555555555000" "$dir/pie.txt")" \
	'5 of 5 branches could not be classified'

# Each file knows its own branches, of samples of both programs.
cat "$dir/fixed.txt" "$dir/pie.txt" >"$dir/both.txt"
expect 'two files' "$(import --image "$dir/fixed" --image "$dir/pie@$base" "$dir/both.txt")" \
	'2 of 10 branches could not be classified
call taken-branch return indirect-jump call taken-branch return indirect-jump '

# What is refused is named, and no trace is left.
refuse()
{
	rm -f "$dir/t.rsbt"
	status=0
	"$RSBSIM" trace import --from perf --image "$1" "$dir/fixed.txt" -o "$dir/t.rsbt" \
		2>"$dir/dump" || status=$?
	[ $status -eq 2 ] && [ ! -e "$dir/t.rsbt" ] || {
		echo "$1: status $status"
		exit 1
	}
	note "$2"
}

gcc -c -o "$dir/program.o" "$dir/program.s"
refuse "$dir/absent" "absent: cannot be opened"
refuse "$dir/program.o" "program.o: expected an executable or a shared object"
refuse "$dir/fixed.txt" "fixed.txt"
refuse "$dir/fixed@0x1000" "fixed: was linked for fixed addresses"
refuse "$dir/pie@0x123" "pie: base 0x123: expected a multiple of 4096"
