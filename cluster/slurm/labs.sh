#!/usr/bin/env bash
# Runs the labs on a GPU node, as one batch job: cluster/slurm/labs.sh [options of run_all.sh]
# A user's jobs of that name run one after the other, since they share a build folder.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=cluster/slurm/site.conf
source "${WARPLAB_SITE:-$root/cluster/slurm/site.conf}"
# shellcheck source=cluster/slurm/submit.sh
source "$root/cluster/slurm/submit.sh"

need_slurm
mkdir -p "$root/results/slurm"
job=$(submit --job-name=warplab-labs --dependency=singleton --output="$root/results/slurm/%j.out" \
  --time="$labs_time" --cpus-per-task=4 ${gpu_partition:+--partition="$gpu_partition"} \
  ${gpu_gres:+--gres="$gpu_gres"} \
  "$root/cluster/slurm/labs.sbatch" "$@")
printf 'job %s; its table will be in results/slurm/%s.out, and its results in results/\n' "$job" "$job"
