# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lessons: they are listed and given in every format; predictions come from a file, are written for
# a teacher, and are graded by what is computed anew, not by what the file says.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

# refuse MESSAGE ARGUMENT...: status 2 and one line with that message.
refuse()
{
	message=$1
	shift
	status=0
	"$RSBSIM" lesson "$@" >/dev/null 2>"$dir/err" </dev/null || status=$?
	[ $status = 2 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -qF -- "$message" "$dir/err" ||
		fail "$*: status $status, $(cat "$dir/err")"
}

# The list has all of them, in order, as the files have; JSON too.
names=$(ls "$srcdir/sim/lessons" | sed 's/^[0-9]*-//; s/\.lesson$//')
[ "$("$RSBSIM" lesson | awk '$1 ~ /^[0-9]+$/ { print $2 }')" = "$names" ] || fail 'the list'
[ "$("$RSBSIM" lesson -f json | grep -c '"lesson":')" = "$(echo "$names" | wc -l)" ] ||
	fail 'the list as JSON'

# Each is given, in lines that a terminal of 80 columns has room for, commands with a backslash
# where they go on as a shell has it, and nothing in braces is left. No page needs anything from
# elsewhere.
for name in $names; do
	"$RSBSIM" lesson "$name" >"$dir/text" </dev/null
	wide=$(awk 'length > 80' "$dir/text")
	[ -z "$wide" ] || fail "$name is wider than 80 columns: $wide"
	sed -e :a -e '/ \\$/N; s/ \\\n */ /; ta' "$dir/text" | grep '^\$ ' >"$dir/typed" || :
	"$RSBSIM" lesson "$name" -f markdown | grep '^\$ ' | diff - "$dir/typed" ||
		fail "$name: commands are not those that are run"
	! grep '{[a-z_0-9]*}' "$dir/text" || fail "$name: a name in braces"
	grep -q '^Predict, 1 of ' "$dir/text" || fail "$name asks nothing"
	"$RSBSIM" lesson "$name" -f html -o "$dir/page.html"
	! grep -qE '(src|href)="?(http|/)|url\(|@import' "$dir/page.html" ||
		fail "$name: the page asks for more"
	asks=$(grep -o '"type":"ask"' "$dir/page.html" | wc -l)
	[ "$(grep -c '^Predict, ' "$dir/text")" = "$asks" ] || fail "$name: the page asks $asks"
	"$RSBSIM" lesson "$name" -f markdown >"$dir/page.md"
	"$RSBSIM" lesson "$name" -f json >"$dir/page.json"
	for page in page.html page.md page.json; do
		grep -q 'rsbsim [a-z]* .*[a-z]-' "$dir/$page" || fail "$name: $page has no command"
	done
done

# Where a run is to be gone through, the page has it, and text says how.
"$RSBSIM" lesson fexit -f html | grep -q '"type":"recordings","layout":"bpf-fexit-skip"' ||
	fail 'no player'
"$RSBSIM" lesson fexit | grep -q '^(.*rsbsim step bpf-fexit-skip --cpu intel-haswell)$' ||
	fail 'no stepper'

# What a command in a lesson prints is what it prints.
"$RSBSIM" score plain-call --scenario unwind | head -n 6 >"$dir/own"
"$RSBSIM" lesson return-stack </dev/null | sed -n '/^\$ rsbsim score/,/^plain-call/p' | sed 1d \
	>"$dir/shown"
diff "$dir/own" "$dir/shown" || fail 'the output of a command'

# By number, and both; the same words every time.
"$RSBSIM" lesson 2 >"$dir/number" </dev/null
"$RSBSIM" lesson 02-return-stack </dev/null | diff - "$dir/number" || fail 'by number'

# Predictions: right, wrong, none.
printf '9\n1\n\n' >"$dir/predictions"
"$RSBSIM" lesson call --answers "$dir/predictions" -o "$dir/a.json" >"$dir/text"
grep -q '^  Yes: 9$' "$dir/text" && grep -q 'You predicted 1. What comes out is: 0' "$dir/text" &&
	grep -q '^  What comes out is: 5$' "$dir/text" &&
	grep -q '^You predicted 1 of 2 as they come out; 1 has no answer.$' "$dir/text" ||
	fail "$(cat "$dir/text")"
printf '9\n0\n5\n' | "$RSBSIM" lesson call --answers - -o "$dir/b.json" >/dev/null
printf '0\n0\n13\n13\n17\n' | "$RSBSIM" lesson overflow --answers - -o "$dir/c.json" >/dev/null

# Graded; who says to be right is not for that, and choices are taken by letter or by word.
sed 's/"right":	false/"right":	true/' "$dir/a.json" >"$dir/d.json"
[ "$("$RSBSIM" lesson --grade "$dir/a.json" "$dir/b.json" "$dir/c.json" "$dir/d.json" -f csv |
	tr -d '\r' | cut -d, -f 2-7)" = 'lesson,version,graded,right,predicted,questions
call,1,true,1,2,3
call,1,true,3,3,3
overflow,1,true,2,5,5
call,1,true,1,2,3' ] || fail "$("$RSBSIM" lesson --grade "$dir"/?.json -f csv)"
"$RSBSIM" lesson --grade "$dir/a.json" | tr -s ' \n' '  ' |
	grep -q 'plain_balance (1, not 0), deep_calls (-, not 5)' ||
	fail "$("$RSBSIM" lesson --grade "$dir/a.json")"
"$RSBSIM" lesson --grade "$dir/a.json" -f json | grep -q '"right":	1' || fail 'grades as JSON'
for word in c BPF-fexit-jmp; do
	printf '\n\n\n\n\n\n%s\n' $word | "$RSBSIM" lesson 5 --answers - -o "$dir/e.json" >/dev/null
	grep -A1 '"question":	"best"' "$dir/e.json" | grep -q '"bpf-fexit-jmp"' || fail "$word"
done
sed 's/"version":	1/"version":	99/' "$dir/a.json" >"$dir/f.json"
"$RSBSIM" lesson --grade "$dir/f.json" | tr -s ' \n' '  ' |
	grep -q 'of version 99, and the lesson is of 1' || fail 'another version'

# A lesson of one's own, graded too.
cat >"$dir/mine.lesson" <<'END'
# Mine
version: 3
summary: A lesson of one's own.

let e = entries of amd-zen4

? e = e
How many?
END
echo 32 | "$RSBSIM" lesson "$dir/mine.lesson" --answers - -o "$dir/mine.json" >/dev/null
"$RSBSIM" lesson --grade "$dir/mine.lesson" "$dir/mine.json" -f csv | grep -q 'mine,3,true,1,1,1' ||
	fail 'a lesson of one'\''s own'
refuse "there is no lesson 'mine'" --grade "$dir/mine.json"

# Its commands show things, and neither read nor write files.
for command in 'rm x' 'rsbsim check plain-call' 'rsbsim score plain-call -o x' \
	'rsbsim score plain-call --outp=x' 'rsbsim score ./x.json' 'rsbsim score plain-call --model x' \
	'rsbsim score plain-call | sh' 'rsbsim score no-such-layout'; do
	{
		cat "$dir/mine.lesson"
		echo
		echo "\$ $command"
	} >"$dir/bad.lesson"
	refuse "$dir/bad.lesson:10" "$dir/bad.lesson"
done
[ ! -e x ] || fail 'a file was written'

refuse "there is no lesson 'cal'; the nearest: call" cal
refuse 'expected one lesson' call overflow
refuse 'a lesson that is given as text' call --answers "$dir/predictions" -f json
refuse 'a lesson that is given as text' --answers "$dir/predictions"
refuse 'No such file' call --answers "$dir/none"
refuse 'expected files that rsbsim lesson -o wrote' --grade
refuse 'the list of lessons is text or json' -f html
refuse 'grades are text, json or csv' --grade -f html "$dir/a.json"
refuse 'unknown format' call -f csv
printf '1\n2\n3\n4\n' >"$dir/many"
refuse "many:4: expected a line for each of 3 questions, found '4'" call --answers "$dir/many"
refuse 'Is a directory' call --answers "$dir"
refuse 'expected a file of at most 16 MiB' call --answers /dev/zero
# What cannot be an answer is no wrong one.
for word in nan inf 0x nine; do
	printf '9\n%s\n' $word >"$dir/odd"
	refuse "odd:2: expected a number, found '$word'" call --answers "$dir/odd" -o "$dir/odd.json"
done
printf '9\n0\n-1\n' >"$dir/odd"
refuse "odd:3: expected a number from 0, found '-1'" call --answers "$dir/odd" -o "$dir/odd.json"
[ ! -e "$dir/odd.json" ] || fail 'predictions that are none were written'
# A balance may be below 0.
printf '9\n-1\n5\n' | "$RSBSIM" lesson call --answers - | grep -q 'You predicted -1. ' || fail 'a balance'
printf '1\0\n' >"$dir/zero"
refuse 'zero: expected text, got a byte 0' call --answers "$dir/zero"
printf '1\n%0300d\n' 1 >"$dir/long"
refuse 'long:2: expected at most 254 bytes' call --answers "$dir/long"
status=0
"$RSBSIM" lesson call --answers - <&- >/dev/null 2>"$dir/err" || status=$?
[ $status = 2 ] && grep -q 'standard input: Bad file' "$dir/err" ||
	fail "standard input closed: $(cat "$dir/err")"
echo '{ "lesson": "call", "version": 1, "answers": [ { "question": "x" } ] }' >"$dir/x.json"
refuse "lesson call has no question 'x'" --grade "$dir/x.json"
echo '{ "lesson": "call" }' >"$dir/x.json"
refuse 'as rsbsim lesson -o writes them' --grade "$dir/x.json"
