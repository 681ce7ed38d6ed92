#!/usr/bin/env bash
# Judges the labs that were worked on, and leaves a page: .github/feedback.sh feedback.md
# A workflow runs it after each push. It needs no GPU, and knows nothing that would be secret.
set -euo pipefail

page=${1:?"usage: .github/feedback.sh PAGE"}
program=build/emulator/bin/warplab

# The labs of which a file differs from the first commit, which is the template's, by their names.
labs_worked_on() {
  local first
  first=$(git rev-list --max-parents=0 HEAD | tail -n 1)
  git diff --name-only "$first" HEAD -- labs | sed -nE 's,^labs/[0-9]+_([^/]+)/.*,\1,p' | sort -u
}

# end TEXT: a page of one sentence.
end() {
  printf '%s\n' "$1" | tee "$page"
  exit 0
}

mapfile -t labs < <(labs_worked_on)
((${#labs[@]})) || end "No lab was worked on yet: change a file in labs/, commit and push."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake --preset emulator -DWARPLAB_TESTS=OFF && cmake --build --preset emulator --target warplab; } \
  >"$log" 2>&1; then
  tail -n 30 "$log"
  end "Building warplab failed. Your labs are not at fault: please tell your instructor."
fi
# What the judge links each rung with. A file that does not compile is for the judge to tell of.
cmake --build --preset emulator --target "${labs[@]}" -- -k 0 >"$log" 2>&1 || true

# 0: all is right; 1: something is not; else the judge could not run.
status=0
"$program" test "${labs[@]}" --hint >"$log" 2>&1 || status=$?
cat "$log"
if ((status > 1)); then
  end "Your labs could not be judged: $(tail -n 1 "$log")"
fi
{
  printf '## %s at %s\n\n~~~~~~~~~~text\n' "$(printf '%s ' "${labs[@]}")" "$(git rev-parse --short HEAD)"
  # No line of a submission can end the block, or be as long as a page may not be.
  head -c 60000 "$log" | sed 's/^~~~/ ~~~/'
  printf '\n~~~~~~~~~~\n\nHidden sizes are judged when it is graded.\n'
} >"$page"
