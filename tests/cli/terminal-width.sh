# SPDX-License-Identifier: GPL-2.0-or-later
#
# A terminal of 80 columns is kept to, and a wider one than 100 is used. Without one it is 100.

set -eu

script --version 2>/dev/null | grep -q util-linux || exit 77
command -v stty >/dev/null || exit 77

# longest COLUMNS [COMMAND]: the longest line of the list of layouts, whose sentences are wrapped,
# or of another command, on such a terminal.
longest()
{
	script -qec "stty cols $1; NO_COLOR=1 '$RSBSIM' ${2:-list layouts} 2>/dev/null" /dev/null \
		</dev/null | tr -d '\r' |
		LC_ALL=C.UTF-8 awk 'length > most { most = length } END { print most }'
}

for columns in 80 100 120; do
	got=$(longest $columns)
	if [ "$got" -gt $columns ] || [ "$got" -le $((columns - 20)) ]; then
		echo "on $columns columns: $got"
		exit 1
	fi
done
[ "$(longest 40)" -gt 60 ] || exit 1 # tables are not made for fewer than 80

# So is what each command prints: the longest names, the longest paths in sources, the tables with
# the most columns, the longest symbols. A line of code that is shown to be copied is as long as it
# is.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$RSBSIM" trace record syscall-pti-off -o "$dir/t.rsbt"
cat >"$dir/commands" <<END
--help
score --help
check --help
capture --help
trace import --help
list cpus
list cpus intel-tiger-lake
list cpus amd-zen2
list cpus amd-zen4
list cpus riscv-xiangshan-kunminghu
list models
list models ring
list layouts
list layouts livepatch-fexit-6.1
score 'bpf-*' --time
score 'syscall-*' --cpu intel-skylake
score 'syscall-*' 'bpf-f*' --cpu amd-zen3,intel-skylake --mitigations auto --time
score bpf-fexit-skip --cpu all --time
score 'bpf-fexit-*' --rounds 1000000
explain 'bpf-f*' --all
explain 'syscall-*' --all --cpu intel-skylake
check 'bpf-*' --cpu amd-zen4,intel-haswell
check 'syscall-*' --cpu amd-zen4 --mitigations auto
show syscall-pti-off
show bpf-38-fexit-skip --events
sweep bpf-fexit-skip livepatch-fexit-6.1 --set depth=1..4 --set underflow=none,stale --set overflow=refuse,overwrite-oldest
trace info $dir/t.rsbt
trace dump $dir/t.rsbt
trace replay $dir/t.rsbt --cpu all
lesson
lesson 1
lesson 10
END
kernel=${RSB_SHARED:-$srcdir/../shared}/captures/linux-6.12-off
[ ! -e "$kernel.core" ] || cat >>"$dir/commands" <<END
explain $kernel.core --all
check $kernel.core
score $kernel.core --cpu all
show --core $kernel.core --symbols $kernel.kallsyms --syscall 124
show --core $kernel.core --symbols $kernel.kallsyms --syscall 124 --events
END
while read -r command; do
	got=$(longest 80 "$command")
	if [ "$got" -gt 80 ] || [ "$got" -lt 20 ]; then
		echo "$command: $got columns"
		exit 1
	fi
done <"$dir/commands"
