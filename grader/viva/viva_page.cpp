#include "grader/viva/viva_page.hpp"

#include <fmt/format.h>

#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

constexpr const char* nothing_to_ask =
    "There is nothing to ask about: no task that was handed in could be recorded.";

std::string shown_place(const VivaQuestion& question) {
  return question.line == 0 ? question.file : fmt::format("{}:{}", question.file, question.line);
}

std::string title_of(const Viva& viva) {
  return fmt::format("Viva: {}, {}", viva.student, counted(viva.questions.size(), "question"));
}

/// Lines of a text, each after a margin.
std::string indented(const std::string& text, const std::string& margin) {
  std::string out = margin;
  for (const char c : text) out += c == '\n' ? "\n" + margin : std::string(1, c);
  return out;
}

}  // namespace

Page viva_page(const Viva& viva) {
  Page page{title_of(viva), {}};
  if (viva.questions.empty()) page.blocks.emplace_back(Paragraph{nothing_to_ask});
  std::size_t number = 0;
  for (const VivaQuestion& question : viva.questions) {
    page.blocks.emplace_back(
        Heading{3, fmt::format("{}. {}", ++number, name_of(question.kind)), question.task, Tone::plain});
    page.blocks.emplace_back(Paragraph{question.text, shown_place(question)});
    if (!question.source.empty()) page.blocks.emplace_back(Verbatim{question.source});
    if (!question.input.empty()) page.blocks.emplace_back(Paragraph{question.input, "Input"});
    if (question.answer.find('\n') == std::string::npos) {
      page.blocks.emplace_back(Paragraph{question.answer, "Answer"});
    } else {
      page.blocks.emplace_back(Paragraph{"", "Answer"});
      page.blocks.emplace_back(Verbatim{question.answer});
    }
    page.blocks.emplace_back(Paragraph{question.then_ask, "Then ask"});
  }
  if (!viva.remarks.empty()) page.blocks.emplace_back(Heading{2, "Remarks"});
  for (const std::string& remark : viva.remarks) page.blocks.emplace_back(Item{remark});
  return page;
}

std::string viva_text(const Viva& viva) {
  std::string text = title_of(viva) + "\n";
  if (viva.questions.empty()) text += std::string(nothing_to_ask) + "\n";
  std::size_t number = 0;
  for (const VivaQuestion& question : viva.questions) {
    text += fmt::format("\n{}. {}, {}{}\n", ++number, question.task, shown_place(question),
                        question.input.empty() ? "" : ", at " + question.input);
    if (!question.source.empty()) text += "       " + question.source + "\n";
    text += fmt::format("   Question  {}\n   Answer    {}\n   Then ask  {}\n", question.text,
                        indented(question.answer, "             ").substr(13), question.then_ask);
  }
  for (const std::string& remark : viva.remarks) text += "\nremark: " + remark + "\n";
  return shown_text(text, 400);
}

}  // namespace warplab
