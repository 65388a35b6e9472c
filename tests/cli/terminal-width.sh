# SPDX-License-Identifier: GPL-2.0-or-later
#
# A terminal of 80 columns is kept to, and a wider one than 100 is used. Without one it is 100.

set -eu

script --version 2>/dev/null | grep -q util-linux || exit 77
command -v stty >/dev/null || exit 77

# longest COLUMNS [COMMAND]: the longest line of the list of layouts, whose sentences are wrapped, or
# of another command, on such a terminal.
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

# So is the list of CPUs, and what is told of one: the longest names, the longest paths in sources;
# and the tables with the most columns.
for command in 'list cpus' 'list cpus intel-tiger-lake' 'list cpus amd-zen2' 'list cpus amd-zen4' \
	'list cpus riscv-xiangshan-kunminghu' 'list models ring' "score 'bpf-*' --time" \
	"score 'syscall-*' --cpu intel-skylake"; do
	got=$(longest 80 "$command")
	if [ "$got" -gt 80 ]; then
		echo "$command: $got columns"
		exit 1
	fi
done
