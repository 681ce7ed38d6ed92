#include "grader/cli/hand_in.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/predict/questions.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {

std::string line_after(const std::string& prompt) {
  fmt::print("{}", prompt);
  std::fflush(stdout);
  std::string line;
  if (!std::getline(std::cin, line)) throw BadInput("the input ended, so nothing was sealed");
  return line;
}

std::vector<std::filesystem::path> sealed_files(const std::filesystem::path& folder, SealedKind kind) {
  if (!std::filesystem::is_directory(folder)) throw BadInput(folder.string() + " is not a folder");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".json" && may_hold_sealed(entry.path(), kind))
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::set<std::string> seals_in(const std::string& file) {
  std::set<std::string> seals;
  std::ifstream in(file);
  if (!in) throw BadInput("cannot read " + file);
  for (std::string line; std::getline(in, line);)
    if (const std::size_t comma = line.rfind(','); comma != std::string::npos)
      seals.insert(plain_name(line.substr(comma + 1)));
  return seals;
}

void write_marks_of(const std::vector<std::filesystem::path>& files, SealedKind kind,
                    const std::function<std::string(const SealedAnswers&)>& row_of, const std::string& out) {
  std::string table = "name,lab,points,of,seal,remarks\n";
  for (const std::filesystem::path& file : files) {
    std::optional<SealedAnswers> given;
    try {
      given = read_sealed(file, kind);
    } catch (const BadInput& error) {
      table += fmt::format("{},,0,,,{}\n", csv_words(file.filename().string()), csv_words(error.what()));
      fmt::print(stderr, "{}\n", error.what());
    }
    if (given) table += row_of(*given);
  }
  if (out.empty())
    fmt::print("{}", table);
  else
    write_file_atomically(out, table);
}

std::string csv_words(std::string text) {
  text = shown_line(text);
  std::ranges::replace(text, '"', '\'');
  const std::string field = csv_field(text);
  return field.starts_with('"') ? field : '"' + field + '"';
}

}  // namespace warplab
