# shellcheck shell=bash
# Sourced by run_all.sh, after debian.sh: libraries for a machine without a network, in one file.
readonly BUNDLE=warplab-deps.tar.gz
unpacking=""  # a folder that is removed at the end

# What libraries in binary form fit: "Debian GNU/Linux 12 (bookworm), x86_64".
this_system() {
  say "$(sed -n 's/^PRETTY_NAME="\?\([^"]*\)"\?$/\1/p' /etc/os-release 2>/dev/null), $(uname -m)"
}

# Unpacks the bundle, if there is one, and puts its tools after those of the machine.
use_bundle() {
  if [[ -f $BUNDLE && ! -e .deps ]]; then
    if ! { unpacking=$(mktemp -d .deps-XXXXXX.partial) && tar -C "$unpacking" -xzf "$BUNDLE" 2>/dev/null &&
      mv -T "$unpacking/.deps" .deps; }; then
      die "$BAD_INPUT" "$BUNDLE cannot be unpacked; make it again with ./run_all.sh --bundle-deps"
    fi
    rm -rf "$unpacking"
    say "libraries: from $BUNDLE, unpacked into .deps"
  fi
  if [[ -f .deps/made_on && $(<.deps/made_on) != "$(this_system)" ]]; then
    die "$BAD_INPUT" "the libraries in .deps are of $(<.deps/made_on), and this is $(this_system):
  run ./run_all.sh --bundle-deps on a machine like this one, and remove .deps"
  fi
  [[ ! -d .deps/usr/bin ]] || export PATH=$PATH:$PWD/.deps/usr/bin
}

# bundle_packages FOLDER: Debian's packages, unpacked into FOLDER/usr.
bundle_packages() {
  local folder=$1 package
  local -a packages
  mapfile -t packages < <(packages_of library testing)
  # The library that libfmt-dev needs has its version in its name.
  packages+=(ninja-build "$(apt-cache depends libfmt-dev 2>/dev/null |
    sed -n 's/^ *Depends: \(libfmt[0-9]*\)$/\1/p')")
  mkdir "$folder/download"
  # apt leaves its own user no way into this folder, and says so each time.
  (cd "$folder/download" && apt-get download -qq "${packages[@]}") 2>/dev/null || return 1
  for package in "$folder"/download/*.deb; do dpkg-deb -x "$package" "$folder" || return 1; done
  rm -rf "${folder:?}"/{download,etc,usr/share/{doc,lintian,bash-completion,zsh}}
  this_system >"$folder/made_on"
}

# bundle_sources FOLDER: the pinned releases that CMake would fetch, in FOLDER/archives.
bundle_sources() {
  cmake -DDESTINATION="$1/archives" -P cmake/WarplabBundle.cmake >"$1/log" 2>&1 && rm "$1/log"
}

make_bundle() {
  unpacking=$(mktemp -d .deps-XXXXXX.partial) ||
    die "$BAD_INPUT" "cannot write to $PWD, where $BUNDLE would go"
  mkdir "$unpacking/.deps"
  local kind
  kind="packages of $(this_system)"
  if ! { is_debian && bundle_packages "$unpacking/.deps"; }; then
    rm -rf "$unpacking/.deps" && mkdir "$unpacking/.deps"
    kind="sources, for any machine"
    bundle_sources "$unpacking/.deps" ||
      die "$UNAVAILABLE" "the libraries are neither among this machine's packages nor on github.com: \
is there a network?"
  fi
  if ! { tar -C "$unpacking" -czf "$unpacking/$BUNDLE" .deps && mv "$unpacking/$BUNDLE" "$BUNDLE"; }; then
    die "$OWN_FAULT" "cannot write $BUNDLE"
  fi
  say "$BUNDLE: $kind ($(wc -c <"$BUNDLE") bytes)"
  say "next: copy it beside run_all.sh where there is no network, and run ./run_all.sh there"
}
