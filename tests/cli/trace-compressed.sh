# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compressed input is read as it is, from a file or from a pipe, by whatever reads traces.

set -eu
sample=${srcdir:?}/traces/samples/threads
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$RSBSIM" trace dump "$sample.rsbt" >"$folder/expected"
tried=0
for tool in gzip xz zstd bzip2; do
	command -v "$tool" >/dev/null || continue
	"$tool" -c <"$sample.rsbt" >"$folder/trace"
	"$RSBSIM" trace dump "$folder/trace" | cmp - "$folder/expected"
	"$RSBSIM" trace dump - <"$folder/trace" | cmp - "$folder/expected"
	"$tool" -c <"$sample.txt" >"$folder/text"
	"$RSBSIM" trace import --from text "$folder/text" | "$RSBSIM" trace dump - |
		cmp - "$folder/expected"
	# Cut short, it is a trace that is cut short.
	head -c 200 "$folder/trace" >"$folder/cut"
	status=0
	"$RSBSIM" trace info "$folder/cut" >"$folder/out" 2>&1 || status=$?
	[ "$status" = 2 ]
	tried=$((tried + 1))
done

# A zip file holds one trace, or one text.
if command -v python3 >"$folder/out"; then
	for kind in rsbt txt; do
		python3 -m zipfile -c "$folder/$kind.zip" "$sample.$kind"
	done
	"$RSBSIM" trace dump "$folder/rsbt.zip" | cmp - "$folder/expected"
	"$RSBSIM" trace dump - <"$folder/rsbt.zip" | cmp - "$folder/expected"
	"$RSBSIM" trace import --from text "$folder/txt.zip" | "$RSBSIM" trace dump - |
		cmp - "$folder/expected"
	tried=$((tried + 1))
fi
[ "$tried" -gt 0 ] || exit 77
