#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplab::runner {

/// What ./run_all.sh was asked for.
struct RunOptions {
  std::string backend;            ///< cuda or emulator; also the preset and the folder in build/
  std::string command;            ///< the command line, for results.json
  std::filesystem::path out;      ///< seen from the tree's root; empty: a new folder in results/
  std::vector<std::string> labs;  ///< stems, in the order to run them
  bool are_labs_chosen = false;
  std::string profile = "none", group, suite = "default";
  int repeat = 0;  ///< 0: until the spread settles
  enum class Tests { none, standard, all } tests = Tests::none;

  std::filesystem::path build() const { return std::filesystem::path("build") / backend; }
  std::filesystem::path program(const std::string& name) const { return build() / "bin" / name; }
};

/// Reads the command line that run_all.sh hands on, with --backend decided.
/// @param labs of the tree
/// @throws BadInput naming what is wrong and what is accepted; NotAvailable for a profile that cannot be
/// taken
RunOptions parse_run_options(int argc, const char* const* argv, const std::vector<std::string>& labs);

}  // namespace warplab::runner
