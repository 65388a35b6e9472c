# SPDX-License-Identifier: GPL-2.0-or-later
#
# A symbolic link stays one when what it leads to is written, also where that is not there yet; and
# what cannot be written for good is told before the work, by the name that was given.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail()
{
	echo "$*"
	ls -l
	exit 1
}

mkdir folder
ln -s folder/report link
ln -s link second
ln -s "$dir/folder/absolute" absolute
"$RSBSIM" score plain-call -o second
[ -L link ] && [ -L second ] && [ -s folder/report ] || fail 'a link to a file to be made'
"$RSBSIM" score plain-call -o absolute
[ -L absolute ] && [ -s folder/absolute ] || fail 'an absolute link'
rm folder/*
"$RSBSIM" score plain-call -f json=link -f csv=folder/report 2>err && fail 'written twice'
grep -q 'would be written twice' err || fail "$(cat err)"

# The budget is too small for any layout: what is told is what is found before.
refuse()
{
	wanted=$1
	shift
	status=0
	"$RSBSIM" "$@" --budget 3 >out 2>err || status=$?
	[ $status = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q "$wanted" err && [ ! -s out ] ||
		fail "$*: status $status: $(cat err)"
}

ln -s circle circle
ln -s none/report nowhere
refuse ' circle: Too many levels' score plain-call -o circle
refuse ' circle: Too many levels' check plain-call --baseline circle --update-baseline
refuse ' nowhere: No such file' score plain-call -o nowhere
[ -L circle ] && [ -L nowhere ] || fail 'a link is gone'
if python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")' 2>/dev/null; then
	refuse ' socket: No such device' score plain-call -o socket
fi
if [ "$(id -u)" != 0 ]; then
	echo before >kept
	chmod 444 kept
	refuse ' kept: Permission denied' score plain-call -o kept
fi
