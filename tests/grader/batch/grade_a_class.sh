#!/usr/bin/env bash
# Grades a class that make_class writes: says how many submissions per minute, and how much processor time
# each takes. Then it grades the class again, killed ten times on the way, and fails unless both came to the
# same. Needs a build of the emulator with -DWARPLAB_LONG_TESTS=ON.
#   tests/grader/batch/grade_a_class.sh [LAB [COUNT]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
lab=${1:-transpose} count=${2:-24} bin=build/emulator
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'rm -rf "$folder"' EXIT
"$bin/tests/bin/make_class" "$lab" "$count" "$folder/class"
echo 00112233445566778899aabbccddeeff >"$folder/seed"
grade=("$bin/bin/warplab" grade "$folder/class" --labs "$lab" --seed-file "$folder/seed" --out)

# What is killed tells nobody its processor time: a control group knows it, where one can be made.
group=
for parent in /sys/fs/cgroup/cpuacct /sys/fs/cgroup; do
  if [[ -e $parent/cpuacct.usage || -e $parent/cgroup.controllers ]] &&
    mkdir "$parent/warplab-$$" 2>/dev/null; then
    group=$parent/warplab-$$
    trap 'rm -rf "$folder"; rmdir "$group"' EXIT
    break
  fi
done
processor_s() {
  if [[ -e $group/cpuacct.usage ]]; then
    awk '{ print $1 / 1e9 }' "$group/cpuacct.usage"
  else
    awk '$1 == "usage_usec" { print $2 / 1e6 }' "$group/cpu.stat"
  fi
}

started=$EPOCHREALTIME
(
  if [[ $group ]]; then echo "$BASHPID" >"$group/cgroup.procs"; fi
  exec "${grade[@]}" "$folder/whole" >/dev/null
)
awk -v from="$started" -v to="$EPOCHREALTIME" -v n="$count" \
  'BEGIN { printf "%.1f submissions per minute\n", 60 * n / (to - from) }'
if [[ $group ]]; then
  awk -v s="$(processor_s)" -v n="$count" 'BEGIN { printf "%.2f s of a processor for each\n", s / n }'
fi

graded() { find "$folder/killed/records" -name '*.json' 2>/dev/null | wc -l; }

# Each time when another tenth of the class is graded, and some moments later.
resume=()
for ((kills = 0; kills < 10; ++kills)); do
  "${grade[@]}" "$folder/killed" "${resume[@]}" >/dev/null &
  batch=$!
  while kill -0 "$batch" 2>/dev/null && (($(graded) < (kills + 1) * count / 11)); do sleep 0.2; done
  sleep "0.$((RANDOM % 10))"
  kill -9 "$batch" 2>/dev/null || break # it ended before
  wait "$batch" 2>/dev/null || true
  resume=(--resume)
done
"${grade[@]}" "$folder/killed" "${resume[@]}" >/dev/null
diff -rq "$folder/whole" "$folder/killed" && echo "the same, killed $kills times"
