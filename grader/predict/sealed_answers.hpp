#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplab {

/// What was asked.
enum class SealedKind { predictions, hunt };

/// What a student answered to one question.
struct GivenAnswer {
  std::string id, question, answer;
  std::string reason;  ///< one or two sentences, where a rung was chosen; "" elsewhere
  bool operator==(const GivenAnswer&) const = default;
};

/// One student's answers for one lab, as they are handed in.
struct SealedAnswers {
  std::string lab, name;
  std::vector<GivenAnswer> answers;
  SealedKind kind = SealedKind::predictions;

  /// A digest of all that was answered, 16 hexadecimal digits. Who knows it before the lab was run knows
  /// that the answers were not changed since. By itself it shows only that nobody edited the file by hand.
  std::string seal() const;
};

/// Where a student's answers for a lab lie in the tree: "predictions/transpose.json",
/// "hunts/transpose/found.json".
std::filesystem::path sealed_file(SealedKind kind, const std::string& lab);

/// @throws BadInput if the file exists: answers are given once
void write_sealed(const std::filesystem::path& file, const SealedAnswers& answers);

/// The answers that a file's text holds. @param place the file's, for messages
/// @throws BadInput in one sentence if it holds no such answers, or they do not match their seal
SealedAnswers sealed_in(const std::string& text, const std::string& place, SealedKind kind);

/// The same of a file.
SealedAnswers read_sealed(const std::filesystem::path& file, SealedKind kind = SealedKind::predictions);

/// Whether a file's text is to be read as such answers, of any student: what submissions are searched for. A
/// text that is not JSON may have been some before it was edited or cut off, so that sealed_in() is to say
/// what is wrong with it.
bool may_hold_sealed(const std::string& text, SealedKind kind);

}  // namespace warplab
