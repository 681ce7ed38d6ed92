#include "grader/clones/git_command.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <system_error>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/file_content.hpp"
#include "common/io/temporary_folder.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/shell_line.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* const value = getenv(name);
  return value ? value : "";
}

/// Settings of the user, and that repositories may belong to anybody. On git's command line the latter would
/// not reach the process that reads another repository for a fetch.
std::string global_settings() {
  std::vector<fs::path> own;
  if (const std::string file = environment("GIT_CONFIG_GLOBAL"); !file.empty()) {
    own = {fs::absolute(file)};
  } else {
    const fs::path home = environment("HOME"), xdg = environment("XDG_CONFIG_HOME");
    own = {(xdg.empty() ? home / ".config" : xdg) / "git/config", home / ".gitconfig"};
  }
  std::string text;
  for (const fs::path& file : own) {
    std::string quoted;
    for (const char c : file.string())
      quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    text += "[include]\n\tpath = \"" + quoted + "\"\n";  // git passes over a file that is not there
  }
  return text + "[safe]\n\tdirectory = *\n";
}

/// As a shell has it: that of a process which a signal ended is above 128.
int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

GitOutcome run_git(const std::vector<std::string>& arguments, const GitLimits& limits) {
  const TemporaryFolder folder(std::filesystem::temp_directory_path() / "warplab-git-");
  const fs::path errors = folder.path() / "errors", settings = folder.path() / "settings";
  write_file_atomically(settings, global_settings());
  std::vector<std::string> command = {"git",
                                      "-c",
                                      "core.hooksPath=/dev/null",
                                      "-c",
                                      "core.fsmonitor=false",
                                      "-c",
                                      "protocol.ext.allow=never"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string line =
      fmt::format("ulimit -f {} && ulimit -t {} && ", limits.file_bytes / 512, limits.cpu_s) +
      "LC_ALL=C GIT_TERMINAL_PROMPT=0 GIT_SSH_COMMAND='ssh -oBatchMode=yes' " +
      ("GIT_CONFIG_GLOBAL=" + shell_quoted(settings.string()) + " ") + shell_line(command) +
      " </dev/null 2>" + shell_quoted(errors.string());
  FILE* const pipe = popen(line.c_str(), "re");
  if (!pipe) throw std::system_error(errno, std::generic_category(), "cannot start a shell for git");
  GitOutcome outcome;
  char part[4096];
  for (std::size_t length; (length = fread(part, 1, sizeof(part), pipe)) > 0;)
    outcome.output.append(part, length);
  const int code = exit_code_of(pclose(pipe));
  if (code == 127) throw NotAvailable("this machine has no git: sudo apt-get install git");
  outcome.succeeded = code == 0;
  const std::string text = file_content(errors);
  if (const auto lines = lines_of(text); !lines.empty()) outcome.message = shown_line(lines.front(), 200);
  outcome.is_beyond_limits = code == 128 + SIGXFSZ || code == 128 + SIGXCPU || code == 128 + SIGKILL;
  return outcome;
}

}  // namespace warplab
