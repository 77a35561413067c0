#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Hands every export of the grid and of the golden plans to the launcher's own parser and counts what it says.
#   tests/launchers/check.sh OUT [LAUNCHER[@VERSION] …]
# OUT         a folder that shardlens-write-exports filled (SHARDLENS_EXPORTS=OUT build/tests/shardlens-write-exports)
# CHECKERS    folder of check_LAUNCHER.py programs: exit code 0 = accepted, 1 = refused (first line says why),
#             2 = the checker itself failed; a program of that name beside this script goes first
# PEERS       checkouts of the launchers, for the checkers
# MOST        at most so many files per launcher and version (default: all), spread over the grid
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
: "${CHECKERS:?set CHECKERS to the folder with check_LAUNCHER.py}" "${PEERS:?set PEERS to the checkouts}"
export CHECKERS PEERS
exec python3 "$here/check.py" "$@"
