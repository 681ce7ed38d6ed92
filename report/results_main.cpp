// Pages and tables of results, without building more than they need:
//
// warplab-results tables labs/NN_<lab>/README.md [--write]: prints the handout with the tables filled in
// whose marks name a run in results/; or writes it back.
//
// warplab-results report RUN... --out FILE [--published] [--name NAME]: the page of a run, as `warplab
// report` writes it.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "common/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/file_content.hpp"
#include "report/command.hpp"
#include "report/rung_table.hpp"

namespace {

namespace fs = std::filesystem;

std::string handout_text(const fs::path& handout) {
  if (!fs::is_regular_file(handout)) throw warplab::BadInput("cannot read " + handout.string());
  return warplab::file_content(handout);
}

/// "tables HANDOUT [--write]": the tables whose marks name a run in results/.
void tables(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2 || arguments.size() > 3 || (arguments.size() == 3 && arguments[2] != "--write"))
    throw warplab::BadInput("tables takes a handout and --write");
  const fs::path handout = fs::absolute(arguments[1]);
  const fs::path folder = handout.parent_path();
  if (folder.filename().string().size() < 4)
    throw warplab::BadInput(handout.string() + " does not lie in a lab's folder");
  const std::string text = warplab::report::with_rung_tables(
      handout_text(handout), folder.filename().string().substr(3), folder.parent_path().parent_path());
  if (arguments.size() == 3)
    warplab::write_file_atomically(handout, text);
  else
    fmt::print("{}", text);
}

/// "report RUN... --out FILE [--published] [--name NAME]"
void report(const std::vector<std::string>& arguments) {
  warplab::report::ReportOptions options;
  for (std::size_t i = 1; i < arguments.size(); ++i)
    if (arguments[i] == "--published")
      options.published = true;
    else if (arguments[i] == "--out" && i + 1 < arguments.size())
      options.out = arguments[++i];
    else if (arguments[i] == "--name" && i + 1 < arguments.size())
      options.name = arguments[++i];
    else
      options.runs.push_back(arguments[i]);
  fmt::print("{}\n", warplab::report::write_report(options));
}

void run(const std::vector<std::string>& arguments) {
  const std::string command = arguments.empty() ? "" : arguments[0];
  if (command == "tables") return tables(arguments);
  if (command == "report") return report(arguments);
  throw warplab::BadInput("the commands are tables and report");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
    return 0;
  } catch (const warplab::BadInput& error) {
    fmt::print(stderr, "warplab-results: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "warplab-results: {}\n", error.what());
    return 4;
  }
}
