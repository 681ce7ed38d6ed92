#pragma once

#include <filesystem>
#include <string>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab::house {

/// A small tree in a temporary folder that holds the real run_all.sh and two labs, alpha and beta, whose
/// programs are shell scripts. CMake, the compiler, the packages and the GPU are stand-ins too: only the
/// tools put on its PATH exist there.
class ScratchTree {
 public:
  ScratchTree();

  /// Makes `lab`'s program run `body`, a shell script that sees the path for its JSON
  /// in $json and its flags in "$@".
  void program(const std::string& lab, const std::string& body);
  /// Puts a tool only on the PATH of this tree, instead of what was there.
  void tool(const std::string& name, const std::string& body);
  void remove_tool(const std::string& name);

  Outcome run_all(const std::string& arguments) const;
  /// How run_all() calls it, for tests that must start it themselves.
  std::string command_line(const std::string& arguments) const;

  const std::filesystem::path& root() const { return root_.path(); }
  /// Everything in results/, hidden files too.
  int count_results() const;
  /// The text of a file in this tree.
  std::string read(const std::filesystem::path& relative) const;

 private:
  ScratchFolder root_;
};

/// A program's body that reports one rung as verified.
inline const std::string verified_program =
    R"(echo '{"measurements": [{"lab": "'$lab'", "rung": "naive", "role": "rung", "status": "ok", "verified": true}]}' >"$json")";

}  // namespace warplab::house
