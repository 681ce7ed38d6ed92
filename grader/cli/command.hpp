#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/data/filter.hpp"

namespace warplab {

// What `warplab COMMAND` does. Each returns the program's exit code. @throws BadInput, NotAvailable

/// "transpose" or "transpose/tiled".
struct TaskChoice {
  std::string lab, task;  ///< task: "" for all
};
/// @throws BadInput for more than one '/'
TaskChoice task_choice(const std::string& text);

/// Labs, tasks and points of the tree.
int command_list(const std::vector<std::string>& labs);

/// Judges tasks ("transpose/tiled") or whole labs of this tree as the grader would, but for hidden sizes.
/// @param hints whether to show the hint of a task that has not all its points
/// @param log whether to note time and points in each lab's test_log.csv
int command_test(const std::vector<std::string>& choices, bool hints, bool log);

/// How the predictions or hunts of a class are marked.
struct SealedFlags {
  std::string grade;    ///< the folder of submissions; "" to mark nothing
  std::string seals;    ///< the seals that were handed in, a CSV; "": any counts
  std::string roster;   ///< the class, for a login per row; or ""
  std::string written;  ///< where rows for the class's written.csv go; or ""
};

/// What `warplab predict` was asked for.
struct PredictCommand {
  std::string lab, name;  ///< name: "" to ask for it
  SealedFlags of_class;
  std::string out;  ///< the table of marks; "" to print it
};
/// Asks a student to predict, seals the answers and opens the ladder; or marks a folder of predictions.
int command_predict(const PredictCommand& command);

/// What `warplab data` was asked for.
struct DataCommand {
  std::string lab, plot;  ///< lab: "" to list them; plot: a page to write, or ""
  DataFilter filter;
  bool csv = false;
};
/// Shows what GPUs measured.
int command_data(const DataCommand& command);

/// What `warplab hunt` was asked for.
struct HuntCommand {
  std::string lab, name;  ///< name: whose hunt it must be, or ""
  std::string make;       ///< a file of names to make packs for, or ""
  SealedFlags of_class;
  std::string out;  ///< a folder for packs; or the table of marks, "" to print it
  std::string sandbox = "auto";
};
/// Asks a student to find planted mistakes, seals the answers and shows what the lens says; or makes packs
/// for a class, or marks a folder of finds.
int command_hunt(const HuntCommand& command);

/// What `warplab viva` was asked for.
struct VivaCommand {
  std::string submission, out;  ///< out: a page, .html or .md; "" to print
  std::vector<std::string> labs;
  unsigned turn = 1;
  std::string seed_file;  ///< with 32 hexadecimal digits, or ""
  std::string sandbox = "auto";
};
/// Writes five questions about a submission's own code, with answers for the examiner.
int command_viva(const VivaCommand& command);

/// Writes the archive to hand in.
int command_pack(const std::string& archive, const std::vector<std::string>& labs);

/// Makes the students' tree.
/// @param github what a template repository has besides; with its name, "OWNER/REPOSITORY", a badge too
int command_release(const std::string& out, const std::vector<std::string>& labs,
                    const std::optional<std::string>& github);

/// The class whose marks are made of a batch.
struct ClassFlags {
  std::string roster;  ///< roster.csv, with the class's other files beside it; or ""
  std::vector<std::string> earlier, platforms;
};

/// Repositories that become submissions.
struct CloneFlags {
  std::string from_git;  ///< where they are; "": there are none
  std::string before;    ///< commits after it do not count; or ""
};

/// What `warplab fetch` was asked for.
struct FetchCommand {
  std::string submissions, roster;  ///< roster: "" where repositories lie in a folder
  CloneFlags clones;
};
/// Makes submissions of repositories, and grades nothing.
int command_fetch(const FetchCommand& command);

/// What `warplab grade` was asked for.
struct GradeOptions {
  std::string submissions, out;
  std::vector<std::string> labs;
  unsigned jobs = 1;
  std::string shard;  ///< "2/5", or ""
  bool resume = false;
  std::string seed_file;         ///< with 32 hexadecimal digits, or ""
  std::string sandbox = "auto";  ///< or bubblewrap, confined, none
  std::string clock;             ///< a build tree of the preset cuda, or ""
  ClassFlags of_class;
  CloneFlags clones;
};
int command_grade(const GradeOptions& options);

/// What `warplab gradescope` was asked for.
struct GradescopeCommand {
  std::vector<std::string> labs;
  std::string out = "autograder.zip";
  std::string seed_file;  ///< with 32 hexadecimal digits, or "" for a fresh secret
  unsigned minutes = 10;
  std::string hidden_checks = "visible";
  bool leaderboard = false;
};
/// Writes an upload for Gradescope.
int command_gradescope(const GradescopeCommand& command);

/// What `warplab autograde` was asked for.
struct AutogradeCommand {
  std::string submission, out, seed_file, metadata;
  std::string hidden_checks = "visible";
  bool leaderboard = false;
  std::string sandbox = "auto";
};
/// Grades one submission into Gradescope's results.json: what an upload calls.
int command_autograde(const AutogradeCommand& command);

/// What `warplab check` was asked for.
struct CheckCommand {
  std::vector<std::string> labs;
  bool mutants = false;
  bool pasted = false;
  unsigned jobs = 1;
};
/// Proves the exercises sound.
int command_check(const CheckCommand& command);

/// What this machine lacks, and what fixes it.
int command_doctor();

/// What `warplab new-lab` was asked for.
struct NewLabCommand {
  std::string name, title;  ///< title: "" for the name in words
  int number = 0;           ///< 0: the next after the last lab's
};
/// Makes a small lab that works, to be changed into another.
int command_new_lab(const NewLabCommand& command);

/// What `warplab new-term` was asked for.
struct NewTermCommand {
  std::string out, roster, name;
  std::vector<std::string> batches, submissions;
  int weeks = 0;
};
/// Makes the next term's class files of a term that has ended.
int command_new_term(const NewTermCommand& command);

/// What `warplab variant` was asked for.
struct VariantCommand {
  std::vector<std::string> labs, fixed;  ///< fixed: choices that are not drawn, "transpose/direction=left"
  std::string secret, out;               ///< a file with 32 hexadecimal digits; a new folder, or ""
  std::string overlay;                   ///< a folder with an instructor's own files, or ""
};
/// Lists what labs can differ in; or makes a course tree in which they do, and which has those files.
int command_variant(const VariantCommand& command);

/// What `warplab similar` was asked for.
struct SimilarCommand {
  std::string submissions;
  std::vector<std::string> labs, against;  ///< against: folders of earlier terms, or course trees
  double percent = 80;                     ///< from which two files are shown
  std::string out;                         ///< a folder for other programs that compare, or ""
};
/// Lists files that are nearly the same as another's.
int command_similar(const SimilarCommand& command);

/// Makes gradebook, pages and summary of the records that a batch's shards left.
int command_collect(const std::string& out, const std::string& submissions, const ClassFlags& of_class);

/// What `warplab leaderboard` was asked for.
struct LeaderboardCommand {
  std::string task, batch, out;  ///< "transpose/vectorized"; a graded batch; a page, .html or .md
  std::string pseudonyms;        ///< a table to write of who has which; "": names are shown
  std::string roster;            ///< the class, for a row per student; "": a row per submission
};
/// Makes a page of a task's right submissions by what the lens counted.
int command_leaderboard(const LeaderboardCommand& command);

/// What each rung of a lab takes of what can be limited, as it is built: for whoever sets limits.
struct LimitsOptions {
  std::string lab;
  std::vector<std::string> rungs;
  std::vector<std::int64_t> size;   ///< in the order of --size; empty: the lab's own on the emulator
  std::vector<std::string> params;  ///< "side=9"
};
int command_limits(const LimitsOptions& options);

}  // namespace warplab
