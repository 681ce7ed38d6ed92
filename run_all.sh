#!/usr/bin/env bash
# Sets warplab up, builds it and runs every lab (or every test) on this machine. ./run_all.sh --help says how.
set -uo pipefail

readonly OK=0 CHECK_FAILED=1 BAD_INPUT=2 UNAVAILABLE=3 OWN_FAULT=4
readonly MINIMUM_CMAKE=3.24 MINIMUM_NVCC=12.4

usage() {
  cat <<'HELP'
Usage: ./run_all.sh [options]

  (nothing)           set up, build, run every lab, write results/run-<date>-<n>/, print one table and the next command
  --tests [all]       set up, build and run the tests; `all` adds the long ones
  --labs A,B          only these labs: transpose or 07_transpose
  --backend B         auto (default: cuda where nvcc and a GPU work, else emulator), cuda, emulator
  --profile P         none (default), lens (counts by line: the emulator's, or on a GPU Nsight Compute's), ncu (what Nsight
                      Compute itself prints, into the .err files; on a GPU)
  --group NAME        group in the result files' names: <program>-<group>-<profile>-<number>.out (default: the backend)
  --repeat N          timed repetitions of each rung
  --suite S           default; published: replay the published experiments; sweep: many shapes, of labs that have them
  --out DIR           write the results to DIR instead of results/run-<date>-<n>
  --install           install missing system packages without asking (Debian, Ubuntu)
  --bundle-deps       on a machine with a network: put the libraries that are built with into warplab-deps.tar.gz, which
                      run_all.sh unpacks and uses on a machine without, where it lies in the same folder
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

# --- The command line -------------------------------------------------------------------------------------------------

readonly OPTIONS="--tests --labs --backend --profile --group --repeat --suite --out --install --bundle-deps --help"
mode=run tests=standard labs_asked="" backend=auto profile=none group="" repeat="" suite="" out="" consent=no

# closest WORD CANDIDATE...: prints the candidate within an edit distance of 3 of WORD, if there is one.
closest() {
  local word=$1
  shift
  printf '%s\n' "$@" | awk -v word="$word" '
    function min(a, b) { return a < b ? a : b }
    function distance(a, b,    i, j, row, before, diagonal) {
      for (j = 0; j <= length(b); j++) row[j] = j
      for (i = 1; i <= length(a); i++) {
        diagonal = row[0]; row[0] = i
        for (j = 1; j <= length(b); j++) {
          before = row[j]
          row[j] = min(min(row[j] + 1, row[j - 1] + 1), diagonal + (substr(a, i, 1) != substr(b, j, 1)))
          diagonal = before
        }
      }
      return row[length(b)]
    }
    { d = distance(word, $0); if (d <= 3 && (best == "" || d < least)) { least = d; best = $0 } }
    END { print best }'
}

# one_of FLAG VALUE ACCEPTED...: dies unless VALUE is accepted.
one_of() {
  local flag=$1 value=$2 accepted
  shift 2
  for accepted in "$@"; do [[ $value == "$accepted" ]] && return; done
  die $BAD_INPUT "$flag is '$value'; it takes one of: $(join ', ' "$@")"
}

# join SEPARATOR WORD...
join() {
  local separator=$1 first=${2-}
  shift 2
  printf '%s' "$first" "${@/#/$separator}"
}

parse_arguments() {
  while (($#)); do
    local flag=$1 value
    shift
    case $flag in
      --help | -h) usage && exit $OK ;;
      --install) consent=yes && continue ;;
      --bundle-deps) mode=bundle && continue ;;
      --tests)
        mode=tests
        if [[ ${1-} == all ]]; then tests=all && shift; fi
        if (($#)) && [[ $1 != --* ]]; then die $BAD_INPUT "--tests takes 'all' or nothing, not '$1'"; fi
        continue
        ;;
      --*=*) value=${flag#*=} flag=${flag%%=*} ;;
      --labs | --backend | --profile | --group | --repeat | --suite | --out)
        [[ -n ${1-} ]] || die $BAD_INPUT "$flag needs a value; see ./run_all.sh --help"
        value=$1
        shift
        ;;
      *) unknown_option "$flag" ;;
    esac
    case $flag in
      --tests) mode=tests tests=$value && one_of --tests "$value" standard all ;;
      --labs) labs_asked=$value ;;
      --backend) backend=$value && one_of --backend "$value" auto cuda emulator ;;
      --profile) profile=$value && one_of --profile "$value" none lens ncu ;;
      --suite) suite=$value && one_of --suite "$value" default published sweep ;;
      --group)
        group=$value
        [[ $group =~ ^[A-Za-z0-9_.]+$ ]] ||
          die $BAD_INPUT "--group is '$group'; it takes letters, digits, '_' and '.', as it becomes part of file names"
        ;;
      --repeat)
        repeat=$value
        [[ $repeat =~ ^([1-9][0-9]{0,2}|1[0-9]{3}|2000)$ ]] || die $BAD_INPUT "--repeat is '$repeat'; it takes a whole number from 1 to 2000"
        ;;
      --out) out=$value ;;
      *) unknown_option "$flag" ;;
    esac
  done
}

