#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make-samples.sh FOLDER: writes the traces of this folder into another. $RSBSIM is the program;
# without it, the one that is installed.

set -eu

rsbsim=${RSBSIM:-rsbsim}
folder=$1

# A trampoline that leaves the stack off by one, and one that does not.
for layout in bpf-fexit-skip bpf-fexit-jmp; do
	"$rsbsim" trace record "$layout" --rounds 4 -o "$folder/$layout.rsbt"
done

# By hand: two threads, each with its own stack; a return that skips a frame, so that the one after
# it misses; verdicts as the processor may give them; a gap, after which a return is not judged.
cat >"$folder/threads.txt" <<'END'
rsbsim-trace 1
about arch x86_64
about source traces/samples/make-samples.sh
thread 1
call 0x401000+5 -> 0x401100 hit ; main
call 0x401104+5 -> 0x401200 hit ; f+0x4
call 0x401204+5 -> 0x401300 hit ; g+0x4
thread 2
call 0x402000+5 -> 0x401300 hit ; worker
return 0x401310+1 -> 0x402005 hit ; h+0x10
instructions 40
thread 1
return 0x401310+1 -> 0x401209 hit ; h+0x10
return 0x401214+1 -> 0x401005 miss ; g+0x14
mark:gap 0x0 -> 0x0
return 0x401110+1 -> 0x401005 hit ; f+0x10
call 0x401005+5 -> 0x401100 hit ; main+0x5
return 0x401110+1 -> 0x40100a hit ; f+0x10
instructions 90
END
"$rsbsim" trace import --from text "$folder/threads.txt" -o "$folder/threads.rsbt"
