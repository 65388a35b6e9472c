# SPDX-License-Identifier: GPL-2.0-or-later
#
# Parts of a sweep, merged, are the sweep; parts that are not all of one sweep are refused.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

sweep()
{
	"$RSBSIM" sweep bpf-fexit-skip --set depth=1..11 --set underflow=none,stale \
		--cpu intel-haswell,amd-zen4 "$@"
}

# refuse MESSAGE PART...: status 2, one line with that message, no output.
refuse()
{
	message=$1
	shift
	status=0
	"$RSBSIM" merge "$@" >"$dir/out" 2>"$dir/err" || status=$?
	[ $status = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
		grep -qF -- "$message" "$dir/err" ||
		fail "merge $*: status $status, $(cat "$dir/err")"
}

for shards in 1 3; do
	rm -f "$dir"/part-*
	for k in $(seq $shards); do
		sweep --shard "$k/$shards" -o "$dir/part-$k"
	done
	for format in text json csv markdown; do
		sweep -f $format >"$dir/whole"
		"$RSBSIM" merge "$dir"/part-* -f $format | cmp - "$dir/whole" ||
			fail "$shards shards as $format"
	done
done

# More shards than there are rows.
for k in 1 2 3 4 5; do
	"$RSBSIM" sweep plain-call -s bench --set depth=7,8 --shard $k/5 -o "$dir/few-$k"
done
"$RSBSIM" sweep plain-call -s bench --set depth=7,8 >"$dir/whole"
"$RSBSIM" merge "$dir"/few-* | cmp - "$dir/whole" || fail 'more shards than rows'

# A trace, its parts from copies in different folders.
"$RSBSIM" trace import --from text "$srcdir/traces/samples/threads.txt" -o "$dir/t.rsbt"
mkdir "$dir/other"
cp "$dir/t.rsbt" "$dir/other"
"$RSBSIM" sweep "$dir/t.rsbt" --set depth=1..9 --shard 1/2 -o "$dir/t1"
"$RSBSIM" sweep "$dir/other/t.rsbt" --set depth=1..9 --shard 2/2 -o "$dir/t2"
"$RSBSIM" sweep "$dir/t.rsbt" --set depth=1..9 -f json >"$dir/whole"
"$RSBSIM" merge "$dir/t2" "$dir/t1" -f json | cmp - "$dir/whole" || fail 'a trace'

rm -f "$dir"/part-*
for k in 1 2 3; do
	sweep --shard $k/3 -o "$dir/$k"
done
refuse 'expected the parts of a sweep'
refuse '2 of 3 parts missing: 1, 3' "$dir/2"
refuse 'are both part 1 of 3' "$dir/1" "$dir/2" "$dir/1" "$dir/3"
sweep --shard 2/4 -o "$dir/of4"
refuse 'is a part of another sweep than' "$dir/1" "$dir/of4" "$dir/3"

# Another layout, form, scenario, CPU, grid or order of values is another sweep.
other()
{
	"$RSBSIM" sweep "$@" --shard 2/3 -o "$dir/other.json"
	refuse 'is a part of another sweep than' "$dir/1" "$dir/other.json" "$dir/3"
}
set -- --set depth=1..11 --set underflow=none,stale
other bpf-fexit-jmp "$@" --cpu intel-haswell,amd-zen4
other bpf-fexit-skip "$@" --cpu intel-haswell,amd-zen4 --return-thunk rethunk
other bpf-fexit-skip "$@" --cpu intel-haswell,amd-zen4 --scenario bench
other bpf-fexit-skip "$@" --cpu intel-haswell,amd-zen3
other bpf-fexit-skip --set depth=1..11 --set underflow=stale,none --cpu intel-haswell,amd-zen4

# The same name, other values: a CPU file that was edited.
"$RSBSIM" sweep bpf-fexit-skip --set depth=1..4 --cpu "$srcdir/models/cpus/amd-zen4.json" \
	--shard 1/2 -o "$dir/c1"
sed 's/"model": "ring"/"model": "checked"/' "$srcdir/models/cpus/amd-zen4.json" \
	>"$dir/amd-zen4.json"
cmp -s "$srcdir/models/cpus/amd-zen4.json" "$dir/amd-zen4.json" && fail 'the CPU was not edited'
"$RSBSIM" sweep bpf-fexit-skip --set depth=1..4 --cpu "$dir/amd-zen4.json" --shard 2/2 -o "$dir/c2"
refuse 'is a part of another sweep than' "$dir/c1" "$dir/c2"

# A changed trace under the same name.
awk '/^return/ && !left++ { next } { print }' "$srcdir/traces/samples/threads.txt" >"$dir/less.txt"
"$RSBSIM" trace import --from text "$dir/less.txt" -o "$dir/other/t.rsbt"
"$RSBSIM" sweep "$dir/other/t.rsbt" --set depth=1..9 --shard 2/2 -o "$dir/t2"
refuse 'is a part of another sweep than' "$dir/t1" "$dir/t2"

# Another version; what is no part; what is damaged.
sed 's/"rsbsim":.*/"rsbsim": "0.0.1",/' "$dir/2" >"$dir/old"
refuse 'the part is of rsbsim 0.0.1' "$dir/1" "$dir/old" "$dir/3"
sweep -f json -o "$dir/report"
refuse 'expected a part of a sweep' "$dir/report"
echo '{ "rsbsim": 3 }' >"$dir/bad"
refuse 'rsbsim' "$dir/bad"
head -c 500 "$dir/1" >"$dir/short"
refuse "$dir/short" "$dir/short"
sed 's/^	"rows":.*/	"rows": []/; /^	"rows"/q' "$dir/1" >"$dir/rowless"
echo '}' >>"$dir/rowless"
refuse 'rows' "$dir/rowless"
refuse "$dir/none" "$dir/none"
