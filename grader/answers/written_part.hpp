#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.hpp"

namespace warplab {

/// The file of a lab's folder that students write their answers into, below a heading per question.
inline constexpr const char* answers_file = "answers.md";

/// The file of a lab's folder that has key and rubric; no release has it.
inline constexpr const char* answer_key_file = "answer_key.md";

/// A question of a lab's written part.
struct WrittenQuestion {
  int number = 0;
  std::size_t max_words = 0;  ///< 0: any number
  double points = 0;
  std::string text;         ///< the handout's, in Markdown
  std::string rubric = {};  ///< of the key, in Markdown; "" in a tree without keys
};

/// "question 2": what written.csv calls the part.
std::string part_name(int question);

/// The questions of a lab by their numbers, as its folder has them; none where it has no written part. In a
/// student's tree whoever changed a heading may have taken a limit away.
/// @throws BadInput if a file cannot be read
std::vector<WrittenQuestion> written_questions(const Lab& lab);

/// What a student wrote below the heading of each question ("## 2 ..."), without comments of HTML and without
/// white space around it; questions without an answer are left out.
std::map<int, std::string> answers_in(std::string_view text);

/// Words of an answer: what blanks separate, those that do not break included, if it has a letter or a digit.
/// Comments of HTML do not count.
std::size_t words_in(std::string_view answer);

}  // namespace warplab
