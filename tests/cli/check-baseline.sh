# SPDX-License-Identifier: GPL-2.0-or-later
#
# Baselines: they outlive a move of the code, and what is added is one new finding.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail()
{
	echo "$*"
	cat out err
	exit 1
}

status()
{
	want=$1
	shift
	got=0
	"$RSBSIM" check "$@" >out 2>err || got=$?
	[ "$got" = "$want" ] || fail "check $*: status $got, expected $want"
}

# Four bytes, the lowest first.
little()
{
	printf '%08x' "$1" | sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/'
}

# code BASE PAD ADDED: a layout at BASE. A call over a ret and PAD nops to a store of an address
# over the return address, and a ret to it; there a call over a ret to `add rsp, 8`, the bytes
# ADDED, and a ret. So a displacement, an immediate and every address depend on BASE and PAD.
code()
{
	nops=$(printf "%$2s" '' | sed 's/ /90/g')
	store="c70424$(little $(($1 + 6 + $2 + 8)))"
	printf '{ "name": "moved", "call": "%s", "bytes": { "base": "%s", "hex": "%s" } }\n' "$1" \
		"$1" "e8$(little $((1 + $2)))c3$nops${store}c3e8$(little 1)c34883c408$3c3"
}

code 0x401000 0 '' >here.json
code 0x733000 200 '' >there.json

# The store misses inside; the drop is the imbalance.
status 1 ./here.json
grep -q 'warning RSB001' out || fail 'the store'
grep -q 'error RSB002' out || fail 'the drop'

status 0 ./here.json --baseline base.json --update-baseline
[ "$(grep -c fingerprint base.json)" = 2 ] || fail 'one entry a fingerprint'
grep -q '0x' base.json && fail 'an address in the baseline'
# rsbsim-check(1): which version of the form it is, and what wrote it.
grep -q '"schema":[[:blank:]]*1\b' base.json && grep -q '"tool":[[:blank:]]*"rsbsim ' base.json ||
	fail 'schema and tool'
status 0 ./here.json --baseline base.json
grep -q '2 accepted' out || fail 'unchanged'

# Other addresses, other displacements: the same findings.
status 0 ./there.json --baseline base.json
[ "$(grep -c ' accepted (in the baseline) RSB' out)" = 2 ] || fail 'they are found again'
grep -q 'at 0x7330' out || fail 'at the new place'

# One more call whose frame is dropped, by the same bytes: exactly one new finding.
code 0x733000 200 e801000000c34883c408 >added.json
status 1 ./added.json --baseline base.json
[ "$(grep -c 'error RSB\|warning RSB' out)" = 1 ] || fail 'one new finding'
[ "$(grep -c ' accepted (in the baseline) RSB' out)" = 2 ] || fail 'the two old ones'

# By other bytes (lea rsp, [rsp + 8]) too.
code 0x733000 200 e801000000c3488d642408 >added.json
status 1 ./added.json --baseline base.json
[ "$(grep -c 'error RSB\|warning RSB' out)" = 1 ] || fail 'one new finding, of other bytes'

# What is repaired is absent: a note. Other layouts and other CPUs are not what was checked.
sed 's/4883c408/90909090/' here.json >less.json
status 0 ./less.json --baseline base.json
grep -q '^absent: RSB002 of moved on intel-haswell; ' out || fail 'absent'
status 0 plain-call --baseline base.json
grep -q '^absent' out && fail 'another layout'

# Reasons and dates are kept by an update, and written in the order of the alphabet.
sed 's/"reason":\t""/"expires": "2027-06-30", "reason": "until the loader is new"/' base.json \
	>b2.json
status 0 ./there.json --baseline b2.json --update-baseline --today 2027-01-01
[ "$(grep -c 'until the loader is new' b2.json)" = 2 ] || fail 'the reason is lost'
[ "$(grep -c '2027-06-30' b2.json)" = 2 ] || fail 'the date is lost'
tr -d '\t "' <b2.json | sed -n 's/:.*//p' | sed -n '2,12p' | LC_ALL=C sort -c ||
	fail 'the order of keys'
status 0 ./there.json --baseline b2.json --today 2027-06-30
grep -q 'until the loader is new' out || fail 'the reason is not shown'

# Behind its day an entry accepts nothing any more; the day may come from the environment.
status 1 ./there.json --baseline b2.json --today 2027-07-01
grep -q 'the baseline accepted it until 2027-06-30' out || fail 'expired'
SOURCE_DATE_EPOCH=1814400000 # 2027-07-01
export SOURCE_DATE_EPOCH
status 1 ./there.json --baseline b2.json
SOURCE_DATE_EPOCH=1811808000 # 2027-06-01
status 0 ./there.json --baseline b2.json
SOURCE_DATE_EPOCH=soon
status 2 ./there.json --baseline b2.json
grep -q "SOURCE_DATE_EPOCH: expected seconds since 1970, got 'soon'" err || fail 'an epoch'
SOURCE_DATE_EPOCH=1811808000

# Of another version of the CPU's profile: told apart, and no failure.
sed 's/"profile":\t"[^"]*"/"profile": "0"/' base.json >old.json
status 0 ./here.json --baseline old.json
[ "$(grep -c ' accepted (in the baseline, of another profile) RSB' out)" = 2 ] ||
	fail 'profile changed'
sed 's/"version": 1,/"version": 2,/' "$srcdir/models/cpus/intel-haswell.json" >haswell.json
grep -q '"version": 2,' haswell.json || fail 'the moved profile'
status 0 ./here.json --baseline base.json --cpu ./haswell.json
[ "$(grep -c ' accepted (in the baseline, of another profile) RSB' out)" = 2 ] ||
	fail 'the profile moved, the baseline did not'
grep -q '^absent' out && fail 'what another profile finds is not absent'

# A run with trouble keeps the entries that it could not judge.
cp base.json kept.json
status 2 ./none.json --baseline kept.json --update-baseline
cmp base.json kept.json || fail 'entries were lost'

# Two updates write the same bytes.
cp base.json again.json
status 0 ./here.json --baseline again.json --update-baseline
cmp base.json again.json || fail 'not the same'

# Bad files: the place, and what was expected.
bad()
{
	printf '%s' "$1" >bad.json
	status 2 ./here.json --baseline bad.json
	grep -qF "$2" err || fail "bad.json: $1: expected $2"
}
bad '{' 'bad.json:1'
bad '{ "schema": 2, "entries": [] }' 'bad.json:1: "schema": expected'
bad '{ "entries": [ 1 ] }' 'expected an object'
bad '{ "entries": [ { "fingerprint": "12" } ] }' 'expected 16 hexadecimal digits'
bad '{ "entries": [ { "fingerprint": "0123456789abcdef", "expires": "soon" } ] }' \
	'expected a date as 2027-01-31'
bad '{ "entries": [ { "fingerprint": "0123456789abcdef", "expires": "2027-02-29" } ] }' \
	'expected a date as 2027-01-31'
bad '{ "entires": [] }' 'entries'
status 2 ./here.json --baseline none.json
grep -q -- "no file 'none.json': --update-baseline" err || fail 'how to make a baseline'
status 2 ./here.json --update-baseline
grep -q -- '--update-baseline: expected --baseline too' err || fail 'an update of nothing'
