#!/usr/bin/env bash
# Builds the emulator and the lens for 64-bit ARM, on a Debian of another processor, and runs their tests and
# all rungs of a lab under qemu-user. Needs root or installed packages (qemu-user, g++-aarch64-linux-gnu) and
# a network. Libraries for ARM are unpacked below build/arm64, not installed.
#   tests/emulator/on_arm64.sh [TEST...]      default: all that start no program of their own
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/debian.sh
source scripts/debian.sh
missing=()
for package in qemu-user g++-aarch64-linux-gnu; do is_installed "$package" || missing+=("$package"); done
((${#missing[@]} == 0)) || apt_install "${missing[@]}"

# The libraries, from the lists of this Debian's release for ARM.
build=$PWD/build/arm64
export WARPLAB_ARM64_LIBRARIES=$build/libraries
if [[ ! -d $WARPLAB_ARM64_LIBRARIES ]]; then
  mkdir -p "$build/apt"/{lists,cache/archives}/partial
  # shellcheck source=/dev/null
  release=$(source /etc/os-release && echo "$VERSION_CODENAME")
  printf 'deb http://deb.debian.org/debian %s main\n' "$release" >"$build/apt/sources.list"
  options=(-o APT::Architecture=arm64 -o APT::Architectures=arm64
    -o "Dir::State::Lists=$build/apt/lists" -o "Dir::Cache=$build/apt/cache"
    -o "Dir::Etc::SourceList=$build/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null)
  apt-get -qq "${options[@]}" update
  # libfmt9 on Debian 12, libfmt10 on Debian 13
  libfmt=$(apt-cache "${options[@]}" depends libfmt-dev | sed -n 's/^ *Depends: *\(libfmt[0-9].*\)$/\1/p')
  (cd "$build/apt" && apt-get -qq "${options[@]}" download libgtest-dev libfmt-dev "$libfmt" libcli11-dev \
    nlohmann-json3-dev libstb-dev)
  mkdir "$WARPLAB_ARM64_LIBRARIES.partial"
  for file in "$build"/apt/*.deb; do dpkg -x "$file" "$WARPLAB_ARM64_LIBRARIES.partial"; done
  mv "$WARPLAB_ARM64_LIBRARIES.partial" "$WARPLAB_ARM64_LIBRARIES"
fi

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWARPLAB_BACKEND=emulator \
  -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/Aarch64Emulated.cmake" >/dev/null
# qemu-user runs a program, and none that it starts: emulator_findings_test runs `findings`, and the tests of
# warplab-cc, of libraries of templates and of the lens guide start compilers.
tests=("$@")
if ((${#tests[@]} == 0)); then
  mapfile -t tests < <(ninja -C "$build" -t targets all |
    sed -nE 's/^(emulator_\w+_test|lens_report_test|nsight_csv_test): phony$/\1/p' |
    grep -vx emulator_findings_test | sort)
  ((${#tests[@]} > 0)) || { printf 'the build has no tests of the emulator\n' && exit 1; }
fi
ninja -C "$build" transpose "${tests[@]}"
on_arm() { (cd "$build" && qemu-aarch64 -R 17179869184 -L /usr/aarch64-linux-gnu "$@"); }
failed=()
on_arm bin/transpose --size 100x70 --lens --in-process >"$build/transpose.out" || failed+=(bin/transpose)
for test in "${tests[@]}"; do
  printf '%s\n' "$test"
  on_arm "tests/bin/$test" --gtest_brief=1 || failed+=("$test")
  # As in tests/emulator/CMakeLists.txt: once more with a fiber per thread
  [[ $test != emulator_@(barrier|warp)_loops_test ]] ||
    WARPLAB_FIBERS=1 on_arm "tests/bin/$test" --gtest_brief=1 || failed+=("$test on fibers")
done
((${#failed[@]} == 0)) || { printf 'failed on ARM: %s\n' "${failed[*]}" && exit 1; }
printf 'the lab and all %d programs of tests pass on ARM\n' "${#tests[@]}"
