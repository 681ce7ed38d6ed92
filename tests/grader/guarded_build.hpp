#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "grader/build/module_build.hpp"
#include "grader/text/shell_line.hpp"

namespace warplab {

/// Runs a command without any sandbox.
inline CommandOutcome run_directly(const std::vector<std::string>& command, double) {
  CommandOutcome outcome;
  std::FILE* const pipe = popen((shell_line(command) + " 2>&1").c_str(), "r");
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) outcome.output.append(part, n);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

/// A folder that goes with it.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "warplab-guard-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = pattern;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  operator const std::filesystem::path&() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace warplab
