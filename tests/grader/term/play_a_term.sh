#!/usr/bin/env bash
# Plays a term of forty made students with the program itself: release, three labs with deadlines, late days,
# a group, a resubmission, two requests, three overrides, exports, a lab handed in by git, a batch that is
# killed and resumed, and the next term. Fails unless the marks are those of
# tests/grader/term/expected_marks.csv, which were worked out by hand. Needs a build of the emulator.
#   tests/grader/term/play_a_term.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
warplab=$PWD/build/emulator/bin/warplab data=tests/grader/term
play=$(mktemp -d)
chmod 755 "$play"
trap 'rm -rf "$play"' EXIT
declare -A folder=([vector_add]=02_vector_add [matrix_add]=03_matrix_add [transpose]=07_transpose)

fail() {
  printf 'play_a_term: %s\n' "$1" >&2
  exit 1
}

echo 00112233445566778899aabbccddeeff >"$play/seed"

# What students get, and what those who solve everything hand in.
cp -r $data/class "$play/class"
"$warplab" release --out "$play/students" --labs vector_add,matrix_add,transpose
"$warplab" pack vector_add matrix_add transpose --out "$play/solved.tar.gz" >/dev/null
mkdir "$play/solved"
tar -xzf "$play/solved.tar.gz" -C "$play/solved"

# A line of hand_ins.txt becomes a folder: stubs, and solutions in the place of those that were solved.
while IFS=$'\t' read -r lab entry solved; do
  [[ $lab == \#* ]] && continue
  place=$play/downloads/$lab/$entry/labs/${folder[$lab]}
  mkdir -p "$place"
  cp "$play/students/labs/${folder[$lab]}/"*.cu "$place"
  for task in ${solved//,/ }; do
    cp "$play/solved/labs/${folder[$lab]}/${lab}_$task.cu" "$place"
  done
done <$data/hand_ins.txt
cp $data/submission_metadata.yml "$play/downloads/transpose/"

# grade LAB BATCH FLAG...
grade() {
  local lab=$1 batch=$2 downloads=$play/downloads/${folder_of_downloads:-$1}
  shift 2
  "$warplab" grade "$downloads" --out "$play/$batch" --labs "$lab" --seed-file "$play/seed" \
    --roster "$play/class/roster.csv" --export canvas,moodle,blackboard,gradescope "$@"
}

grade vector_add first >"$play/log"
grep -q 'studenttest_99999_790000_warplab-submission fits nobody in the roster' "$play/log" ||
  fail 'the entry of nobody is not listed'

# The same batch, killed on the way, comes to the same bytes.
resume=()
for seconds in 1 2 3; do
  grade vector_add killed "${resume[@]}" >/dev/null 2>&1 &
  sleep $seconds
  kill -9 $! 2>/dev/null || break
  wait $! 2>/dev/null || true
  [[ -e $play/killed/judge/seed ]] && resume=(--resume)
done
grade vector_add killed "${resume[@]}" >/dev/null
diff -rq "$play/first" "$play/killed" || fail 'a batch that was killed and resumed differs'

grade matrix_add second --earlier "$play/first" >/dev/null

# The same lab from repositories: what Blackboard has as attempts are commits at those times, so the marks are
# the same. Of s33 the last commit counts, and of s01 one after the date does not.
commit() {
  local time=$2 repository=$play/work/$1
  git -C "$repository" add .
  GIT_COMMITTER_DATE=$time GIT_AUTHOR_DATE=$time git -C "$repository" -c user.name=x -c user.email=x@x \
    commit --quiet -m work
}
for entry in "$play/downloads/matrix_add/"*; do
  [[ ${entry##*/} =~ ^Lab3_(.*)_attempt_(.*)-([0-9]+)-([0-9]+)-([0-9]+)_ ]] || fail "$entry has no time"
  login=${BASH_REMATCH[1]}
  time="${BASH_REMATCH[2]}T${BASH_REMATCH[3]}:${BASH_REMATCH[4]}:${BASH_REMATCH[5]}+0100"
  [[ -d $play/work/$login ]] || git init --quiet "$play/work/$login"
  cp -r "$entry/labs" "$play/work/$login/"
  commit "$login" "$time"
done
rm -r "$play/work/s01/labs" && commit s01 '2027-03-25T12:00:00+0100'
for work in "$play/work/"*; do git clone --quiet --bare "$work" "$play/server/lab-3-${work##*/}.git"; done
folder_of_downloads=from_git grade matrix_add from_git --from-git "$play/server/lab-3" --before 2027-03-22 \
  --earlier "$play/first" >"$play/log"
grep -q 'server/lab-3-s40.git gave no submission: it cannot be fetched' "$play/log" ||
  fail 'a repository that is not there is not listed'
marks_of() { cut -d, -f2,6-8,10,11 "$play/$1/marks/marks.csv"; }
diff <(marks_of second) <(marks_of from_git) || fail 'from git the marks are others than from Blackboard'
times='2027-03-17 12:00,2027-03-15 23:59,2,1,1' late='2 days late, 1 late day used, 10 % off'
grep -q "^s31,.*,lab-3-s31.tar,1,$times,.*$late" "$play/from_git/marks/marks_by_lab.csv" ||
  fail 'a commit is not as late as it was made'

grade transpose third --earlier "$play/first,$play/from_git" >/dev/null
cut -d, -f2,6-9,11,12 "$play/third/marks/marks.csv" >"$play/marks.csv"
diff "$play/marks.csv" $data/expected_marks.csv || fail 'the marks are not those worked out by hand'

# refused WORDS COMMAND...: the command ends with exit code 2 and one sentence that has these words.
refused() {
  local words=$1 code=0
  shift
  "$@" >/dev/null 2>"$play/errors" || code=$?
  [[ $code == 2 ]] || fail "$* ends with exit code $code"
  [[ $(wc -l <"$play/errors") == 1 ]] || fail "$* gives more than a sentence"
  grep -qF -- "$words" "$play/errors" || fail "$* says: $(cat "$play/errors")"
}

# A broken override changes nothing, and neither does a flag that means nothing.
cp -r "$play/third" "$play/before"
printf 's02,transpose/tiled,16,too much,Lee\n' >>"$play/class/overrides.csv"
collect=("$warplab" collect "$play/downloads/transpose" --out "$play/third")
refused 'overrides.csv:5: 16 points are more than the 15' "${collect[@]}" --roster "$play/class/roster.csv"
refused '--export needs --roster' "${collect[@]}" --export canvas
refused '--earlier needs --roster' "${collect[@]}" --earlier "$play/first"
refused '--from-git does not go with --shard' "$warplab" grade "$play/clones" --out "$play/new" \
  --from-git "$play/server/lab-3" --shard 1/2
refused '--before needs --from-git' "$warplab" grade "$play/downloads/transpose" --out "$play/third" \
  --resume --before 2027-03-01
refused "--before 'soon' is not a time" "$warplab" grade "$play/clones" --out "$play/new" \
  --from-git "$play/class" --before soon
diff -rq "$play/before" "$play/third" || fail 'a broken override changed something'
cp $data/class/overrides.csv "$play/class/overrides.csv"

"$warplab" new-term "$play/next" --roster "$play/class/roster.csv" --weeks 26 --name 'fall 2027' \
  --batches "$play/first,$play/second,$play/third"
grep -q '"deadline": "2027-08-30 23:59"' "$play/next/term.json" || fail 'the next deadline is another'
grep -q 'spring 2027' "$play/next/mistakes.md" || fail 'the page of mistakes is of another term'
echo 'the term came to the marks that were worked out by hand'
