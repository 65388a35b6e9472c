# SPDX-License-Identifier: GPL-2.0-or-later
#
# One run writes several formats at once, each in a file that is there whole or not at all, and the
# programs that read them do so.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail()
{
	echo "$*"
	exit 1
}

# A name with what XML, Markdown, YAML and workflow commands take for marks, and with what no format
# can hold: U+0001, and a byte that is not UTF-8.
sed 's/"name": "bpf-fexit-skip"/"name": "a<b>\&\\"c\\"|d%e::f,#g\\u0001"/' \
	"$srcdir/sim/layouts/bpf-fexit-skip.json" >odd.json
grep -q u0001 odd.json || fail 'the odd name'

got=0
"$RSBSIM" check ./odd.json bpf-fexit-double-ret bpf-fexit-skip plain-call ./none.json \
	--format text --format json=out.json --format sarif=out.sarif --format junit=out.xml \
	--format github=out.github --format tap=out.tap --format markdown=out.md >out.txt 2>err ||
	got=$?
[ "$got" = 2 ] || fail "status $got"
for format in txt json sarif xml github tap md; do
	[ -s "out.$format" ] || fail "no out.$format"
done
[ "$(ls | grep -c '^out\.')" = 7 ] || fail 'temporary files are left'

# JUnit: of its schema, as xmllint sees it; a case for each layout and CPU.
if command -v xmllint >xmllint 2>&1; then
	xmllint --noout --relaxng "$srcdir/tests/cli/junit.rng" out.xml ||
		fail 'JUnit is not of its schema'
fi
grep -q '<testsuite name="rsbsim check" tests="5" failures="2" errors="1"' out.xml || fail 'counts'
grep -q 'classname="a&lt;b&gt;&amp;&quot;c&quot;|d%e::f,#g?" name="intel-haswell"' out.xml ||
	fail 'escapes of XML'
grep -q '<testcase classname="plain-call"' out.xml || fail 'a case that passed'
[ "$(grep -c '<failure ' out.xml)" = 2 ] || fail 'failures'
[ "$(grep -c '<error ' out.xml)" = 1 ] || fail 'errors'

# TAP: prove reads it, and finds the same tests failed.
if command -v prove >prove 2>&1; then
	got=0
	prove --exec cat out.tap >prove 2>&1 || got=$?
	[ "$got" != 0 ] && grep -q 'Failed tests: *1, 3, 5' prove && grep -q 'Failed 3/5' prove || {
		cat prove
		fail 'prove'
	}
	"$RSBSIM" check plain-call bpf-fexit-jmp --format tap=good.tap
	prove --exec cat good.tap >prove 2>&1 || fail 'prove of what passed'
fi
[ "$(sed -n 2p out.tap)" = 1..5 ] || fail 'the plan'
grep -q '^ok 2 - bpf-fexit-double-ret on intel-haswell$' out.tap || fail 'ok'
grep -q '^not ok 1 - .*,_g? on intel-haswell$' out.tap || fail 'not ok'

# GitHub: the worst first, with the line on which the layout's code stands; data and properties have
# their own escapes.
head -1 out.github | grep -q '^::error file=.*none.json,line=1,title=trouble::' || fail 'trouble'
line=$(grep -n '"generate"' odd.json | cut -d: -f1)
grep -q "^::error file=odd.json,line=$line,title=RSB002 imbalance::a<b>&\"c\"|d%25e::f,#g?" \
	out.github || fail 'an annotation'
grep -q '^::notice title=.*bpf-fexit-double-ret on.*; accepted, as its file expects$' out.github ||
	fail 'what is accepted'

# A file that is named is the user's: of code by options, its source; a built-in layout has none,
# and in SARIF, where GitHub wants one, stands its name.
"$RSBSIM" check --bytes 'e8 01 00 00 00 cc 58 c3' --format github=bytes.github >out.txt &&
	fail 'bytes'
grep -q '^::error title=RSB002' bytes.github || fail 'a file for bytes'
if command -v as >as 2>&1; then
	printf 'drops: call 1f\n int3\n1: pop %%rax\n ret\n' >stub.S
	"$RSBSIM" check --asm stub.S --syntax att --call drops --format github=stub.github \
		--format sarif=stub.sarif && fail 'the stub'
	grep -q '^::error file=stub.S,line=1,title=RSB002' stub.github || fail 'the file of a stub'
	grep -q '"uri":	"stub.S"' stub.sarif || fail 'the file of a stub in SARIF'
fi
grep -q '"uri":	"bpf-fexit-double-ret"' out.sarif || fail 'the file of a built-in layout'
[ "$(grep -c 'sim/layouts' out.sarif out.github | grep -vc ':0$')" = 0 ] || fail 'no such file'

# Markdown: no name breaks the table.
grep -qF '| a\<b\>&"c"\|d%e::f,\#g? | error RSB002 imbalance |' out.md || fail 'Markdown'

# Nothing in them depends on the time or the place.
mkdir other
cp odd.json other
(cd other && "$RSBSIM" check ./odd.json bpf-fexit-double-ret bpf-fexit-skip plain-call ./none.json \
	--format json=out.json --format sarif=out.sarif --format junit=out.xml 2>err) || :
for format in json sarif xml; do
	cmp "out.$format" "other/out.$format" || fail "out.$format differs"
done

# Two on standard output would be neither.
"$RSBSIM" check plain-call --format json --format tap >out.txt 2>err && fail 'two at once'
grep -q 'expected one on standard output' err || fail 'the message about two at once'

# The files are not touched where the command line is refused.
"$RSBSIM" check --format json=out.json >out.txt 2>err && fail 'no layout'
cmp out.json other/out.json || fail 'out.json was touched'
