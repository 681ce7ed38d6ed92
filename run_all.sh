#!/usr/bin/env bash
# Sets warplab up on this machine, builds it and runs every lab, or every test: ./run_all.sh --help. Here is
# what comes before there is a program; the program is bin/warplab-run, from runner/.
set -uo pipefail
readonly OK=0 BAD_INPUT=2 UNAVAILABLE=3 OWN_FAULT=4 INTERRUPTED=130
readonly MINIMUM_CMAKE=3.24 MINIMUM_NVCC=12.4

usage() {
  cat <<'HELP'
Usage: ./run_all.sh [options]

  (nothing)           set up, build, run every lab, write results/run-<date>-<n>/, print a table
  --tests [all]       set up, build and run the tests; `all` adds the long ones
  --labs A,B          only these labs: transpose or 07_transpose; may be repeated
  --backend B         auto (default: cuda where nvcc and a GPU work, else emulator), cuda, emulator
  --profile P         none (default), lens (counts by line: the emulator's, or on a GPU Nsight Compute's),
                      ncu (what Nsight Compute itself prints, into the .err files; on a GPU)
  --group NAME        part of the result files' names (default: the backend)
  --repeat N          timed repetitions of each rung
  --suite S           default; published: replay the published experiments; sweep: many shapes, of labs that
                      have them
  --out DIR           write the results to DIR instead of results/run-<date>-<n>
  --install           install missing system packages without asking (Debian, Ubuntu)
  --bundle-deps       on a machine with a network: put the libraries that are built with into
                      warplab-deps.tar.gz; on a machine without one, run_all.sh in the same folder uses it
  --help              this text

Exit codes: 0 all well, 1 a check failed, 2 bad input, 3 not available here, 4 a fault of warplab's own.
HELP
}

say() { printf '%s\n' "$*"; }

# die CODE TEXT: one sentence on stderr, and out.
die() {
  printf 'run_all.sh: %s\n' "$2" >&2
  exit "$1"
}

# --- The command line: what is needed before the program is there; the rest goes into `arguments` ---

mode=run tests=none backend=auto may_install=no arguments=()

read_arguments() {
  while (($#)); do
    case $1 in
      --help | -h) usage && exit $OK ;;
      --install) may_install=yes ;;
      --bundle-deps) mode=bundle ;;
      --backend=*) backend=${1#*=} ;;
      --backend)
        backend=${2-}
        (($# == 1)) || shift
        ;;
      --tests=all) tests=all && arguments+=("$1") ;;
      --tests)
        [[ ${2-} != all ]] || tests=all
        arguments+=("$1")
        ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  [[ $backend =~ ^(auto|cuda|emulator)$ ]] ||
    die $BAD_INPUT "--backend is '$backend'; it takes one of: auto, cuda, emulator"
}

# --- What this machine has ---

# Sets `backend`, and says which and why.
choose_backend() {
  local asked=$backend gpus="" obstacle="" why="as asked"
  if ! find_nvcc; then
    obstacle="there is no nvcc"
  elif ! at_least "$nvcc_version" $MINIMUM_NVCC; then
    obstacle="nvcc is $nvcc_version and CUDA Toolkit $MINIMUM_NVCC or later is needed"
  elif ! gpus=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null) || [[ -z $gpus ]]; then
    obstacle="nvcc $nvcc_version is here, but no working GPU (nvidia-smi lists none)"
  fi
  if [[ $asked == auto ]]; then
    backend=cuda
    [[ -z $obstacle ]] || backend=emulator why=$obstacle
  fi
  if [[ $backend == emulator ]]; then
    say "backend: emulator, CUDA on this CPU ($why)"
  elif [[ -n $obstacle ]]; then
    die $UNAVAILABLE "--backend cuda: $obstacle; --backend emulator runs on any machine"
  else
    say "backend: cuda (nvcc $nvcc_version and ${gpus%%$'\n'*})"
  fi
}

# install PACKAGE...: fails if it may not (neither root nor consent), or cannot.
install() {
  is_debian || return 1
  if ((EUID != 0)); then
    command -v sudo >/dev/null || return 1
    if [[ $may_install == no ]]; then
      local answer
      [[ -t 0 && -t 1 ]] && read -rp "warplab needs $*. Install with sudo apt-get? [y/N] " answer &&
        [[ $answer == [yY]* ]] || return 1
    fi
    sudo=(sudo)
  fi
  say "installing $*"
  local output
  is_configuration_old=yes
  output=$(apt_install "$@" 2>&1) && return 0
  printf 'run_all.sh: apt-get could not install them; its last words:\n%s\n' "$(tail -n 3 <<<"$output")" >&2
  return 1
}

