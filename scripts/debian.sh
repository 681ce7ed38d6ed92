# shellcheck shell=bash
# Sourced by scripts that need packages of Debian or Ubuntu.
package_list=$(dirname "${BASH_SOURCE[0]}")/packages.txt

is_debian() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }
is_installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -q '^installed'; }

# at_least VERSION MINIMUM
at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

# packages_of GROUP...: prints their packages, one per line.
packages_of() {
  local group package wanted
  while read -r group package _; do
    for wanted; do
      if [[ $group == "$wanted" ]]; then printf '%s\n' "$package"; fi
    done
  done <"$package_list"
}

# missing_of GROUP...: prints those of their packages that are not installed.
missing_of() {
  local package
  for package in $(packages_of "$@"); do
    is_installed "$package" || printf '%s\n' "$package"
  done
}

# apt_install PACKAGE...: as root, or with what `sudo` holds before each command.
apt_install() {
  "${sudo[@]}" apt-get update &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}
sudo=()
