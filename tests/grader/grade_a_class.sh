#!/usr/bin/env bash
# Grades a class that make_class writes: says how many submissions per minute, then grades it again, killed
# ten times on the way, and fails unless both came to the same. Needs a build of the emulator with
# -DWARPLAB_LONG_TESTS=ON.
#   tests/grader/grade_a_class.sh [LAB [COUNT]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lab=${1:-transpose} count=${2:-24} bin=build/emulator
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'rm -rf "$folder"' EXIT
"$bin/tests/bin/make_class" "$lab" "$count" "$folder/class"
grade=("$bin/bin/warplab" grade "$folder/class" --labs "$lab" --seed 00112233445566778899aabbccddeeff --out)

started=$EPOCHREALTIME
"${grade[@]}" "$folder/whole" >/dev/null
awk -v from="$started" -v to="$EPOCHREALTIME" -v n="$count" \
  'BEGIN { printf "%.1f submissions per minute\n", 60 * n / (to - from) }'

resume=()
for ((kills = 0; kills < 10;)); do
  "${grade[@]}" "$folder/killed" "${resume[@]}" >/dev/null &
  sleep $((RANDOM % 9 + 4))
  kill -9 $! 2>/dev/null && ((++kills)) || break # it ended before
  wait $! 2>/dev/null || true
  resume=(--resume)
done
"${grade[@]}" "$folder/killed" "${resume[@]}" >/dev/null
diff -rq "$folder/whole" "$folder/killed" && echo "the same, killed $kills times"
