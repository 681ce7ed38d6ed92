#include "grader/guard/assembly_frames.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace warplab::assembly {
namespace {

FrameShape shape_of(const std::vector<std::string_view>& lines, std::size_t begin) {
  FrameShape shape;
  long depth = 8, deepest = 8, cfa_register = 7;
  bool prologue = true;
  std::vector<std::pair<long, long>> remembered;
  for (std::size_t i = begin; i < lines.size(); ++i) {
    const auto [word, rest] = first_word(trimmed(lines[i]));
    const std::vector<std::string_view> parts = operands_of(rest);
    if (word == ".cfi_endproc") break;
    if (word == ".cfi_offset") shape.saved = std::max(shape.saved, -frame_number(parts, 1));
    if (word == ".cfi_def_cfa_offset" && cfa_register == 7)
      deepest = std::max(deepest, depth = frame_number(parts, 0));
    if (word == ".cfi_def_cfa_register") cfa_register = frame_number(parts, 0);
    if (word == ".cfi_def_cfa") {
      cfa_register = frame_number(parts, 0);
      if (cfa_register == 7) deepest = std::max(deepest, depth = frame_number(parts, 1));
      if (cfa_register == 10) shape.moved = true;
    }
    if (word == ".cfi_remember_state") remembered.emplace_back(depth, cfa_register);
    if (word == ".cfi_restore_state" && !remembered.empty()) {
      std::tie(depth, cfa_register) = remembered.back();
      remembered.pop_back();
    }
    if (word.empty() || word[0] == '.' || word[0] == '#' || word.ends_with(':')) {
      if (word.ends_with(':') && word != lines[begin] && !word.starts_with(".LF") &&
          !word.starts_with(".LB") && !word.starts_with(".LV"))
        prologue = false;
      continue;
    }
    if (is_control(word)) prologue = false;
    if (!prologue) continue;
    // Beyond what the directives tell: frames that a register marks, and that are aligned.
    if (word == "andq" && parts.size() == 2 && parts[1] == "%rsp") {
      shape.alignment = -frame_number(parts, 0);
      shape.before = depth - 8;
      depth = deepest = 0;
      if (shape.moved) shape.saved = 0;
      cfa_register = 0;
    } else if (cfa_register != 7) {
      if (word == "pushq") {
        depth += 8;
        if (shape.moved) shape.saved += 8;
      }
      if ((word == "subq" || word == "addq") && parts.size() == 2 && parts[1] == "%rsp") {
        // 128 bytes are taken by adding -128, which is a shorter instruction.
        const long bytes = frame_number(parts, 0);
        depth += word == "subq" ? bytes : -bytes;
      }
      deepest = std::max(deepest, depth);
    }
  }
  shape.depth = deepest;
  if (shape.depth > 1 << 20) throw Refused{"the variables of a function need more than 1 MiB of stack"};
  return shape;
}

}  // namespace

void Frame::begin(const std::vector<std::string_view>& lines, std::size_t begin) {
  shape_ = shape_of(lines, begin);
  cfa_ = {stack_pointer, 8};
  remembered_.clear();
}

void Frame::directive(std::string_view word, const std::vector<std::string_view>& parts) {
  if (word == ".cfi_def_cfa_offset") {
    cfa_.second = frame_number(parts, 0);
  } else if (word == ".cfi_def_cfa_register") {
    cfa_.first = frame_number(parts, 0);
  } else if (word == ".cfi_def_cfa") {
    cfa_ = {frame_number(parts, 0), frame_number(parts, 1)};
  } else if (word == ".cfi_escape") {
    cfa_ = {-1, 0};
  } else if (word == ".cfi_remember_state") {
    remembered_.push_back(cfa_);
  } else if (word == ".cfi_restore_state") {
    if (remembered_.empty()) throw Refused{"its frames are not understood"};
    cfa_ = remembered_.back();
    remembered_.pop_back();
  }
}

bool Frame::has_variable(const Memory& memory, unsigned bytes) const {
  const bool by_frame = memory.base == "%rbp" && cfa_.first == frame_pointer;
  const bool by_stack = memory.base == "%rsp" && cfa_.first == stack_pointer;
  if (memory.indexed || shape_.alignment != 0 || (!by_frame && !by_stack)) return false;
  if (!memory.displacement.empty() && !is_number(memory.displacement)) return false;
  const long offset = (memory.displacement.empty() ? 0 : number(memory.displacement)) - cfa_.second;
  return offset >= -shape_.depth && offset + static_cast<long>(bytes) <= -shape_.saved;
}

bool Frame::is_near(const Memory& memory) const {
  constexpr long arguments = 1024;
  if (memory.indexed || (memory.base != "%rsp" && (memory.base != "%rbp" || cfa_.first != frame_pointer)))
    return false;
  if (!memory.displacement.empty() && !is_number(memory.displacement)) return false;
  return memory.displacement.empty() ||
         std::abs(number(memory.displacement)) <= shape_.before + shape_.depth + shape_.alignment + arguments;
}

}  // namespace warplab::assembly
