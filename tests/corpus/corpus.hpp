#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warplab::corpus {

/// A public repository, as it was when its programs were chosen.
struct Repository {
  std::string commit, date;
  std::string chosen;  ///< when its programs were; "" for the first choice
};

/// How a program ended on the emulator.
enum class Outcome {
  verified,  ///< its own check agreed
  ran,       ///< it ended with 0 and has no check of its own
  stopped,   ///< its result is undefined, or the emulator stopped it, for a mistake of its own
  failed,    ///< refused when compiled, a wrong result, or another end
  too_slow,  ///< it did not end within the time
};

/// Whether the program did what its authors mean, or showed a mistake of theirs.
bool is_good(Outcome outcome);

/// A try of a program. The note is there where it failed.
struct Try {
  Outcome outcome = Outcome::failed;
  std::string note;
};

struct Program {
  std::string repository, path, kind, arguments;
  bool nvcc_compiles = true;  ///< what nvcc refuses has no tries
  Try first, now;
};

/// A mistake in published code that the emulator or the lens found.
struct Bug {
  std::string repository, commit, path, kernel, lines, said, why;
  std::string gpu;  ///< on which it was shown too, "an H100"; "": by the text of the code
};

struct Corpus {
  std::map<std::string, Repository> repositories;
  std::vector<Program> programs;
  std::vector<Bug> bugs;
};

/// Reads programs.json and bugs.json in a folder.
/// @throws std::runtime_error with the file and what is wrong in it
Corpus read_corpus(const std::filesystem::path& folder);

/// How many of the programs that nvcc compiles had a good outcome.
struct Share {
  long good = 0, all = 0;
  double value() const { return all == 0 ? 0 : static_cast<double>(good) / static_cast<double>(all); }
};
Share share(const std::vector<Program>& programs, Try Program::*which);

/// The programs whose repositories were chosen then.
std::vector<Program> chosen(const Corpus& corpus, const std::string& when);

/// The programs that were not too slow.
std::vector<Program> in_time(std::vector<Program> programs, Try Program::*which);

/// docs/public-programs.md.
std::string programs_page(const Corpus& corpus);

/// docs/published-bugs.md.
std::string bugs_page(const Corpus& corpus);

}  // namespace warplab::corpus
