#!/usr/bin/env bash
# Makes docs/images/*.png: the pages of committed runs as a browser shows them. It needs Chromium and a build:
#   cmake --build --preset emulator --target warplab_results && docs/screenshots.sh [BUILD_FOLDER]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly program=${1:-build/emulator}/bin/warplab-results

die() {
  printf 'docs/screenshots.sh: %s\n' "$2" >&2
  exit "$1"
}

[[ -x $program ]] || die 2 "$program is not built: cmake --build --preset emulator --target warplab_results"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  die 3 "Chromium is not installed (chromium)"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p docs/images

# shot PAGE SECTION NAME WIDTH HEIGHT [dark]: docs/images/NAME.png, of the whole page where SECTION is "",
# else only of that part: a browser without a window draws no more than the page's top.
shot() {
  local page=$1 section=$2 name=$3 width=$4 height=$5 scheme=${6:-light}
  # Blink's names of colour schemes: 0 is dark.
  local -a colours=()
  [[ $scheme == light ]] || colours=(--blink-settings=preferredColorScheme=0)
  [[ -z $section ]] ||
    sed "s|</style>|main>:not(#$section){display:none}</style>|" "$scratch/$page" >"$scratch/section.html"
  [[ -z $section ]] || page=section.html
  "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync \
    --disable-background-networking --disable-component-update --hide-scrollbars "${colours[@]}" \
    --user-data-dir="$scratch/profile" --window-size="$width,$height" \
    --screenshot="$scratch/$name.png" "file://$scratch/$page" >/dev/null 2>&1 ||
    die 4 "the browser could not show $page"
  [[ -s $scratch/$name.png ]] || die 4 "the browser drew nothing of $page"
  mv "$scratch/$name.png" "docs/images/$name.png"
  printf 'docs/images/%s.png\n' "$name"
}

"$program" report results/h100-80gb-hbm3 --out "$scratch/run.html" >/dev/null
"$program" report results/emulator-lens --out "$scratch/lens.html" >/dev/null
"$program" report --published results/h100-80gb-hbm3-published --out "$scratch/published.html" >/dev/null
# The naive transpose's lines unfolded, as a click does it, and nothing but them.
sed 's|<summary><b>naive</b>|<summary id="naive"><b>naive</b>|; s|<details>|<details open="open">|' \
  "$scratch/lens.html" |
  sed 's|</style>|#lab6>:not(h2,h3,details),#lab6>details:not(:has(#naive)){display:none}</style>|' \
    >"$scratch/unfolded.html"

shot run.html "" report-run 1100 700
shot run.html lab7 report-ladder 1100 860
shot run.html lab7 report-dark 1100 860 dark
shot unfolded.html lab6 report-lens 1100 860
shot published.html table4 report-published 1100 860
