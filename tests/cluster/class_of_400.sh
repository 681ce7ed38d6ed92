#!/usr/bin/env bash
# Grades a made class by an array of jobs, on a Slurm of one node that loses its power when a third is graded.
# Then grades it again without Slurm, and fails unless both came to the same, byte for byte. Prints a row for
# the table of docs/cluster-instructors.md. Needs root, Slurm (slurm-wlm, munge), and a build with
# -DWARPLAB_LONG_TESTS=ON.
#   tests/cluster/class_of_400.sh [LAB [COUNT [TASKS]]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lab=${1:-vector_add} count=${2:-400} tasks=${3:-8} bin=build/emulator
folder=$(mktemp -d)
slurm=$folder/slurm out=$folder/out
chmod 755 "$folder"
trap 'tests/cluster/one_node.sh stop "$slurm"; rm -rf "$folder"' EXIT

fail() {
  printf 'class_of_400: %s\n' "$1" >&2
  exit 1
}
with_slurm() { SLURM_CONF=$slurm/slurm.conf WARPLAB_SITE=$folder/site.conf "$@"; }
records() { find "$out/records" -name '*.json' 2>/dev/null | wc -l; }
node_is() { with_slurm sinfo --noheader --format=%T | grep -q "$1"; }

# wait_until SECONDS WHAT COMMAND...
wait_until() {
  local seconds=$1 what=$2
  shift 2
  local end=$((SECONDS + seconds))
  until "$@"; do
    ((SECONDS < end)) || fail "$what did not happen within $seconds s"
    sleep 1
  done
}

# The power goes: everything that runs on the node is gone, and nobody could say good-bye.
lose_power() {
  local process name
  for process in /proc/[0-9]*; do
    grep -qsz "^SLURM_CONF=$slurm/slurm.conf$" "$process/environ" || continue
    name=$(cat "$process/comm" 2>/dev/null) || continue
    [[ $name =~ ^(slurmctld|slurmscriptd|munged)$ ]] || kill -9 "${process#/proc/}" 2>/dev/null || true
  done
}

tests/cluster/one_node.sh start "$slurm" || exit
"$bin/tests/bin/make_class" "$lab" "$count" "$folder/class"
{
  cat cluster/slurm/site.conf
  printf 'grade_memory=400M grade_cpus=1 tasks_at_a_time=%d\n' "$(nproc)"
} >"$folder/site.conf"
echo 00112233445566778899aabbccddeeff >"$folder/seed"
options=(--labs "$lab" --seed-file "$folder/seed")

started=$SECONDS
with_slurm cluster/slurm/grade.sh "$folder/class" "$out" "$tasks" "${options[@]}"
third_is_graded() { (($(records) * 3 >= count)); }
wait_until 7200 'a third of the class' third_is_graded
lose_power
at_failure=$(records)
((at_failure < count)) || fail 'all was graded before the node failed'
wait_until 120 'the loss of the node' node_is down
SLURM_CONF=$slurm/slurm.conf /usr/sbin/slurmd
wait_until 7200 'the gradebook' test -e "$out/gradebook.csv"
wait_until 60 'the summary' test -e "$out/summary.html"
elapsed=$((SECONDS - started))

"$bin/bin/warplab" grade "$folder/class" --out "$folder/whole" "${options[@]}" >/dev/null
diff -rq --exclude=slurm "$folder/whole" "$out" || fail 'the array came to something else'
printf '| %s | %s | %d | %d | %d | %d | %d s |\n' \
  "$(date +%F)" "$lab" "$count" "$tasks" "$(nproc)" "$at_failure" "$elapsed"
echo "the same, byte for byte"
