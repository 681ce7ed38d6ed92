#!/bin/sh
# Records what compute-sanitizer says of each case on this machine's GPU: the output of its four tools for
# every case, in FOLDER, for summarise_sanitizer.py.
#   tests/emulator/findings/record_sanitizer.sh FOLDER
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
for tool in nvcc compute-sanitizer nvidia-smi; do
  command -v "$tool" >/dev/null || {
    echo "$0: $tool is not there; this needs a GPU and the CUDA toolkit" >&2
    exit 3
  }
done
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
mkdir -p "$1/logs" "$1/objects"
folder=$(cd "$1" && pwd)

# Bulk copies and wgmma are instructions of an architecture's own set, which -arch=native leaves out. With
# -arch=sm_90a nvcc 13.0 makes code of compute_90 as well, which has no wgmma.
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0 | tr -d .)
case $capability in
  90 | 1??) capability=${capability}a ;;
esac
code=arch=compute_$capability,code=sm_$capability
# shellcheck disable=SC2016  # the inner shell expands its own arguments
printf '%s\n' "$here"/*.cu | xargs -P 12 -I{} sh -c \
  'nvcc -std=c++20 -O2 -gencode "$4" -lineinfo -I"$1" -c "$2" -o "$3/objects/$(basename "$2").o"' \
  sh "$root" {} "$folder" "$code"
nvcc -gencode "$code" "$folder"/objects/*.o -o "$folder/findings"
{
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  compute-sanitizer --version | sed -n 's/^Version //p'
  nvcc --version | sed -n 's/.*release \([^,]*\).*/\1/p'
} >"$folder/conditions"

# A case that hangs, as some should, is ended.
"$folder/findings" --list | cut -d' ' -f1 >"$folder/cases"
# shellcheck disable=SC2016  # as above
while read -r case; do
  for tool in "memcheck --leak-check full" "racecheck --racecheck-report all" initcheck synccheck; do
    echo "$case $tool"
  done
done <"$folder/cases" | xargs -P 12 -L 1 sh -c \
  'folder=$1 case=$2; shift 2
   timeout -k 5 40 compute-sanitizer --tool "$@" "$folder/findings" "$case" >"$folder/logs/$case.$1" 2>&1
   echo "exit $?" >>"$folder/logs/$case.$1"' sh "$folder"
