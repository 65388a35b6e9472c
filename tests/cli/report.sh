# SPDX-License-Identifier: GPL-2.0-or-later
#
# The page without a browser: it is whole, small, asks for nothing from elsewhere, and holds the
# data that -f json writes; what is hostile in a name does not get out of the data.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

# A common comparison stays below 2 MB, and the same command writes the same bytes.
"$RSBSIM" report 'bpf-fexit-*' plain-call --cpu intel-haswell,intel-skylake,amd-zen4 \
	-o "$dir/a.html"
"$RSBSIM" report 'bpf-fexit-*' plain-call --cpu intel-haswell,intel-skylake,amd-zen4 >"$dir/b.html"
cmp "$dir/a.html" "$dir/b.html" || fail 'two runs differ'
size=$(wc -c <"$dir/a.html")
[ "$size" -lt 2000000 ] || fail "the page has $size bytes"

# Nothing is asked for: no address but that of SVG's names, and a policy that forbids it.
if sed 's|http://www.w3.org/2000/svg||' "$dir/a.html" |
	grep -iE 'https?:|src=|@import|url\(' >"$dir/out"; then
	fail "the page refers to: $(cut -c 1-200 "$dir/out")"
fi
grep -q "content=\"default-src 'none'; style-src 'sha256-[^']*='; script-src 'sha256-[^']*=';" \
	"$dir/a.html" ||
	fail 'the page has no policy'
[ "$(grep -c '@[a-z-]*@' "$dir/a.html")" = 0 ] || fail 'a place in the document is not filled in'

# A model that is unbounded has no depth to sweep, and its page is whole all the same.
"$RSBSIM" report plain-call --cpu ideal -f json | tr -d ' \n' | grep -q '"lines":\[\]' ||
	fail 'ideal has a sweep'

# What cannot be done is one message, and writes nothing.
if "$RSBSIM" report nothing-such -o "$dir/none.html" 2>"$dir/err"; then
	fail 'a layout that is not there'
fi
[ "$(wc -l <"$dir/err")" = 1 ] || fail "the message: $(cat "$dir/err")"
[ ! -e "$dir/none.html" ] || fail 'half a page was written'

command -v as >/dev/null || exit 0 # what follows assembles

# Names that would end the data, begin a comment, or an element.
cat >"$dir/hostile.s" <<'END'
	.text
	.globl	f
f:	call	"</script><img src=x onerror=alert(1)>"
	ret
"</script><img src=x onerror=alert(1)>":
	call	"<!--<script>'&amp;"
	ret
"<!--<script>'&amp;":
	add	$8, %rsp
	ret
END
"$RSBSIM" report --asm "$dir/hostile.s" --call f -o "$dir/hostile.html"
[ "$(grep -o '<script' "$dir/hostile.html" | wc -l)" = 2 ] || fail 'a name began a script'
[ "$(grep -o '</script' "$dir/hostile.html" | wc -l)" = 2 ] || fail 'a name ended a script'
! grep -q '<img' "$dir/hostile.html" || fail 'a name made an element'
grep -q '\\u003c/script\\u003e\\u003cimg' "$dir/hostile.html" || fail 'the name is not in the data'

# JSON is those data.
if command -v python3 >/dev/null; then
	"$RSBSIM" report --asm "$dir/hostile.s" --call f -f json -o "$dir/hostile.json"
	python3 - "$dir" <<'END'
import json, re, sys
page = open(sys.argv[1] + "/hostile.html").read()
inside = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1)
assert json.loads(inside) == json.load(open(sys.argv[1] + "/hostile.json"))
END
fi
