# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every importer, on files of each documented form that tests/import/make-samples.py makes: calls,
# returns and misses are those that tests/import/count.py counts by itself. Then files that are
# wrong.

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
	"$RSBSIM" trace replay "$1" --cpu intel-skylake --set depth=$depth,underflow=none -f json \
		>"$dir/checked.json"
	python3 - "$dir/ideal.json" "$dir/checked.json" <<'PYTHON'
import json, sys
ideal, checked = (json.load(open(path)) for path in sys.argv[1:])
one, two = ideal["results"][0], checked["results"][0]
reported = one["hardware"]["misses"] if one["hardware"] else 0
print(ideal["trace"]["calls"], one["returns"], one["unjudged"], one["misses"], two["misses"], reported)
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

# A wrong file is refused by one line that names it, and leaves no trace behind.
refuse()
{
	status=0
	"$RSBSIM" trace import --from "$1" "$2" -o "$dir/none.rsbt" 2>"$dir/message" || status=$?
	[ $status -eq 2 ] && [ "$(wc -l <"$dir/message")" -eq 1 ] && [ ! -e "$dir/none.rsbt" ] &&
		grep -q "$2" "$dir/message" || {
		echo "$1 $2: status $status"
		cat "$dir/message"
		exit 1
	}
}

: >"$dir/empty"
python3 -c 'import random, sys
sys.stdout.buffer.write(random.Random(7).randbytes(100000))' >"$dir/random"
for format in champsim champsim-cloudsuite cbp cvp drmemtrace perf; do
	refuse $format "$dir/empty"
	refuse $format "$dir/random"
	refuse $format "$dir/missing"
done

# Cut short inside a record; where it is compressed, by as much as that loses the end.
cut()
{
	size=$(wc -c <"$dir/samples/$2")
	head -c $((size - $3)) "$dir/samples/$2" >"$dir/cut-$2"
	refuse "$1" "$dir/cut-$2"
}
cut champsim champsim.xz 500
cut champsim-cloudsuite champsim-cloudsuite 1
cut cbp cbp.gz 100
cut cvp cvp 1
cut drmemtrace drmemtrace-1.gz 100
cut drmemtrace drmemtrace-2 7
cut drmemtrace drmemtrace-7.zip 1500
cut perf perf-brstack 12

# The message of a record says which, and where it begins.
refuse drmemtrace "$dir/cut-drmemtrace-2"
size=$(wc -c <"$dir/samples/drmemtrace-2")
grep -q "byte $((size - 12)): record $((size / 12)): the file ends in it: expected 7 bytes more$" \
	"$dir/message"

# What is wrong from its start on leaves nothing in a pipe.
for format in cbp champsim cvp drmemtrace perf text; do
	status=0
	echo wrong | "$RSBSIM" trace import --from "$format" - >"$dir/out" 2>"$dir/message" ||
		status=$?
	[ $status -eq 2 ] && [ ! -s "$dir/out" ] || {
		echo "$format: status $status, $(wc -c <"$dir/out") bytes"
		exit 1
	}
done

# From a pipe, as perf script gives it.
"$RSBSIM" trace import --from perf - <"$dir/samples/perf-pt" | "$RSBSIM" trace info - >"$dir/info"
grep -q 'perf standard input' "$dir/info"
