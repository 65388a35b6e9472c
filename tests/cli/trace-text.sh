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

# The samples are what their script makes. Compared as text: zstd may pack them otherwise.
mkdir "$folder/samples"
"${SHELL:-sh}" "$samples/make-samples.sh" "$folder/samples"
for sample in "$samples"/*.rsbt; do
	"$RSBSIM" trace dump "$sample" >"$folder/old"
	"$RSBSIM" trace dump "$folder/samples/${sample##*/}" >"$folder/new"
	cmp "$folder/old" "$folder/new"
done
cmp "$samples/threads.txt" "$folder/samples/threads.txt"
