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