unknown_option() {
  local -a known
  read -ra known <<<"$OPTIONS"
  local guess
  guess=$(closest "$1" "${known[@]}")
  die $BAD_INPUT "unknown option '$1'${guess:+ (did you mean $guess?)}; it takes $OPTIONS"
}

# Fills `labs` with the stems to run, in the order of their numbers.
choose_labs() {
  local folder
  local -a all=() asked=()
  for folder in labs/[0-9][0-9]_*/CMakeLists.txt; do
    [[ -e $folder ]] || continue
    folder=$(basename "$(dirname "$folder")")
    all+=("${folder#??_}")
  done
  labs=("${all[@]}")
  [[ -n $labs_asked ]] || return 0
  local lab known guess
  IFS=, read -ra asked <<<"$labs_asked"
  for lab in "${asked[@]}"; do
    known=no
    for folder in "${all[@]}"; do [[ ${lab#[0-9][0-9]_} == "$folder" ]] && known=yes; done
    if [[ $known == no ]]; then
      guess=$(closest "$lab" "${all[@]}")
      die $BAD_INPUT "unknown lab '$lab'${guess:+ (did you mean $guess?)}; there are: $(join ', ' "${all[@]}")"
    fi
  done
  ((${#asked[@]})) || die $BAD_INPUT "--labs names no lab; there are: $(join ', ' "${all[@]}")"
  labs=("${asked[@]#[0-9][0-9]_}")
}

# --- What this machine has --------------------------------------------------------------------------------------------

# at_least VERSION MINIMUM
at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

find_nvcc() {
  local folder
  for folder in "$(dirname "$(command -v nvcc || echo /none/nvcc)")" "${CUDA_HOME-}/bin" "${CUDA_PATH-}/bin" /usr/local/cuda/bin; do
    if [[ -x $folder/nvcc ]]; then
      nvcc_version=$("$folder/nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
      export CUDACXX=$folder/nvcc PATH=$PATH:$folder
      return 0
    fi
  done
  return 1
}

# Sets `backend` and says which and why.
choose_backend() {
  local gpus="" obstacle=""
  if ! find_nvcc; then
    obstacle="there is no nvcc"
  elif ! at_least "$nvcc_version" $MINIMUM_NVCC; then
    obstacle="nvcc is $nvcc_version and CUDA Toolkit $MINIMUM_NVCC or later is needed"
  elif ! gpus=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null) || [[ -z $gpus ]]; then
    obstacle="nvcc $nvcc_version is here, but no working GPU (nvidia-smi lists none)"
  fi
  case $backend in
    auto)
      if [[ -z $obstacle ]]; then
        backend=cuda
        say "backend: cuda (nvcc $nvcc_version and ${gpus%%$'\n'*})"
      else
        backend=emulator
        say "backend: emulator, CUDA on this CPU ($obstacle)"
      fi
      ;;
    cuda)
      [[ -z $obstacle ]] || die $UNAVAILABLE "--backend cuda: $obstacle; --backend emulator runs on any machine"
      say "backend: cuda (as asked; nvcc $nvcc_version and ${gpus%%$'\n'*})"
      ;;
    emulator) say "backend: emulator, CUDA on this CPU (as asked)" ;;
  esac
  case $profile in
    ncu)
      [[ $backend == cuda ]] || die $UNAVAILABLE "--profile ncu needs a GPU; on the emulator take --profile lens"
      ;;&
    ncu | lens)
      [[ $backend == emulator ]] || command -v ncu >/dev/null ||
        die $UNAVAILABLE "--profile $profile: Nsight Compute (ncu) is not installed; the labs run without it"
      ;;
  esac
  [[ -n $group ]] || group=$backend
}

# Puts a g++ of this major version or later into CXX, if one is installed.
find_compiler() {
  local minimum=$1 candidate major
  for candidate in "${CXX-}" g++ g++-15 g++-14 g++-13 g++-12; do
    [[ -n $candidate ]] && command -v "$candidate" >/dev/null || continue
    major=$("$candidate" -dumpversion) && major=${major%%.*}
    if [[ $major =~ ^[0-9]+$ ]] && ((major >= minimum)); then
      [[ $candidate == g++ ]] || export CXX=$candidate
      return 0
    fi
  done
  return 1
}

is_debian() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }
is_installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -q '^installed'; }

