# SPDX-License-Identifier: GPL-2.0-or-later
#
# Help that is asked for goes to standard output with status 0; the same words after a mistake do
# not.

set -eu

fail()
{
	echo "$*"
	exit 1
}

commands=$("$RSBSIM" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[ "$commands" = 'capture
check
explain
help
lesson
list
merge
native
probe
report
score
show
step
sweep
trace' ] || fail "the commands are: $commands"

for command in $commands; do
	text=$("$RSBSIM" "$command" --help) || fail "$command --help: status $?"
	case $text in
	"usage: rsbsim $command "*) ;;
	*) fail "$command --help begins with: $text" ;;
	esac
	case $text in
	*'example: rsbsim '*) ;;
	*) fail "$command --help has no example" ;;
	esac
	[ "$text" = "$("$RSBSIM" help "$command")" ] || fail "help $command differs from --help"
	wide=$(printf '%s\n' "$text" | awk 'length > 80')
	[ -z "$wide" ] || fail "$command --help is wider than 80 columns: $wide"
	! printf '%s\n' "$text" | grep ' $' || fail "$command --help: a blank at the end"
done

# "trace" is a command of commands, each of which has a page.
[ "$("$RSBSIM" help trace record)" = "$("$RSBSIM" trace record --help)" ] ||
	fail "help trace record"
! "$RSBSIM" help trace recrod 2>&1 || fail "help trace recrod"

# Without a command: usage on standard error.
status=0
text=$("$RSBSIM" 2>/dev/null) || status=$?
[ "$status" = 2 ] && [ -z "$text" ] || fail "no command: status $status, standard output '$text'"

# What takes a name of a table of rows lists all of them: a row that is added is in the help.
"$RSBSIM" --version | sed -n 's/^formats of \([a-z]*\): /\1 /p' |
	while read -r command names; do
		text=$("$RSBSIM" "$command" --help | tr -s ' \n' ' ')
		listed=$(echo "$names" | sed 's/\(.*\), /\1 or /')
		case $text in
		*" --format "*" $listed"[\ ,]*) ;;
		*) fail "$command --help does not list $listed" ;;
		esac
	done || exit 1
