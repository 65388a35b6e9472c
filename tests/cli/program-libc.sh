# SPDX-License-Identifier: GPL-2.0-or-later
#
# A program with a C library runs from its entry, and its calls and returns from main on are as many
# as gdb counts, which steps through the same file on this machine. (A library's figures are not the
# same in each of its versions, so they are counted again.) Its functions that are chosen when it
# starts are those for a processor without AVX here; gdb's process is told to choose so too.

set -eu
command -v gcc >/dev/null || exit 77
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long fib(long n);
static long (*volatile table[2])(long) = { fib, fib };

__attribute__((noinline)) long fib(long n)
{
	return n < 2 ? n : table[n & 1](n - 1) + table[0](n - 2);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
	char *text = malloc(300000);
	int numbers[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };

	memset(text, 'x', 100);
	text[100] = '\0';
	qsort(numbers, 8, sizeof(*numbers), compare);
	printf("%d %s %ld %zu %d\n", argc, argv[0] ? "yes" : "no", fib(8), strlen(text), numbers[7]);
	free(text);
	return 3;
}
END
gcc -O1 -static -o program program.c 2>log || {
	cat log
	exit 77 # the library's archive is not installed
}

# The named columns of the only row.
columns()
{
	names=$1
	shift
	"$RSBSIM" score "$@" --cpu amd-zen4 --rounds 1 --format csv | tr -d '\r' |
		awk -F, -v names="$names" '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = split(names, name, " ") }
		NR == 2 { for (i = 1; i <= n; i++) printf "%s%s", $c[name[i]], i < n ? " " : "\n" }'
}

# fib(8) is called 2 fib(9) - 1 times: 2 * 34 - 1.
got=$(columns 'calls returns balance' --elf program --entry _start --trace-call fib)
[ "$got" = '67 67 0' ] || fail "fib: $got"
"$RSBSIM" score --elf program --entry _start --trace-call main --cpu amd-zen4 --format csv >out
grep -q 'the program exited with status 3; 15 bytes that it wrote were thrown away' out ||
	fail "$(cat out)"

# From main and of main are the same calls, here and in a file that can lie anywhere.
main=$(columns 'calls returns balance' --elf program --entry main)
[ "$(columns 'calls returns balance' --elf program --entry _start --trace-call main)" = "$main" ] ||
	fail "the calls of main are not those from main on"
if gcc -O1 -static-pie -o pie program.c 2>log; then
	got=$(columns 'calls returns balance' --elf pie --entry main)
	[ "$got" = "$main" ] || fail "position-independent: $got; expected $main"
fi

command -v gdb >/dev/null || exit $bad
cat >count.py <<'END'
import gdb, os

gdb.execute("set pagination off")
gdb.execute("break *" + os.environ["FROM"])
gdb.execute("run >pipe")
inferior = gdb.selected_inferior()
architecture = gdb.selected_frame().architecture()
stack = int(gdb.parse_and_eval("$rsp"))
end = int.from_bytes(inferior.read_memory(stack, 8).tobytes(), "little")
calls = returns = 0
words = {}
while inferior.pid:
    pc = int(gdb.parse_and_eval("$pc"))
    if pc == end and int(gdb.parse_and_eval("$rsp")) == stack + 8:
        break
    if pc not in words:
        text = architecture.disassemble(pc)[0]["asm"].split()
        words[pc] = [w for w in text if w not in ("bnd", "notrack", "rep", "repz")][0]
    calls += words[pc].startswith("call")
    returns += words[pc].startswith("ret")
    gdb.execute("stepi", to_string=True)
print("counted", calls, returns)
END
# Standard output is a pipe, as it is for the library here.
mkfifo pipe
cat pipe >/dev/null &
counted=$(FROM=main GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-AVX512F_Usable,-AVX512VL_Usable,-ERMS,-AVX2,-AVX512F,-AVX512VL,-AVX \
	gdb -q -batch -x count.py ./program 2>log | sed -n 's/^counted //p')
kill $! 2>/dev/null || :

# gdb may not be let to trace anything, in a container.
[ "$counted" ] || {
	cat log
	exit 77
}

# main's own call comes before what gdb counts from.
[ "$((${counted% *} + 1)) ${counted#* } 0" = "$main" ] ||
	fail "gdb counts $counted; from main on are $main"

exit $bad
