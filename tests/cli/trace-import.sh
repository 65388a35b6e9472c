# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every importer, on files of each documented form that tests/import/make-samples.py makes: calls,
# returns and misses are those that tests/import/count.py counts by itself. Then files that are wrong.

set -eu
command -v python3 >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

depth=6
python3 "$srcdir/tests/import/make-samples.py" "$dir/samples"

# What our replay says, in the words of count.py.
replay()
{
	"$RSBSIM" trace replay "$1" --cpu ideal -f json >"$dir/ideal.json"
	"$RSBSIM" trace replay "$1" --cpu intel-skylake --set depth=$depth,underflow=none -f json >"$dir/checked.json"
	python3 - "$dir/ideal.json" "$dir/checked.json" <<'PYTHON'
import json, sys
ideal, checked = (json.load(open(path)) for path in sys.argv[1:])
one, two = ideal["results"][0], checked["results"][0]
print(ideal["trace"]["calls"], one["returns"], one["unjudged"], one["misses"], two["misses"])
PYTHON
}

for path in "$dir"/samples/*; do
	name=${path##*/}
	format=${name%%.*}
	case $name in
	drmemtrace-*) format=drmemtrace ;;
	perf-*) format=perf ;;
	esac
	"$RSBSIM" trace import --from "$format" "$path" -o "$dir/one.rsbt"
	expected=$(python3 "$srcdir/tests/import/count.py" "$format" "$path" $depth)
	found=$(replay "$dir/one.rsbt")
	echo "$name: $found"
	[ "$found" = "$expected" ] || {
		echo "$name: expected $expected"
		exit 1
	}
done
