#include "grader/report/similarity.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "grader/text/tokens.hpp"

namespace warplab {
namespace {

constexpr std::size_t run_tokens = 9, window_runs = 4;
constexpr std::size_t min_common = 5;       // marks: fewer are chance
constexpr std::size_t max_tokens = 50'000;  // of a file; what lies beyond is not a solution of a task

constexpr std::string_view fixed_names =
    " alignas auto bool break case char class const constexpr continue default do double else enum "
    "extern false float for if inline int long namespace new nullptr operator return short signed "
    "sizeof static static_assert static_cast reinterpret_cast struct switch template this throw true "
    "typename unsigned using void while threadIdx blockIdx blockDim gridDim warpSize dim3 x y z float4 "
    "int4 atomicAdd std min max todo ";

/// Names that say what a program does, whatever its writer calls things.
bool is_fixed_name(std::string_view name) {
  return name.starts_with("__") || name.starts_with("cuda") ||
         fixed_names.find(" " + std::string(name) + " ") != std::string_view::npos;
}

struct Fnv {
  std::uint64_t value = 14695981039346656037u;
  void add(std::string_view text) {
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211u;
    value = (value ^ 0xFF) * 1099511628211u;  // where a token ends
  }
};

std::string_view likened(const Token& token) {
  switch (token.kind) {
    case Token::Kind::name:
      return is_fixed_name(token.text) ? token.text : "n";
    case Token::Kind::literal:
      return "s";
    case Token::Kind::number:
    case Token::Kind::sign:
    case Token::Kind::newline:
      break;
  }
  return token.text;
}

std::vector<Token> tokens_within_limit(std::string_view text) {
  std::vector<Token> tokens = tokens_of(text);
  if (tokens.size() > max_tokens) tokens.resize(max_tokens);
  return tokens;
}

std::vector<std::uint64_t> runs_of(const std::vector<Token>& tokens) {
  std::vector<std::uint64_t> runs;
  for (std::size_t i = 0; i + run_tokens <= tokens.size(); ++i) {
    Fnv hash;
    for (std::size_t k = 0; k < run_tokens; ++k) hash.add(likened(tokens[i + k]));
    runs.push_back(hash.value);
  }
  return runs;
}

/// The smallest of each window, as a set in ascending order.
std::vector<std::uint64_t> winnowed(const std::vector<std::uint64_t>& runs) {
  std::vector<std::uint64_t> marks;
  const std::size_t window = std::min(window_runs, runs.size());
  for (std::size_t i = 0; window && i + window <= runs.size(); ++i)
    marks.push_back(*std::min_element(runs.begin() + static_cast<std::ptrdiff_t>(i),
                                      runs.begin() + static_cast<std::ptrdiff_t>(i + window)));
  std::sort(marks.begin(), marks.end());
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  return marks;
}

/// One student's version of one file.
struct Version {
  std::size_t student;
  std::vector<std::uint64_t> marks;
  std::uint64_t whole;  ///< over all tokens as they are
};

using Found = std::map<std::pair<std::size_t, std::size_t>, std::vector<SimilarFile>>;

void compare(const TaskFile& file, std::vector<Version>& versions, std::size_t students, double min_share,
             Found& found) {
  // What many wrote is how the task is solved.
  const std::size_t many = std::max<std::size_t>(3, students / 4);
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> holders;
  for (std::size_t v = 0; v < versions.size(); ++v)
    for (const std::uint64_t mark : versions[v].marks) holders[mark].push_back(v);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> common;
  std::vector<std::size_t> own(versions.size());
  for (const auto& [mark, held] : holders) {
    if (held.size() > many) continue;
    for (std::size_t i = 0; i < held.size(); ++i) {
      ++own[held[i]];
      for (std::size_t j = 0; j < i; ++j) ++common[{held[j], held[i]}];
    }
  }
  std::map<std::pair<std::size_t, std::size_t>, SimilarFile> similar;
  for (const auto& [pair, count] : common) {
    const double share =
        2.0 * static_cast<double>(count) / static_cast<double>(own[pair.first] + own[pair.second]);
    if (count >= min_common && share >= min_share) similar[pair] = {file, share, false};
  }
  std::map<std::uint64_t, std::vector<std::size_t>> same;
  for (std::size_t v = 0; v < versions.size(); ++v) same[versions[v].whole].push_back(v);
  for (const auto& [whole, held] : same)
    for (std::size_t i = 0; i < held.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) similar[{held[j], held[i]}] = {file, 1, true};
  for (const auto& [pair, evidence] : similar)
    found[{versions[pair.first].student, versions[pair.second].student}].push_back(evidence);
}

/// All versions of a file that are long enough to say anything, without what was given.
std::vector<Version> versions_of(const TaskFile& file, const std::vector<TakenFiles>& class_,
                                 const std::map<TaskFile, std::string>& given, std::size_t least) {
  std::unordered_set<std::uint64_t> known;
  if (const auto stub = given.find(file); stub != given.end())
    for (const std::uint64_t run : runs_of(tokens_within_limit(stub->second))) known.insert(run);
  std::vector<Version> versions;
  for (std::size_t student = 0; student < class_.size(); ++student) {
    const auto content = class_[student].files.find(file);
    if (content == class_[student].files.end()) continue;
    const std::vector<Token> tokens = tokens_within_limit(content->second);
    std::vector<std::uint64_t> runs = runs_of(tokens);
    std::erase_if(runs, [&](std::uint64_t run) { return known.count(run) > 0; });
    if (runs.size() < least) continue;
    Fnv whole;
    for (const Token& token : tokens) whole.add(token.text);
    versions.push_back({student, winnowed(runs), whole.value});
  }
  return versions;
}

/// How much of two versions is the same; both have marks in ascending order.
double shared(const Version& a, const Version& b) {
  std::vector<std::uint64_t> common;
  std::set_intersection(a.marks.begin(), a.marks.end(), b.marks.begin(), b.marks.end(),
                        std::back_inserter(common));
  if (common.size() < min_common) return 0;
  return 2.0 * static_cast<double>(common.size()) / static_cast<double>(a.marks.size() + b.marks.size());
}

std::set<TaskFile> files_in(const std::vector<TakenFiles>& class_) {
  std::set<TaskFile> files;
  for (const TakenFiles& taken : class_)
    for (const auto& [file, content] : taken.files) files.insert(file);
  return files;
}

std::size_t identical_files(const SimilarPair& pair) {
  return static_cast<std::size_t>(std::count_if(pair.files.begin(), pair.files.end(),
                                                [](const SimilarFile& file) { return file.identical; }));
}

/// Identical files first in each pair, and pairs with most of them first.
std::vector<SimilarPair> ranked(std::vector<SimilarPair> pairs) {
  for (SimilarPair& pair : pairs)
    std::stable_sort(pair.files.begin(), pair.files.end(), [](const SimilarFile& a, const SimilarFile& b) {
      return std::pair(a.identical, a.share) > std::pair(b.identical, b.share);
    });
  std::stable_sort(pairs.begin(), pairs.end(), [](const SimilarPair& a, const SimilarPair& b) {
    const auto rank = [](const SimilarPair& pair) {
      return std::tuple(identical_files(pair), pair.files.front().share, pair.files.size());
    };
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    return std::tie(a.first, a.second) < std::tie(b.first, b.second);
  });
  return pairs;
}

}  // namespace

std::vector<SimilarPair> similar_submissions(const std::vector<TakenFiles>& class_,
                                             const std::map<TaskFile, std::string>& given,
                                             const SimilarityOptions& options) {
  Found found;
  for (const TaskFile& file : files_in(class_)) {
    std::vector<Version> versions = versions_of(file, class_, given, options.least);
    compare(file, versions, class_.size(), options.share, found);
  }
  std::vector<SimilarPair> pairs;
  for (auto& [students, evidence] : found) {
    SimilarPair pair{class_[students.first].student, class_[students.second].student, std::move(evidence)};
    if (pair.second < pair.first) std::swap(pair.first, pair.second);
    pairs.push_back(std::move(pair));
  }
  return ranked(std::move(pairs));
}

std::vector<SimilarPair> similar_to_others(const std::vector<TakenFiles>& class_,
                                           const std::vector<TakenFiles>& others,
                                           const std::map<TaskFile, std::string>& given,
                                           const SimilarityOptions& options) {
  Found found;
  for (const TaskFile& file : files_in(class_)) {
    const std::vector<Version> theirs = versions_of(file, others, given, options.least);
    for (const Version& mine : versions_of(file, class_, given, options.least))
      for (const Version& other : theirs) {
        const bool identical = mine.whole == other.whole;
        const double share = identical ? 1 : shared(mine, other);
        if (share >= options.share) found[{mine.student, other.student}].push_back({file, share, identical});
      }
  }
  std::vector<SimilarPair> pairs;
  for (auto& [students, evidence] : found)
    pairs.push_back({class_[students.first].student, others[students.second].student, std::move(evidence)});
  return ranked(std::move(pairs));
}

}  // namespace warplab
