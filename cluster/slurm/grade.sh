#!/usr/bin/env bash
# Grades a class as an array of jobs, several submissions per task, and collects their results afterwards:
#   cluster/slurm/grade.sh SUBMISSIONS OUT TASKS [options of warplab grade, such as --labs transpose]
# Run again, it goes on where it was: what is graded stays. One task again: scontrol requeue <job>_<task>, and
# then warplab collect, since the job that collects has run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=cluster/slurm/site.conf
source "${WARPLAB_SITE:-$root/cluster/slurm/site.conf}"
# shellcheck source=cluster/slurm/submit.sh
source "$root/cluster/slurm/submit.sh"

if (($# < 3)) || [[ ! $3 =~ ^[1-9][0-9]*$ ]]; then
  printf 'usage: %s SUBMISSIONS OUT TASKS [options of warplab grade]\n' "$0" >&2
  exit 2
fi
[[ -e $1 ]] || { printf '%s: there is no %s\n' "$0" "$1" >&2 && exit 2; }
program=$root/build/emulator/bin/warplab
[[ -x $program ]] || {
  printf '%s: there is no %s. Build it and the labs that you grade, on this node or another:
  cmake --preset emulator && cmake --build --preset emulator --target warplab LAB...\n' "$0" "$program" >&2
  exit 3
}
need_slurm
if [[ ! -e $2 ]]; then mkdir -p "$2" && chmod 700 "$2"; fi # marks and students' work
mkdir -p "$2/judge/slurm"
submissions=$(realpath "$1") out=$(realpath "$2") tasks=$3
shift 3

array=$(submit --job-name=warplab-grade --array="1-$tasks%$tasks_at_a_time" \
  --output="$out/judge/slurm/%A_%a.out" --requeue \
  --open-mode=append --time="$grade_time" --cpus-per-task="$grade_cpus" --mem="$grade_memory" \
  "$root/cluster/slurm/grade.sbatch" "$submissions" "$out" "$tasks" "$@")
collector=$(submit --job-name=warplab-collect --dependency="afterany:$array" \
  --output="$out/judge/slurm/%j-collect.out" \
  --time=00:30:00 --cpus-per-task=1 "$root/cluster/slurm/collect.sbatch" "$submissions" "$out")
printf 'array %s of %d tasks, collector %s; the gradebook will be %s/gradebook.csv\n' \
  "$array" "$tasks" "$collector" "$out"
