# SPDX-License-Identifier: GPL-2.0-or-later
#
# A capture is the same whether its core and its symbols are compressed or not; one that is damaged
# is refused with a message.

set -eu
shared=${RSB_SHARED:-$srcdir/../shared}
capture=$shared/captures/linux-6.12-off
[ -f "$capture.core" ] || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0

score()
{
	"$RSBSIM" score "$@" --cpu intel-haswell -s unwind --format csv
}

cp "$capture.core" "$dir/a.core"
cp "$capture.kallsyms" "$dir/a.kallsyms"
score "$dir/a.core" >"$dir/plain"
for pack in gzip xz zstd bzip2; do
	command -v $pack >/dev/null || continue
	case $pack in
	gzip) end=gz ;;
	zstd) end=zst ;;
	bzip2) end=bz2 ;;
	*) end=xz ;;
	esac
	$pack -c "$capture.core" >"$dir/$end.core.$end"
	$pack -c "$capture.kallsyms" >"$dir/$end.kallsyms.$end"
	score "$dir/$end.core.$end" >"$dir/packed"
	cmp "$dir/plain" "$dir/packed" || bad=1

	# Only one of the two, in a layout file.
	printf '{ "core": { "file": "%s.core.%s", "symbols": "a.kallsyms" }, "call": "__x64_sys_getsid",
		"registers": { "rdi": "scratch" } }' $end $end >"$dir/$end.json"
	score "$dir/$end.json" | grep -q "^$end,.*,17,16," || {
		echo "$end.json: $(score "$dir/$end.json")"
		bad=1
	}

	head -c 2000 "$dir/$end.core.$end" >"$dir/cut.core.$end"
	cp "$dir/a.kallsyms" "$dir/cut.kallsyms"
	status=0
	score "$dir/cut.core.$end" >"$dir/out" 2>"$dir/err" || status=$?
	if [ $status != 2 ] || [ -s "$dir/out" ] ||
		[ "$(grep -c "cut.core.$end" "$dir/err")" != 1 ] ||
		[ "$(wc -l <"$dir/err")" != 1 ]; then
		echo "cut.core.$end: status $status: $(cat "$dir/out" "$dir/err")"
		bad=1
	fi
done
exit $bad