# Installs what is missing, or says what to install. Tools must be here; libraries CMake can also fetch.
ensure_packages() {
  local -a tools=() libraries=() extras=()
  command -v cmake >/dev/null || tools+=(cmake)
  command -v ninja >/dev/null || tools+=(ninja-build)
  if [[ $backend == cuda ]]; then
    find_compiler 11 || tools+=(g++)
  else
    find_compiler 12 || { command -v g++ >/dev/null && tools+=(g++-12) || tools+=(g++); }
  fi
  if is_debian && [[ ! -d .deps && -z ${CMAKE_PREFIX_PATH-} ]]; then
    mapfile -t libraries < <(missing_of library testing archive grading)
    if [[ $tests == all ]]; then mapfile -t extras < <(missing_of long sandbox); fi
  fi
  local -a missing=("${tools[@]}" "${libraries[@]}")
  if ((${#missing[@]})) && ! install "${missing[@]}"; then
    local how="your package manager, for what Debian calls:"
    if is_debian; then how="sudo apt-get update && sudo apt-get install --no-install-recommends"; fi
    ((${#tools[@]} == 0)) || die $UNAVAILABLE "missing: ${missing[*]}. Install with:
  $how ${missing[*]}"
    say "not installed: ${libraries[*]}; CMake will try to fetch them, or do without"
  fi
  if ((${#extras[@]})) && ! install "${extras[@]}"; then
    say "not installed: ${extras[*]}; some long tests are left out"
  fi
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
  at_least "$version" $MINIMUM_CMAKE || die $UNAVAILABLE \
    "CMake $MINIMUM_CMAKE or later is needed and this is $version; Debian 12 and Ubuntu 24.04 have one"
}

# --- Configure, and build the program that does the rest ---

has_setting() { grep -qsxF "$1" "$build/CMakeCache.txt"; }

configure() {
  local -a options=()
  [[ $tests != all ]] || options=(-DWARPLAB_LONG_TESTS=ON)
  if ! has_setting "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD"; then
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"  # made elsewhere, and moved here
  elif [[ -f $build/build.ninja && $is_configuration_old == no ]]; then
    if ((${#options[@]} == 0)) || has_setting "WARPLAB_LONG_TESTS:BOOL=ON"; then return; fi
  fi
  mkdir -p "$build" || die $BAD_INPUT "cannot write to $build"
  say "configuring $build"
  rm -f "$build/missing_packages.txt"
  cmake --preset "$backend" "${options[@]}" >"$build/configure.log" 2>&1 && return
  if [[ -s $build/missing_packages.txt ]]; then
    die $UNAVAILABLE "libraries are missing and could not be fetched: \
sudo apt-get install $(<"$build/missing_packages.txt")"
  fi
  grep -A 12 'CMake Error' "$build/configure.log" >&2 || tail -n 20 "$build/configure.log" >&2
  die $OWN_FAULT "CMake could not configure $build; the whole story is in $build/configure.log"
}

build_program() {
  local -a command=(cmake --build --preset "$backend" --target warplab_run)
  [[ -x $build/bin/warplab-run ]] || say "building; the first time takes minutes"
  if [[ -t 1 ]]; then
    "${command[@]}" && return
  else
    "${command[@]}" >"$build/build.log" 2>&1 && return
    grep -v '^\[' "$build/build.log" >&2
  fi
  die $OWN_FAULT "$build/bin/warplab-run did not build"
}

caller=$PWD invocation="./run_all.sh${*:+ $*}" is_configuration_old=no
cd "$(dirname "${BASH_SOURCE[0]}")" || exit $OWN_FAULT
# shellcheck source=scripts/debian.sh
source scripts/debian.sh
# shellcheck source=scripts/compilers.sh
source scripts/compilers.sh
# shellcheck source=scripts/bundle.sh
source scripts/bundle.sh
trap '[[ -z $unpacking ]] || rm -rf "$unpacking"' EXIT
trap 'die $INTERRUPTED "interrupted; no results were written"' INT TERM

read_arguments "$@"
if [[ $mode == bundle ]]; then make_bundle && exit $OK; fi
choose_backend
build=build/$backend
use_bundle
ensure_packages
configure
build_program
exec "$build/bin/warplab-run" "${arguments[@]}" --backend "$backend" --command "$invocation" --from "$caller"
