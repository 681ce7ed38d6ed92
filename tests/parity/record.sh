#!/usr/bin/env bash
# Records what Nsight Compute counts for the parity cases and for the labs' rungs on this machine's GPU, in
# tests/parity/hardware/<device>.json. Needs an NVIDIA GPU, nvcc, ncu, and permission to read the GPU's
# counters.
#
#   tests/parity/record.sh [--new] [BUILD]   BUILD: a tree of the preset cuda (default: build/cuda; made if
#                                            it is not there)
#                                            --new: only the labs' cases that the file does not have yet
# An interruption (SIGINT, SIGTERM) ends the profiling; what has been recorded is kept.
set -euo pipefail
readonly UNAVAILABLE=3
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

die() {
  printf 'record.sh: %s\n' "$1" >&2
  exit $UNAVAILABLE
}
nvidia-smi -L >/dev/null 2>&1 || die "there is no NVIDIA GPU here"
command -v ncu >/dev/null || die "ncu (Nsight Compute) is not on the PATH"

command="tests/parity/record.sh${*:+ $*}"
only_new=no
if [[ ${1-} == --new ]]; then only_new=yes && shift; fi
build=${1:-build/cuda}
pages=$build/parity
device=$(nvidia-smi --query-gpu=name --format=csv,noheader -i 0)
file=tests/parity/hardware/$(tr 'A-Z ' 'a-z-' <<<"${device#NVIDIA }").json
if [[ $only_new == yes && ! -e $file ]]; then die "--new adds to $file, which does not exist"; fi
[[ -e $build/build.ninja ]] || cmake --preset cuda -B "$build"
# The labs' cases that are wanted, one per line: lab, rung, options.
cases() {
  local lab rung options
  while read -r lab rung options; do
    if [[ $only_new == yes ]] && grep -qF "\"$lab $rung $options\": [" "$file"; then continue; fi
    printf '%s\n' "$lab $rung $options"
  done < <(grep -v '^#' tests/parity/lab_cases.txt)
}
mapfile -t labs < <(cases | cut -d' ' -f1 | sort -u)
cmake --build "$build" --target parity parity_record "${labs[@]}"
rm -rf "$pages" && mkdir -p "$pages"

metrics=
for operation in ld st atom red; do
  for what in requests sectors; do metrics+="l1tex__t_${what}_pipe_lsu_mem_global_op_$operation.sum,"; done
done
for operation in ld st; do
  for what in requests sectors; do metrics+="l1tex__t_${what}_pipe_lsu_mem_local_op_$operation.sum,"; done
done
metrics+=memory_l2_theoretical_sectors_global,memory_l2_theoretical_sectors_global_ideal,
metrics+=memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal,idc__requests.sum,
metrics+=smsp__thread_inst_executed_per_inst_executed.ratio,sm__maximum_warps_per_active_cycle_pct,
metrics+=smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum

# record NAME NCU-OPTION... -- PROGRAM ARGUMENT...: leaves the pages NAME.raw.csv and NAME.source.csv, or says
# why not.
failed=0
record() {
  local name=$1 options=()
  shift
  while [[ $1 != -- ]]; do options+=("$1") && shift; done
  shift
  ncu --clock-control none --replay-mode kernel --set none --section SourceCounters --metrics "$metrics" \
    "${options[@]}" -f -o "$pages/$name" "$@" >"$pages/$name.out" 2>&1 || {
    printf 'record.sh: ncu failed on %s\n' "$*" >&2
    tail -n 3 "$pages/$name.out" >&2
    failed=$((failed + 1))
    return 1
  }
  [[ -e $pages/$name.ncu-rep ]] || return 0 # it launched nothing
  # The GPU is free for the next one meanwhile.
  ncu --import "$pages/$name.ncu-rep" --page raw --csv --print-units base >"$pages/$name.raw.csv" &
  ncu --import "$pages/$name.ncu-rep" --page source --csv --print-source sass >"$pages/$name.source.csv" &
}

[[ $only_new == yes ]] || record kernels -- "$build/bin/parity" || die "the small kernels were not recorded"
number=1
stopped=no
export WARPLAB_PROFILE_CALLS=1 # else the harness's own kernels, which add up the inputs, come first
trap 'stopped=yes' INT TERM
while read -r lab rung options; do
  [[ $stopped == no ]] || break
  # shellcheck disable=SC2086 # the options are words
  record "lab-$number" --profile-from-start off --kernel-name 'regex:_kernel$' --launch-count 4 -- \
    "$build/bin/$lab" --rung "$rung" $options --in-process --verify-only || continue
  printf '%s\n' "$lab $rung $options" >"$pages/lab-$number.name"
  number=$((number + 1))
done < <(cases)
wait

commit=$(git describe --always --dirty --abbrev=12 --exclude="*" 2>/dev/null || echo unknown)
"$build/bin/parity_record" "$pages" "$file" \
  "device=$device" \
  "driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader -i 0)" \
  "toolkit=$(sed -n 's/.*release \([0-9.]*\).*/\1/p' < <("${CUDACXX:-nvcc}" --version))" \
  "profiler=$(ncu --version | sed -n 's/^Version //p')" \
  "commit=${WARPLAB_COMMIT:-$commit}" \
  "date=$(date -u +%Y-%m-%d)" \
  "command=$command"
((failed == 0)) || die "$failed cases were not recorded"
[[ $stopped == no ]] || die "it was interrupted, and the other cases were not recorded"
