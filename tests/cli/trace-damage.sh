# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files that are cut short, damaged, empty or of something else: one line that says where and what,
# and exit status 2. What a file that is cut short still has is replayed.

set -eu
sample=${srcdir:?}/traces/samples/threads.rsbt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# refused MESSAGE COMMAND...: the message is a pattern.
refused() {
	message=$1
	shift
	status=0
	"$RSBSIM" "$@" >out 2>err || status=$?
	if [ "$status" != 2 ] || [ "$(wc -l <err)" != 1 ] || ! grep -q "$message" err; then
		echo "rsbsim $*: exit status $status, expected 2 and: $message"
		cat err
		exit 1
	fi
}

# Two chunks of events, and what a pipe that broke leaves of them.
"$RSBSIM" trace record bpf-fexit-skip --rounds 2000 --all -o long.rsbt
"$RSBSIM" trace dump long.rsbt | grep -v '^about' >long.txt
"$RSBSIM" trace import --from text long.txt -o long.rsbt
size=$(wc -c <long.rsbt)
head -c "$((size - 50))" long.rsbt >cut.rsbt
refused '^rsbsim trace replay: cut.rsbt: byte [0-9]*: the file is cut short; what came before is scored$' \
	trace replay cut.rsbt
grep -q '^intel-haswell' out
refused 'the file is cut short' trace info cut.rsbt
grep -q '^events  *[1-9]' out
refused 'the file is cut short' trace dump cut.rsbt
grep -q '^call' out

# A recorded layout: the rounds that are there.
"$RSBSIM" trace record bpf-fexit-skip --rounds 5000 -o run.rsbt
head -c "$(($(wc -c <run.rsbt) - 40))" run.rsbt >cut.rsbt
refused 'the file is cut short; what came before is scored' trace replay cut.rsbt
head -c 300 run.rsbt >cut.rsbt
refused 'the file is cut short$' trace replay cut.rsbt

# Damage behind the start shows in a checksum.
cp "$sample" damaged.rsbt
printf 'X' | dd of=damaged.rsbt bs=1 seek=150 conv=notrunc 2>/dev/null
refused 'byte [0-9]*: the chunk is damaged: its checksum is' trace replay damaged.rsbt

: >empty
refused 'empty: byte 0: the file is empty' trace info empty
refused 'first 8 bytes are others' trace replay "$RSBSIM"
printf '\211rsbt\r\n\032\001\002\003\004\000\000\000\001' >swapped
refused 'wrong byte order' trace dump swapped
{ head -c 16 "$sample"; printf 'EVNT\001\000\000\000\377\377\377\377\377\377\377\377'
	printf '\000\000\000\000'; } >huge
refused 'huge: byte 16: a chunk of 4294967295 bytes' trace info huge
refused "no-such-file: No such file" trace info no-such-file

# Text.
printf 'rsbsim-trace 1\ncal 0x1+5 -> 0x2\n' >t.txt
refused "t.txt:2: 'cal': expected call" trace import --from text t.txt -o t.rsbt
[ ! -e t.rsbt ] || { echo 'a file was left of an import that failed'; exit 1; }
refused 'expected .rsbsim-trace 1' trace import --from text "$sample" -o t.rsbt

# Usage.
refused "unknown command 'replai'" trace replai
refused 'expected a trace' trace replay
refused 'expected one trace' trace replay "$sample" "$sample"
refused 'expected --from' trace import t.txt
refused "unknown format 'txt'" trace import --from txt t.txt
refused "format 'csv'" trace replay "$sample" --format csv
refused 'has no rounds' trace replay "$sample" --rounds 5
refused 'expected a layout' trace record
