#!/usr/bin/env bash
# Gradescope runs this once, as root, when an upload becomes an image: it installs what warplab needs and
# builds what
# grading needs.
set -euo pipefail

root=${AUTOGRADER_ROOT:-/autograder}
source=$root/source
tree=$source/tree
# shellcheck source=/dev/null
. "$source/settings.sh"

die() {
  printf 'setup.sh: %s\n' "$*" >&2
  exit 1
}

# shellcheck source=scripts/debian.sh
. "$tree/scripts/debian.sh"

install() {
  printf 'installing %s\n' "$*"
  apt_install "$@" || die "apt-get could not install $*"
}

mapfile -t missing < <(missing_of tool library archive grading sandbox)
((${#missing[@]} == 0)) || install "${missing[@]}"

compiler=g++
if (($(g++ -dumpversion | cut -d . -f 1) < 12)); then
  is_installed g++-12 || install g++-12
  compiler=g++-12
fi
version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
at_least "$version" 3.24 ||
  die "this image has CMake $version, and 3.24 or later is needed: choose Ubuntu 24.04 or Debian 12 for" \
    "the autograder's image"

CXX=$compiler cmake -S "$tree" --preset emulator -DWARPLAB_TESTS=OFF
cmake --build "$tree/build/emulator" --target "${TARGETS[@]}"

# A sandboxed compiler, which is another user, reads the tree and the build. It must not read the seed and
# the hidden sizes.
chmod a+rx "$root" "$source"
chmod -R a+rX "$tree"
chmod -R go= "$source/judge" "$tree/tests"
