# SPDX-License-Identifier: GPL-2.0-or-later
#
# The example of a model outside the tree, built as the manual says and scored with. It knows where
# each place returned to last: in a loop the landing is known and each caller has its own return, so
# that nothing misses; with one return for all, each return misses that comes after another.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
command -v "${CC:-cc}" >/dev/null || exit 77

"${CC:-cc}" -shared -fPIC -I"$srcdir" -o "$dir/mine.so" \
	"$srcdir/doc/examples/last_target.c"

# run NAME=VALUE...: the name in the table, misses inside and in callers, below 8 in a loop of 100.
run()
{
	"$RSBSIM" score plain-call -s bench --model "$dir/mine.so" "$@" -f csv | tr -d '\r' |
		awk -F, '
			NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
			{ print $column["cpu"], $column["misses_inside"], $column["misses_callers"] }'
}

check()
{
	if [ "$1" != "$2" ]; then
		echo "expected '$1', got '$2'"
		exit 1
	fi
}

# A table in which the nine places do not share entries.
large=entries=65536
check 'mine.so 0 0' "$(run --set $large)"
check 'mine.so 0.01 0.08' "$(run --set $large --return-thunk rethunk)"

# Beside a CPU, and with a setting; a table of 1 entry knows the last return alone.
check 'intel-haswell 0 0
mine.so 0.01 0.08' "$(run --cpu intel-haswell --return-thunk rethunk)"
check 'mine.so 0.01 0.08' "$(run --set entries=1)"

# refuse PART OPTION...: a message with that part, and nothing else.
refuse()
{
	part=$1
	shift
	status=0
	"$RSBSIM" score plain-call "$@" >"$dir/out" 2>"$dir/err" || status=$?
	if [ $status != 2 ] || [ -s "$dir/out" ] || ! grep -qF -- "$part" "$dir/err"; then
		echo "$*: status $status, expected 2 and: $part"
		cat "$dir/out" "$dir/err"
		exit 1
	fi
}

refuse 'mine.so: model last-target: entries must be a power of two' --model "$dir/mine.so" \
	--set entries=3
refuse "mine.so: unknown parameter 'entrys': expected entries" \
	--model "$dir/mine.so" --set entrys=3
refuse 'none.so' --model "$dir/none.so"
refuse "unknown model 'rinng': expected ring" --model rinng

# It is stepped through as well: it shows no slots, and a copy that is asked says where the next
# return last went, which is all that there is to say. One of version 1 of the interface, without
# the row for slots, is too.
step()
{
	"$RSBSIM" step plain-call --depth 2 --model "$1" --set $large --script 'g1 n n n n'
}
step "$dir/mine.so" | grep '^HIT: as predicted$' >/dev/null
step "$dir/mine.so" | grep ' RSB: 1 ' >/dev/null
sed 's/\.version = RSB_MODEL_VERSION/.version = 1/' "$srcdir/doc/examples/last_target.c" \
	>"$dir/older.c"
"${CC:-cc}" -shared -fPIC -I"$srcdir" -o "$dir/older.so" "$dir/older.c"
check "$(step "$dir/mine.so" | tail -n +2)" "$(step "$dir/older.so" | tail -n +2)"

# Its parameters are listed as a built-in model's are.
"$RSBSIM" list models "$dir/mine.so" | grep '^entries ' >/dev/null
"$RSBSIM" list models "$dir/mine.so" --format json | grep '"entries"' >/dev/null

# One that was built against another version of the interface.
sed 's/\.version = RSB_MODEL_VERSION/.version = RSB_MODEL_VERSION + 1/' \
	"$srcdir/doc/examples/last_target.c" >"$dir/other.c"
"${CC:-cc}" -shared -fPIC -I"$srcdir" -o "$dir/other.so" "$dir/other.c"
refuse 'version 3 of the model interface' --model "$dir/other.so"

# A plug-in that is cut short is refused; the loader would map what is not there and die.
head -c 3000 "$dir/mine.so" >"$dir/cut.so"
status=0
message=$("$RSBSIM" score plain-call --model "$dir/cut.so" 2>&1) || status=$?
check 2 "$status"
case $message in
*'cut.so: the file is cut short: 3000 of '*) ;;
*)
	echo "$message"
	exit 1
	;;
esac
