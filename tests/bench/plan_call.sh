#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Wall time of a whole `plan` process, best and median of 21: plan_call.sh SHARDLENS-CLI PLAN.json [LIMIT_MS]
# With a limit the exit code is 1 when the best call takes longer.
set -euo pipefail
cli=$1 plan=$2 limit_ms=${3:-}
times=()
for _ in {1..21}; do
    start=${EPOCHREALTIME/[.,]/}
    "$cli" plan "$plan" >/dev/null || [[ $? -eq 1 ]]
    end=${EPOCHREALTIME/[.,]/}
    times+=("$((end - start))")
done
mapfile -t sorted < <(printf '%s\n' "${times[@]}" | sort -n)
ms() { printf '%d.%03d' "$(($1 / 1000))" "$(($1 % 1000))"; }
printf '{"plan_call_ms": %s, "plan_call_median_ms": %s}\n' "$(ms "${sorted[0]}")" "$(ms "${sorted[10]}")"
if [[ -n $limit_ms && ${sorted[0]} -gt $((limit_ms * 1000)) ]]; then
    echo "a plan call takes longer than $limit_ms ms" >&2
    exit 1
fi
