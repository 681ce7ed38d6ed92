#!/usr/bin/env bash
# Runs the labs on two groups of GPUs, one after the other, and compares them:
#   cluster/slurm/groups.sh OUT T=PARTITION[/GRES] G=PARTITION[/GRES] [options of run_all.sh]
# OUT/T and OUT/G get the two runs, OUT/comparison.html what differs beyond the noise.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=cluster/slurm/site.conf
source "${WARPLAB_SITE:-$root/cluster/slurm/site.conf}"
# shellcheck source=cluster/slurm/submit.sh
source "$root/cluster/slurm/submit.sh"

die() {
  printf '%s: %s\n' "$0" "$1" >&2
  exit 2
}

(($# >= 3)) || die "usage: $0 OUT NAME=PARTITION[/GRES] NAME=PARTITION[/GRES] [options of run_all.sh]"
[[ $1 != *=* && $1 != -* ]] || die "OUT is '$1'; it takes a folder, and then two groups"
for group in "$2" "$3"; do
  [[ $group =~ ^[A-Za-z0-9_.]+=[^/=]+(/.+)?$ ]] || die "a group is '$group'; it takes NAME=PARTITION[/GRES]"
done
[[ ${2%%=*} != "${3%%=*}" ]] || die "both groups are called ${2%%=*}"
need_slurm
mkdir -p "$1"
out=$(cd "$1" && pwd) first=$2 second=$3
shift 3

# run_group DEPENDENCY GROUP OTHER OPTIONS: a job that waits for another, and compares where both have run.
run_group() {
  local dependency=$1 name=${2%%=*} place=${2#*=} other=$3 gres
  shift 3
  gres=$gpu_gres
  [[ $place != */* ]] || gres=${place#*/}
  submit --job-name="warplab-$name" --output="$out/$name-%j.out" --time="$labs_time" --cpus-per-task=4 \
    --partition="${place%%/*}" ${gres:+--gres="$gres"} ${dependency:+--dependency="afterany:$dependency"} \
    "$root/cluster/slurm/groups.sbatch" "$out" "$name" "$other" "$@"
}

job=$(run_group "" "$first" "${second%%=*}" "$@")
after=$(run_group "$job" "$second" "${first%%=*}" "$@")
printf 'jobs %s and %s; the comparison will be %s/comparison.html\n' "$job" "$after" "$out"
