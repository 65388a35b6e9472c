# SPDX-License-Identifier: GPL-2.0-or-later
#
# What trace dump writes, trace import reads; the file is then the same to the byte.

set -eu
samples=${srcdir:?}/traces/samples
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for layout in bpf-fexit-skip livepatch-ftrace; do
	"$RSBSIM" trace record "$layout" --scenario bench --rounds 500 -o "$folder/first.rsbt"
	"$RSBSIM" trace dump "$folder/first.rsbt" >"$folder/text"
	"$RSBSIM" trace import --from text "$folder/text" -o "$folder/second.rsbt"
	cmp "$folder/first.rsbt" "$folder/second.rsbt"
done

# A part: the numbers of the events are those of the whole.
"$RSBSIM" trace dump "$folder/first.rsbt" --first 1000 --count 3 -o "$folder/part"
grep '>' "$folder/text" | sed -n '1001,1003p' >"$folder/expected"
grep '>' "$folder/part" | cmp - "$folder/expected"

# One of a thing is not told as several.
printf 'rsbsim-trace 1\nabout arch x86_64\ncall 0x1000+5 -> 0x2000\nreturn 0x2000+1 -> 0x1005\n' \
	>"$folder/one"
"$RSBSIM" trace import --from text "$folder/one" -o "$folder/one.rsbt"
"$RSBSIM" trace replay "$folder/one.rsbt" | grep ': 2 events, 1 call, 1 return$' >"$folder/line"

# The samples are what their script makes. Compared as text: zstd may pack them otherwise.
mkdir "$folder/samples"
"${SHELL:-sh}" "$samples/make-samples.sh" "$folder/samples"
for sample in "$samples"/*.rsbt; do
	"$RSBSIM" trace dump "$sample" >"$folder/old"
	"$RSBSIM" trace dump "$folder/samples/${sample##*/}" >"$folder/new"
	cmp "$folder/old" "$folder/new"
done
cmp "$samples/threads.txt" "$folder/samples/threads.txt"
