#include "grader/predict/sealed_ladder.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "common/host/bad_input.hpp"

namespace warplab {
namespace {

constexpr std::size_t bytes_per_line = 40;

bool is_to_seal(const std::string& line) {
  return line.starts_with("<!-- rungs of ") || line == "<!-- sealed -->";
}

}  // namespace

SealedLadder seal_ladder(const std::string& handout, const std::string& lab) {
  SealedLadder sealed;
  std::string fold;  // lines since <details>, while it is open
  bool is_open = false, has_answers = false;
  std::istringstream in(handout);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("<details>")) is_open = true;
    has_answers |= is_open && is_to_seal(line);
    (is_open ? fold : sealed.handout) += line + "\n";
    if (!is_open || !line.ends_with("</details>")) continue;
    if (has_answers) {
      sealed.ladder += fold;
      fold =
          fmt::format("*`build/emulator/bin/warplab predict {}` shows it, once you have predicted.*\n", lab);
    }
    sealed.handout += fold;
    fold.clear();
    is_open = has_answers = false;
  }
  sealed.handout += fold;
  return sealed;
}

std::string hidden_text(const std::string& text) {
  std::string hidden;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && i % bytes_per_line == 0) hidden += '\n';
    hidden += fmt::format("{:02x}", static_cast<unsigned char>(text[i]));
  }
  return hidden + "\n";
}

std::string shown_text(const std::string& hidden) {
  std::string digits = hidden;
  std::erase(digits, '\n');
  if (digits.size() % 2 != 0) throw BadInput("a sealed ladder is not whole");
  std::string text;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    const char* const begin = digits.data() + i;
    if (std::from_chars(begin, begin + 2, byte, 16).ptr != begin + 2)
      throw BadInput("a sealed ladder is not whole");
    text += static_cast<char>(byte);
  }
  return text;
}

}  // namespace warplab
