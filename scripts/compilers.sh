# shellcheck shell=bash
# Sourced by run_all.sh: which compilers this machine has.

# Puts nvcc into CUDACXX and PATH, and its version into nvcc_version.
find_nvcc() {
  local folder in_path
  in_path=$(command -v nvcc || echo /none/nvcc)
  for folder in "${in_path%/*}" "${CUDA_HOME-}/bin" "${CUDA_PATH-}/bin" /usr/local/cuda/bin; do
    [[ -x $folder/nvcc ]] || continue
    # shellcheck disable=SC2034  # for run_all.sh
    nvcc_version=$("$folder/nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
    export CUDACXX=$folder/nvcc PATH=$PATH:$folder
    return 0
  done
  return 1
}

# find_compiler MAJOR: puts a g++ of that version or later into CXX, if one is installed.
find_compiler() {
  local candidate major
  for candidate in "${CXX-}" g++ g++-15 g++-14 g++-13 g++-12; do
    if [[ -z $candidate ]] || ! command -v "$candidate" >/dev/null; then continue; fi
    major=$("$candidate" -dumpversion) && major=${major%%.*}
    if [[ $major =~ ^[0-9]+$ ]] && ((major >= $1)); then
      [[ $candidate == g++ ]] || export CXX=$candidate
      return 0
    fi
  done
  return 1
}
