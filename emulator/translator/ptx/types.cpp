#include "emulator/translator/ptx/types.hpp"

#include <algorithm>

namespace warplab::translator {
namespace {

constexpr PtxType types[] = {{"pred", "bool", 0, false, false},
                             {"b8", "unsigned char", 1, false, false},
                             {"u8", "unsigned char", 1, false, false},
                             {"s8", "signed char", 1, false, true},
                             {"b16", "unsigned short", 2, false, false},
                             {"u16", "unsigned short", 2, false, false},
                             {"s16", "short", 2, false, true},
                             {"b32", "unsigned", 4, false, false},
                             {"u32", "unsigned", 4, false, false},
                             {"s32", "int", 4, false, true},
                             {"b64", "unsigned long long", 8, false, false},
                             {"u64", "unsigned long long", 8, false, false},
                             {"s64", "long long", 8, false, true},
                             {"f32", "float", 4, true, true},
                             {"f64", "double", 8, true, true},
                             {"f16", "::warplab::emulator::ptx::Half", 2, true, true},
                             {"bf16", "::warplab::emulator::ptx::Bfloat16", 2, true, true},
                             {"f16x2", "::warplab::emulator::ptx::HalfPair", 4, true, true},
                             {"bf16x2", "::warplab::emulator::ptx::Bfloat16Pair", 4, true, true},
                             {"tf32", "unsigned", 4, true, true}};

}  // namespace

const PtxType* find_ptx_type(std::string_view name) {
  for (const PtxType& type : types)
    if (type.name == name) return &type;
  return nullptr;
}

PtxModifiers::PtxModifiers(std::string_view name) {
  std::size_t begin = 0;
  for (bool first = true; begin <= name.size(); first = false) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    if (first)
      base_ = name.substr(begin, end - begin);
    else
      rest_.emplace_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
}

bool PtxModifiers::take(std::string_view modifier) {
  const auto found = std::find(rest_.begin(), rest_.end(), modifier);
  if (found == rest_.end()) return false;
  rest_.erase(found);
  return true;
}

std::string PtxModifiers::take_one_of(std::initializer_list<std::string_view> modifiers) {
  for (std::string_view modifier : modifiers)
    if (take(modifier)) return std::string(modifier);
  return "";
}

const PtxType* PtxModifiers::take_type() {
  for (auto part = rest_.begin(); part != rest_.end(); ++part)
    if (const PtxType* const type = find_ptx_type(*part)) {
      rest_.erase(part);
      return type;
    }
  return nullptr;
}

bool PtxModifiers::take_prefix(std::string_view prefix) {
  return std::erase_if(rest_, [&](const std::string& part) { return part.starts_with(prefix); }) != 0;
}

}  // namespace warplab::translator
