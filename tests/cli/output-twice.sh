# SPDX-License-Identifier: GPL-2.0-or-later
#
# One file for two reports would keep one of them: that is told before any work, whatever the names.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir folder
ln -s folder link

refused()
{
	status=0
	message=$("$RSBSIM" "$@" 2>&1) || status=$?
	case $status-$message in
	2-*'would be written twice by this command'*) ;;
	*)
		echo "$*: status $status: $message"
		exit 1
		;;
	esac
	[ -e "$dir/old" ] || [ -z "$(find . -type f)" ]
}

refused score plain-call -f json=a -f csv=a
refused score plain-call -f json=a -f csv=./a
refused score plain-call -f json=folder/a -f csv=link/a
refused score plain-call -f json=a --record "$dir/a"
refused score plain-call -o a --record a
refused score plain-call -f json=- -f csv=-
refused check plain-call --format json=a --format sarif=a
refused sweep plain-call --set depth=1..4 -o a.svg --plot a.svg
refused sweep plain-call --set depth=1..4 -o plain-call.svg --plot '{}.svg'

# That it is told before: of two troubles, the one that would come later.
refused score --bytes 0f0b -f json=a -f csv=a

# Files that are there already are told apart by what they are.
echo old >old
ln old other
refused score plain-call -f json=old -f csv=other
[ "$(cat old)" = old ]

# An option that is given once more only takes back what it said; of a device nothing is lost.
"$RSBSIM" score plain-call -o a -o a
test -s a
"$RSBSIM" score plain-call -f json=/dev/null -f csv=/dev/null
"$RSBSIM" score plain-call -f json=folder/a -f csv=a
test -s folder/a
