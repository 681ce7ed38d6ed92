// warplab-results: pages and tables of results, without building more than they need.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/file_content.hpp"
#include "report/command.hpp"
#include "report/handouts/handout_pictures.hpp"
#include "report/handouts/rung_table.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* usage =
    R"(Usage: warplab-results tables labs/NN_LAB/README.md [--write]
       warplab-results pictures labs/NN_LAB/README.md [--write]
       warplab-results report RUN... --out FILE.html [--published] [--name NAME]

  tables     print the handout with the tables filled in whose marks name a run in results/
  pictures   print the handout with the text alternatives of its pictures of accesses filled in
  --write    write it back instead, and its pictures
  report     write the page of a run, or of several to compare, as `warplab report` does
)";

std::string handout_text(const fs::path& handout) {
  if (!fs::is_regular_file(handout)) throw warplab::BadInput("cannot read " + handout.string());
  return warplab::file_content(handout);
}

/// A handout that a command names, and the lab and the tree that it belongs to.
struct Handout {
  fs::path path, root;
  std::string lab, text;
  bool write = false;  ///< or print
};

/// "COMMAND HANDOUT [--write]"
Handout handout_of(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2 || arguments.size() > 3 || (arguments.size() == 3 && arguments[2] != "--write"))
    throw warplab::BadInput(arguments[0] + " takes a handout and --write; see --help");
  const fs::path path = fs::absolute(arguments[1]), folder = path.parent_path();
  if (folder.filename().string().size() < 4)
    throw warplab::BadInput(path.string() + " does not lie in a lab's folder");
  return {path, folder.parent_path().parent_path(), folder.filename().string().substr(3), handout_text(path),
          arguments.size() == 3};
}

void put(const Handout& handout, const std::string& text) {
  if (handout.write)
    warplab::write_file_atomically(handout.path, text);
  else
    fmt::print("{}", text);
}

/// The tables whose marks name a run in results/.
void tables(const Handout& handout) {
  put(handout, warplab::report::with_rung_tables(handout.text, handout.lab, handout.root));
}

/// The pictures whose marks name requests of such a run.
void pictures(const Handout& handout) {
  const auto made = warplab::report::with_pictures(handout.text, handout.lab, handout.root);
  put(handout, made.text);
  if (!handout.write) return;
  for (const auto& [link, svg] : made.pictures)
    warplab::write_file_atomically(handout.path.parent_path() / link, svg);
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
  if (command == "tables") return tables(handout_of(arguments));
  if (command == "pictures") return pictures(handout_of(arguments));
  if (command == "report") return report(arguments);
  if (command == "--help" || command == "-h") return fmt::print("{}", usage);
  throw warplab::BadInput("the commands are tables, pictures and report; see --help");
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