# want PACKAGES WHAT_IS_LOST TEST...: installs what is good to have, unless the test finds it.
want() {
  local packages=$1 lost=$2
  shift 2
  "$@" >/dev/null 2>&1 || ! is_debian || [[ -d .deps ]] || install_packages $packages || say "not installed: $packages; $lost"
}

# Installs what is missing or says what to install. Tools must be here; libraries CMake can also fetch.
ensure_packages() {
  local -a tools=() libraries=() missing=()
  local package
  use_bundle
  command -v cmake >/dev/null || tools+=(cmake)
  command -v ninja >/dev/null || tools+=(ninja-build)
  if [[ $backend == emulator ]]; then
    find_compiler 12 || { command -v g++ >/dev/null && tools+=(g++-12) || tools+=(g++); }
  else
    find_compiler 11 || tools+=(g++)
  fi
  if is_debian && [[ ! -d .deps && -z ${CMAKE_PREFIX_PATH-} ]]; then
    for package in libgtest-dev libcli11-dev libfmt-dev nlohmann-json3-dev libstb-dev libarchive-dev; do
      is_installed "$package" || libraries+=("$package")
    done
  fi
  missing=("${tools[@]}" "${libraries[@]}")
  if ((${#missing[@]})); then
    if ! install_packages "${missing[@]}"; then
      ((${#tools[@]} == 0)) || die $UNAVAILABLE "missing: $(join ', ' "${missing[@]}"). Install with:
  $(install_command "${missing[@]}")"
      say "not installed: $(join ', ' "${libraries[@]}"); CMake will try to fetch them, or do without"
    fi
  fi
  if [[ $tests == all ]]; then
    want python3-scipy "the tests that compare with SciPy are skipped" /usr/bin/python3 -c 'import scipy'
    want "doxygen graphviz" "the test that makes the site is skipped" hash doxygen dot
    want bubblewrap "the tests of grading in bubblewrap are skipped" hash bwrap
  fi
  want gnuplot-nox "reports come without charts" hash gnuplot
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
  at_least "$version" $MINIMUM_CMAKE ||
    die $UNAVAILABLE "CMake $MINIMUM_CMAKE or later is needed and this is $version; Debian 12 and Ubuntu 24.04 have one, as has https://cmake.org/download"
}

install_command() {
  if is_debian; then
    say "sudo apt-get update && sudo apt-get install --no-install-recommends $*"
  else
    say "your package manager, for what Debian calls: $*"
  fi
}

# Fails if it may not install (neither root nor consent) or if it cannot.
install_packages() {
  is_debian || return 1
  local -a sudo=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || return 1
    if [[ $consent == no ]]; then
      [[ -t 0 && -t 1 ]] || return 1
      local answer
      read -rp "warplab needs $*. Install with sudo apt-get? [y/N] " answer
      [[ $answer == [yY]* ]] || return 1
    fi
    sudo=(sudo)
  fi
  say "installing $*"
  local log
  log=$(mktemp)
  if "${sudo[@]}" apt-get update >"$log" 2>&1 &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >>"$log" 2>&1; then
    rm -f "$log"
    return 0
  fi
  printf 'run_all.sh: apt-get could not install them; its last words:\n' >&2
  tail -n 3 "$log" >&2
  rm -f "$log"
  return 1
}

# --- Libraries for a machine without a network ------------------------------------------------------------------------

readonly BUNDLE=warplab-deps.tar.gz
# What libraries in binary form fit: "Debian GNU/Linux 12 (bookworm), x86_64".
this_system() { say "$(sed -n 's/^PRETTY_NAME="\?\([^"]*\)"\?$/\1/p' /etc/os-release 2>/dev/null), $(uname -m)"; }

# Unpacks the bundle, if there is one, and puts its tools behind those of the machine.
use_bundle() {
  if [[ -f $BUNDLE && ! -e .deps ]]; then
    unpacking=$(mktemp -d .deps-XXXXXX.partial) && tar -C "$unpacking" -xzf "$BUNDLE" 2>/dev/null && mv -T "$unpacking/.deps" .deps ||
      die $BAD_INPUT "$BUNDLE cannot be unpacked; make it again with ./run_all.sh --bundle-deps"
    rm -rf "$unpacking"
    say "libraries: from $BUNDLE, unpacked into .deps"
  fi
  if [[ -f .deps/made_on && $(<.deps/made_on) != "$(this_system)" ]]; then
    die $BAD_INPUT "the libraries in .deps are of $(<.deps/made_on), and this is $(this_system): run ./run_all.sh --bundle-deps on a machine like this one, and remove .deps"
  fi
  [[ ! -d .deps/usr/bin ]] || export PATH=$PATH:$PWD/.deps/usr/bin
}

# --- Stopping cleanly -------------------------------------------------------------------------------------------------

child="" staging="" unpacking="" under_way=""
finished=()

# Runs a command in a process group of its own, so that an interrupt reaches it, its workers, and nothing else.
run_child() {
  local status
  set -m
  "$@" </dev/null &
  child=$!
  set +m
  wait "$child"
  status=$?
  child=""
  return $status
}

clean_up() {
  [[ -z $child ]] || kill -TERM -- "-$child" 2>/dev/null
  [[ -z $staging ]] || rm -rf "$staging"
  [[ -z $unpacking ]] || rm -rf "$unpacking"
}

# What has been measured stays: on a cluster the time limit of a job ends here.
interrupted() {
  trap '' INT TERM
  ((${#finished[@]})) || die 130 "interrupted; no results were written"
  [[ -z $child ]] || kill -TERM -- "-$child" 2>/dev/null
  [[ -z $under_way ]] || rm -f "$staging/$under_way"-*
  child="" labs=("${finished[@]}")
  conclude
  die 130 "interrupted${under_way:+ in $under_way}; what ran before was written"
}

# --- Configure and build ----------------------------------------------------------------------------------------------

configure() {
  build=build/$backend
  local -a long=()
  [[ $mode != tests || $tests != all ]] || long=(-DWARPLAB_LONG_TESTS=ON)
  if [[ -f $build/build.ninja ]] && grep -qsF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$build/CMakeCache.txt"; then
    ((${#long[@]} == 0)) || grep -qsF "WARPLAB_LONG_TESTS:BOOL=ON" "$build/CMakeCache.txt" ||
      run_child cmake --preset "$backend" "${long[@]}" >"$build/configure.log" 2>&1 ||
      die $OWN_FAULT "CMake could not configure $build; the whole story is in $build/configure.log"
    return
  fi
  [[ -f $build/CMakeCache.txt ]] && ! grep -qsF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$build/CMakeCache.txt" &&
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
  mkdir -p "$build" || die $BAD_INPUT "cannot write to $build"
  say "configuring $build"
  if ! run_child cmake --preset "$backend" "${long[@]}" >"$build/configure.log" 2>&1; then
    if grep -q 'neither installed nor could be' "$build/configure.log"; then
      sed -n '/CMake Error/,/Call Stack/{/CMake Error/d;/Call Stack/d;/^ *$/d;p}' "$build/configure.log" >&2
      die $UNAVAILABLE "libraries are missing and could not be fetched; the command above installs them"
    fi
    grep -A 12 'CMake Error' "$build/configure.log" >&2 || tail -n 20 "$build/configure.log" >&2
    die $OWN_FAULT "CMake could not configure $build; the whole story is in $build/configure.log"
  fi
}

# Ninja's output for a log: every tenth of the way, and all that is not progress.
thin_progress() {
  awk '/^\[[0-9]+\/[0-9]+\]/ {
         split(substr($1, 2), n, "[]/]")
         tenth = int(10 * n[1] / n[2])
         if (tenth != last || n[1] == n[2]) { print "  " $1; fflush() }
         last = tenth
         next
       }
       /^ninja: (no work|Entering)/ { next }
       { print; fflush() }'
}

build_piped() { cmake --build --preset "$backend" "$@" -- -k 0 2>&1 | thin_progress; }

# build_targets [TARGET...]: builds as much as can be built; what failed to build is removed, so that no older one is run
# in its stead. Fails if anything did.
build_targets() {
  local -a targets=()
  (($# == 0)) || targets=(--target "$@")
  local started=$SECONDS
  say "building ($backend, $(nproc) cores)"
  if [[ -t 1 ]]; then
    run_child cmake --build --preset "$backend" "${targets[@]}" -- -k 0
  else
    run_child build_piped "${targets[@]}"
  fi && say "built in $((SECONDS - started)) s" && return 0
  # What would still be linked is stale. With ninja's own file a dry run would end at "Re-running CMake".
  cp "$build/build.ninja" "$build/dry-run.ninja"
  ninja -C "$build" -f dry-run.ninja -n "$@" 2>/dev/null |
    sed -n 's/^\[.*\] Linking CX*U*D*A*X* [a-z ]*[a-z] \([^ ]*\)$/\1/p' | (cd "$build" && xargs -r rm -f)
  rm -f "$build/dry-run.ninja"
  printf 'run_all.sh: some of it did not build (see above); the rest goes on\n' >&2
  return 1
}

# --- Run the labs -----------------------------------------------------------------------------------------------------

# Decides where the results go, before any work: `destination`, `number` and the folder `staging` that becomes it.
prepare_results() {
  local parent
  number=1
  if [[ -n $out ]]; then
    destination=$out
    if [[ -e $out && ! -d $out ]]; then die $BAD_INPUT "--out $out is a file; it takes a folder"; fi
    if [[ -d $out && -n $(ls -A "$out") && ! -f $out/results.json ]]; then
      die $BAD_INPUT "--out $out holds something that is not a run of warplab; it takes a new folder or that of an earlier run"
    fi
  else
    destination=results/run-$(date +%Y-%m-%d)
    while [[ -e $destination-$number ]]; do ((number++)); done
    destination=$destination-$number
  fi
  parent=$(dirname "$destination")
  mkdir -p "$parent" 2>/dev/null && staging=$(mktemp -d "$parent/.run-XXXXXX.partial" 2>/dev/null) ||
    die $BAD_INPUT "cannot write to $parent, where the results would go${out:+ (--out $out)}"
  if [[ -d $destination && ! -w $destination ]]; then die $BAD_INPUT "cannot write to $destination (--out)"; fi
  chmod 755 "$staging"
}

# The program of one lab, under the profiler if one was asked for: each rung's first call at each size is profiled.
run_program() {
  local lab=$1 stem=$2
  local -a command=("$build/bin/$lab" --json "$staging/parts/$lab.json" --csv "$staging/parts/$lab.csv")
  command+=(--pictures "$staging/pictures")
  [[ -z $repeat ]] || command+=(--repeat "$repeat")
  [[ -z $suite ]] || command+=(--suite "$suite")
  [[ $profile != lens ]] || command+=(--lens)
  if [[ $profile == ncu ]]; then
    WARPLAB_PROFILE_CALLS=1 ncu --target-processes all --profile-from-start off --clock-control none \
      --log-file "$stem.err" "${command[@]}" >"$stem.out" 2>&1
  else
    "${command[@]}" >"$stem.out" 2>"$stem.err"
  fi
}

# Runs every lab; leaves `parts/<lab>.json`, or `parts/<lab>.status` with the exit code where there is none.
run_labs() {
  local lab stem status count=0 started
  mkdir -p "$staging/parts" "$staging/pictures"
  for lab in "${labs[@]}"; do
    ((++count))
    stem=$staging/$lab-$group-$profile-$number
    started=$SECONDS
    under_way=$lab
    printf '[%d/%d] %-16s' "$count" "${#labs[@]}" "$lab"
    status=127
    if [[ ! -x $build/bin/$lab ]]; then say 'the program did not build' >"$stem.err"; else run_child run_program "$lab" "$stem"; status=$?; fi
    echo "$status" >"$staging/parts/$lab.status"
    ((status == 127)) || [[ ! -s $stem.err ]] || tail -n 1 "$stem.err" >"$staging/parts/$lab.why"
    case $status in
      0) printf 'ok, %d s\n' $((SECONDS - started)) ;;
      "$UNAVAILABLE") printf 'not available here: %s\n' "$(last_words "$stem")" ;;
      127) printf 'FAILED: it did not build\n' ;;
      1) if [[ -s $staging/parts/$lab.json ]]; then say 'FAILED: see the table'; else say "FAILED: $(last_words "$stem")"; fi ;;
      *) printf 'FAILED (exit code %d): %s\n' "$status" "$(last_words "$stem")" ;;
    esac
    case $status in
      0) ;;
      "$OWN_FAULT") verdict=$OWN_FAULT ;;
      "$UNAVAILABLE") ((verdict == OK)) && verdict=$UNAVAILABLE ;;
      *) ((verdict == OWN_FAULT)) || verdict=$CHECK_FAILED ;;
    esac
    finished+=("$lab") under_way=""
  done
}

last_words() {
  local file
  for file in "$1.err" "$1.out"; do
    [[ ! -s $file ]] || { tail -n 1 "$file" && return; }
  done
  echo "it said nothing"
}

# Writes the run's pages into `staging`. A run whose page fails keeps its results.
write_pages() {
  "$build/bin/warplab-results" report "$staging" --out "$staging/report.html" --name "$(basename "$destination")" >/dev/null ||
    say "run_all.sh: report.html could not be written" >&2
  [[ $suite == published ]] || return 0
  "$build/bin/warplab-results" report --published "$staging" --out "$staging/published.html" --name "$(basename "$destination")" >/dev/null ||
    say "run_all.sh: published.html could not be written" >&2
}

# Merges the labs' results, prints the table and names the next command.
conclude() {
  trap '' INT TERM
  local flags
  flags=$(sed -n 's/^\(CMAKE_BUILD_TYPE\|CMAKE_CXX_FLAGS\|CMAKE_CUDA_FLAGS\|CMAKE_CUDA_ARCHITECTURES\):[A-Z]*=\(.\+\)$/\1=\2/p' \
    "$build/CMakeCache.txt" | paste -sd ' ')
  local -a command=("$build/bin/warplab-results" merge --folder "$staging" --labs "$(join , "${labs[@]}")"
    --backend "$backend" --program-folder "$build/bin"
    --command "$invocation" --flags "$flags" --commit "${WARPLAB_COMMIT:-$(git describe --always --dirty --abbrev=12 --exclude="*" 2>/dev/null || echo unknown)}"
    --date "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --host "$(uname -n)")
  "${command[@]}" >"$staging/table.txt" || die $OWN_FAULT "the results could not be merged"
  rm -rf "$staging/parts"
  rmdir "$staging/pictures" 2>/dev/null  # no lab that ran has any
  write_pages

  local replaced=""
  if [[ -d $destination ]]; then
    replaced=$(mktemp -d "$(dirname "$destination")/.run-XXXXXX.partial")
    mv -T "$destination" "$replaced/old"
  fi
  mv -T "$staging" "$destination" || die $OWN_FAULT "the results stay in $staging: it could not be renamed to $destination"
  staging=""
  [[ -z $replaced ]] || rm -rf "$replaced"
  [[ -n $out ]] || ln -sfn "$(basename "$destination")" results/latest

  local next
  next=$(tail -n 1 "$destination/table.txt")
  sed -i '$d' "$destination/table.txt"
  say
  cat "$destination/table.txt"
  say
  say "results: $destination/results.json, results.csv and what each program printed"
  [[ ! -f $destination/report.html ]] || say "report: $destination/report.html"
  [[ ! -f $destination/published.html ]] || say "published and measured: $destination/published.html"
  [[ ! -d $destination/pictures ]] || say "pictures: $destination/pictures"
  say "next: $next"
}

run_mode() {
  prepare_results
  ensure_packages
  configure
  verdict=$OK
  build_targets "${labs[@]}" warplab_results || verdict=$CHECK_FAILED
  [[ -x $build/bin/warplab-results ]] || die $OWN_FAULT "$build/bin/warplab-results did not build"
  run_labs
  conclude
  exit $verdict
}

# --- Run the tests ----------------------------------------------------------------------------------------------------

tests_mode() {
  ensure_packages
  configure
  local failed=no started=$SECONDS
  local -a selection=(--preset "$backend" -j "$(nproc)")
  [[ $tests == all ]] || selection+=(-LE '[.]long$')
  [[ -z $labs_asked ]] || selection+=(-L "^($(join '|' "${labs[@]}"))[.]")
  build_targets || failed=yes
  run_child ctest "${selection[@]}" || failed=yes
  if [[ $failed == yes ]]; then
    printf 'run_all.sh: not everything passed (see above)\n' >&2
    exit $CHECK_FAILED
  fi
  say "next: ./run_all.sh"
}

main() {
  invocation="./run_all.sh${*:+ $*}"
  parse_arguments "$@"
  [[ -z $out || $out == /* ]] || out=$PWD/$out
  cd "$(dirname "${BASH_SOURCE[0]}")" || exit $OWN_FAULT
  out=${out#"$PWD/"}
  choose_labs
  trap clean_up EXIT
  trap interrupted INT TERM
  if [[ $mode == bundle ]]; then
    source cluster/bundle_deps.sh
    bundle_mode
    exit $OK
  fi
  choose_backend
  if [[ $mode == tests ]]; then tests_mode; else run_mode; fi
}

main "$@"
