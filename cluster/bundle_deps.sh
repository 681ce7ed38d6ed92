# How ./run_all.sh --bundle-deps, which sources this, makes $BUNDLE.

readonly BUNDLED_PACKAGES="libgtest-dev libcli11-dev libfmt-dev nlohmann-json3-dev libstb-dev ninja-build"

# bundle_packages FOLDER: Debian's packages, unpacked into FOLDER/usr.
bundle_packages() {
  local folder=$1 package
  local -a packages
  read -ra packages <<<"$BUNDLED_PACKAGES"
  # The library behind libfmt-dev has its version in its name.
  packages+=("$(apt-cache depends libfmt-dev 2>/dev/null | sed -n 's/^ *Depends: \(libfmt[0-9]*\)$/\1/p')")
  mkdir "$folder/download"
  # apt leaves its own user no way into this folder, and says so each time.
  (cd "$folder/download" && apt-get download -qq "${packages[@]}") 2>/dev/null || return 1
  for package in "$folder"/download/*.deb; do dpkg-deb -x "$package" "$folder" || return 1; done
  rm -rf "$folder"/{download,etc,usr/share/{doc,lintian,bash-completion,zsh}}
  this_system >"$folder/made_on"
}

# bundle_sources FOLDER: the pinned releases that CMake would fetch, in FOLDER/archives.
bundle_sources() { cmake -DDESTINATION="$1/archives" -P cmake/WarplabBundle.cmake >"$1/log" 2>&1 && rm "$1/log"; }

bundle_mode() {
  staging=$(mktemp -d .deps-XXXXXX.partial) || die $BAD_INPUT "cannot write to $PWD, where $BUNDLE would go"
  mkdir "$staging/.deps"
  local kind="packages of $(this_system)"
  if ! { is_debian && bundle_packages "$staging/.deps"; }; then
    rm -rf "$staging/.deps" && mkdir "$staging/.deps"
    kind="sources, for any machine"
    bundle_sources "$staging/.deps" ||
      die $UNAVAILABLE "the libraries can be had neither from this machine's packages nor from github.com; is there a network?"
  fi
  tar -C "$staging" -czf "$staging/$BUNDLE" .deps && mv "$staging/$BUNDLE" "$BUNDLE" || die $OWN_FAULT "cannot write $BUNDLE"
  say "$BUNDLE: $kind ($(wc -c <"$BUNDLE") bytes)"
  say "next: copy it beside run_all.sh where there is no network, and run ./run_all.sh there"
}
