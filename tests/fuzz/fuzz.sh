#!/usr/bin/env bash
# Looks with AFL++ for inputs that a reader does not answer: ./tests/fuzz/fuzz.sh [SECONDS [TARGET...]]
# Needs the package afl++. Builds once into build/fuzz, with both sanitizers. What is new goes into
# build/fuzz/found/TARGET; what a reader died of is named at the end, and the exit code is 1.
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
CXX=afl-g++ CC=afl-gcc cmake --preset asan -B build/fuzz -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build build/fuzz --target "${targets[@]/#/fuzz_}" -- --quiet

died=()
mkdir -p build/fuzz/found
for target in "${targets[@]}"; do
  out=build/fuzz/found/$target
  input=tests/fuzz/corpus/$target
  if [[ -d $out/default ]]; then input=-; fi  # goes on where it ended
  afl-fuzz -i "$input" -o "$out" -m none -t 5000 -V "$seconds" -- "build/fuzz/tests/bin/fuzz_$target" @@ \
    >"build/fuzz/$target.log" 2>&1 || { tail -n 20 "build/fuzz/$target.log" >&2; exit 1; }
  awk -F: -v target="$target" '{ gsub(/ /, ""); value[$1] = $2 }
    END { printf "%-12s %9d inputs in all, %d in the corpus, %d crashes, %d hangs\n", target,
          value["execs_done"], value["corpus_count"], value["saved_crashes"], value["saved_hangs"] }' \
    "$out/default/fuzzer_stats"
  for file in "$out"/default/{crashes,hangs}/id*; do
    if [[ -e $file ]]; then died+=("$file"); fi
  done
done
if ((${#died[@]})); then
  printf 'a reader died of, or did not end on:\n' >&2
  printf '  %s\n' "${died[@]}" >&2
  exit 1
fi
