#include "emulator/driver/cuda_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "emulator/driver/configuration.hpp"
#include "emulator/driver/words.hpp"

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

/// The names, numbers and signs of a text. A sign is one character, but `::` and `->`.
std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_in_name(text[i]))
      while (end < text.size() && is_in_name(text[end])) ++end;
    else if (text.substr(i, 2) == "::" || text.substr(i, 2) == "->")
      ++end;
    if (!std::isspace(static_cast<unsigned char>(text[i]))) tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

/// cudaMalloc, cuInit, cublasCreate, curand_init, but not cuda_seconds.
bool is_of_cuda(std::string_view name) {
  static constexpr std::array<std::string_view, 6> beginnings{"cuda",   "cu",      "cublas",
                                                              "curand", "curand_", "nvtx"};
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) {
    if (!name.starts_with(beginning) || name.size() == beginning.size()) return false;
    const char next = name[beginning.size()];
    return beginning.ends_with('_') || (next >= 'A' && next <= 'Z');
  });
}

/// Whether a name that follows this one is used, and not declared.
bool goes_before_uses(std::string_view word) {
  static constexpr std::array<std::string_view, 17> words{
      "return", "else",     "case",   "throw",   "new", "delete", "sizeof", "const",    "static",
      "extern", "volatile", "inline", "typedef", "not", "and",    "or",     "constexpr"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether a name after this token is one that the program declares: `int`, `*`, `struct`.
bool declares(std::string_view before) {
  if (before == "*" || before == "&" || before == ">") return true;
  return is_in_name(before[0]) && !goes_before_uses(before);
}

std::set<std::string, std::less<>> names_of_headers() {
  std::set<std::string, std::less<>> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(configuration().include.back())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (const std::string_view token : tokens_of(text))
      if (is_of_cuda(token)) names.emplace(token);
  }
  return names;
}

}  // namespace

void CudaNames::read(std::string_view code, const std::string& place) {
  const std::vector<std::string_view> tokens = tokens_of(code);
  if (tokens.size() > 1 && tokens[0] == "#") {
    if (tokens.size() > 2 && tokens[1] == "define") own_.emplace(tokens[2]);
    return;
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!is_of_cuda(tokens[i])) continue;
    const std::string_view before = i == 0 ? ";" : tokens[i - 1];
    if (before == "." || before == "->" || before == "::") continue;  // a member, or of another namespace
    if (declares(before))
      own_.emplace(tokens[i]);
    else
      used_.try_emplace(std::string(tokens[i]), place);
  }
}

std::map<std::string, std::string> CudaNames::missing() const {
  const std::set<std::string, std::less<>> known = names_of_headers();
  std::map<std::string, std::string> names = used_;
  std::erase_if(names,
                [&](const auto& use) { return own_.contains(use.first) || known.contains(use.first); });
  return names;
}

}  // namespace warplab::driver
