# SPDX-License-Identifier: GPL-2.0-or-later
#
# The project's own layouts, by the recipe of rsbsim-check(1): what is unbalanced on purpose is in
# the baseline, and anything else fails. After a layout was added, the same command with
# --update-baseline accepts what it has.

set -eu
cd "$srcdir"

"$RSBSIM" check sim/layouts/ --cpu intel-haswell,amd-zen4 --baseline tests/cli/baseline.json
