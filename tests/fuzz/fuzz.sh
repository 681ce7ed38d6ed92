#!/usr/bin/env bash
# Looks with AFL++ for inputs that a reader does not answer: ./tests/fuzz/fuzz.sh [SECONDS [TARGET...]]
# Needs the package afl++. Builds once into build/fuzz, with both sanitizers. All that it finds is kept in
# build/fuzz/found/TARGET, where the next run goes on. Inputs that reach code which no input of the corpus
# reaches are copied to tests/fuzz/corpus/TARGET, and a line per target is added to tests/fuzz/hours.md:
# commit both. What a reader died of is named at the end, and the exit code is 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-60}
shift || true
command -v afl-fuzz >/dev/null || { echo "fuzz.sh: afl-fuzz is missing: apt-get install afl++" >&2; exit 4; }
targets=("$@")
if ((${#targets[@]} == 0)); then
  for file in tests/fuzz/targets/*.cpp; do targets+=("$(basename "$file" .cpp)"); done
fi

export AFL_QUIET=1 AFL_NO_UI=1 AFL_NO_COLOR=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0:allocator_may_return_null=1
CXX=afl-clang-fast++ CC=afl-clang-fast cmake --preset asan -B build/fuzz -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS="-fsized-deallocation -include $PWD/tests/fuzz/without_gcc.hpp" >/dev/null
cmake --build build/fuzz --target "${targets[@]/#/fuzz_}" -- --quiet

# reached FOLDER: which edges its files reach, a line "EDGE FILE" each
reached() {
  local maps map
  maps=$(mktemp -d)
  # The grader's readers have more edges than afl-showmap makes room for.
  AFL_MAP_SIZE=1048576 afl-showmap -q -e -m none -t 5000 -i "$1" -o "$maps" -- "$program" \
    >/dev/null 2>&1 || true
  for map in "$maps"/*; do
    if [[ -f $map ]]; then awk -F: -v file="${map##*/}" '{ print $1, file }' "$map"; fi
  done
  rm -r "$maps"
}

# Of what was found, the smallest files first, those that reach an edge that nothing before them reaches.
# Larger ones than 4 KiB stay where they are, and so do all but twenty: the tests try some thousand changed
# copies of each. Prints how many were copied.
give_back() {
  local file kept order new=0 most=20
  order=$(find "$out/default/queue" -maxdepth 1 -type f -size -4097c -printf '%s %f\n' | sort -n)
  while read -r file; do
    kept=$corpus/found-$(sha256sum "$out/default/queue/$file" | cut -c 1-12)
    if [[ -e $kept ]]; then continue; fi
    cp "$out/default/queue/$file" "$kept"
    new=$((new + 1))
  done < <({
    reached "$corpus" | awk '{ print "known", $1 }'
    awk '{ print "file", $2 }' <<<"$order"
    reached "$out/default/queue" | awk '{ print "edge", $1, $2 }'
  } | awk '
    $1 == "known" { known[$2] }
    $1 == "file" { files[++count] = $2 }
    $1 == "edge" && !($2 in known) { edges[$3] = edges[$3] " " $2 }
    END {
      for (i = 1; i <= count; ++i) {
        fresh = 0
        number = split(edges[files[i]], of_file, " ")
        for (k = 1; k <= number; ++k) if (!(of_file[k] in known)) { known[of_file[k]]; fresh = 1 }
        if (fresh) print files[i]
      }
    }' | head -n "$most")
  echo "$new"
}

# value NAME: of fuzzer_stats
value() { awk -F' *: ' -v name="$1" '$1 == name { print $2 }' "$out/default/fuzzer_stats"; }

died=()
TIMEFORMAT='%U %S'
mkdir -p build/fuzz/found
commit=$(git rev-parse --short=8 HEAD)
for target in "${targets[@]}"; do
  out=build/fuzz/found/$target corpus=tests/fuzz/corpus/$target program=build/fuzz/tests/bin/fuzz_$target
  input=$corpus before=0
  if [[ -d $out/default ]]; then input=- before=$(value execs_done); fi  # goes on where it ended
  { time afl-fuzz -i "$input" -o "$out" -m none -t 5000 -V "$seconds" -- "$program" \
    >"build/fuzz/$target.log" 2>&1; } 2>"build/fuzz/$target.time" ||
    { tail -n 20 "build/fuzz/$target.log" >&2; exit 1; }
  hours=$(awk '{ printf "%.2f", ($1 + $2) / 3600 }' "build/fuzz/$target.time")
  inputs=$(value execs_done)
  if ((inputs >= before)); then inputs=$((inputs - before)); fi
  new=$(give_back)
  printf '%-12s %9d inputs in %s processor hours, %d new ones in the corpus, %d crashes, %d hangs\n' \
    "$target" "$inputs" "$hours" "$new" "$(value saved_crashes)" "$(value saved_hangs)"
  printf '| %s | %s | %s | %d | %d | %d | %d |\n' "$commit" "$target" "$hours" "$inputs" "$new" \
    "$(value saved_crashes)" "$(value saved_hangs)" >>tests/fuzz/hours.md
  for file in "$out"/default/{crashes,hangs}/id*; do
    if [[ -e $file ]]; then died+=("$file"); fi
  done
done
if ((${#died[@]})); then
  printf 'a reader died of, or did not end on:\n' >&2
  printf '  %s\n' "${died[@]}" >&2
  exit 1
fi
