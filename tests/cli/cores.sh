# SPDX-License-Identifier: GPL-2.0-or-later
#
# The core of a process, as gdb writes it: its functions run, with the program's file beside it for
# the symbols and for what the core leaves out; and what is said where neither has the code.

set -eu
command -v gcc >/dev/null && command -v gdb >/dev/null && command -v python3 >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
bad=0

fail()
{
	echo "$*"
	bad=1
}

cat >program.c <<'END'
#include <unistd.h>
__thread int counter = 3;
int changed = 1;
__attribute__((noinline)) int leaf(int x) { __asm__ volatile(""); return x + counter; }
__attribute__((noinline)) int stub(int x) { return leaf(x) + 1; }
/* Of the core's memory, not the file's: a call more for each that changed counts. */
__attribute__((noinline)) int repeat(void) { int x = 0; for (int i = 0; i < changed; i++) x += leaf(i); return x; }
int outside(void) { return (int)write(1, "", 0) + 1; }
int main(void) { changed = 7; if (stub(1)) pause(); return outside() + repeat(); }
END

# Without AVX the engine can run what resolves a function at its first call; here all are, at the
# start.
build()
{
	gcc -O1 -Wl,-z,now "$@" program.c
	gdb -q -batch -ex 'set confirm off' -ex 'break pause' -ex run -ex 'gcore core' ./program \
		>log 2>&1 || :
	[ -s core ] || {
		cat log
		exit 77 # gdb may not be let to trace anything, in a container
	}
}

# What the kernel writes by itself (ulimit -c), and gdb where it is told to: pages of code are in
# their files, and not in the core.
leave_out()
{
	python3 - "$1" "$2" <<'END'
import struct, sys
core = bytearray(open(sys.argv[1], "rb").read())
start, = struct.unpack_from("<Q", core, 32)
count, = struct.unpack_from("<H", core, 56)
for i in range(count):
    at = start + 56 * i
    kind, flags = struct.unpack_from("<II", core, at)
    address, = struct.unpack_from("<Q", core, at + 16)
    if kind == 1 and flags & 1 and address < 1 << 47:
        struct.pack_into("<Q", core, at + 32, 0)
open(sys.argv[2], "wb").write(core)
END
}

columns()
{
	"$RSBSIM" score "$@" --cpu amd-zen4 -s unwind --format csv | tr -d '\r' | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
		NR == 2 { print $c["calls"], $c["returns"], $c["misses_inside"] }'
}

expect()
{
	want=$1
	shift
	got=$(columns "$@") || fail "score $*: status $?"
	[ "$got" = "$want" ] || fail "score $*: $got; expected $want"
}

refuse()
{
	want=$1
	shift
	status=0
	"$RSBSIM" score "$@" >out 2>err || status=$?
	[ $status = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] ||
		fail "score $*: status $status"
	case $(cat err) in
	*"$want"*) ;;
	*) fail "score $*: $(cat err); expected $want" ;;
	esac
}

# Stub's own call and leaf's; of repeat seven and its own, because the process had changed the
# number, which is 1 in the file. Thread-local variables are at the thread's FS base. A program may
# lie anywhere, or not.
for form in -pie -no-pie; do
	rm -f core
	build $form -o program
	leave_out core lean
	for core in core lean; do
		expect '2 2 0' --core $core --symbols program --call stub
		expect '8 8 0' --core $core --symbols program --call repeat
	done
	refuse "expected --symbols, the core's, beside it, or an address, got 'stub'" --core lean \
		--call stub
done

# In the C library, whose code is neither in the core nor in the file that was given.
refuse 'which the core leaves out' --core lean --symbols program --call outside

# A file that the process did not have has no place in it.
cp program other
printf 'int stub(void) { return 1; }' | gcc -shared -fPIC -x c -o other.so -
refuse 'other.so: where it was in memory is not known' --core core --symbols other.so --call stub
gcc -O1 -Wl,-z,now -no-pie -Wl,-Ttext=0x500000 -o other program.c
refuse 'other: where it was in memory is not known' --core core --symbols other --call stub

# Compressed ones are read as they are.
for pack in gzip xz zstd bzip2; do
	command -v $pack >/dev/null || continue
	$pack -c core >packed
	expect '2 2 0' --core packed --symbols program --call stub
	head -c 1000 packed >cut
	refuse 'cut:' --core cut --symbols program --call stub
done

exit $bad
