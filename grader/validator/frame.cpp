#include "grader/validator/frame.hpp"

namespace warplab::validator {
namespace {

using ValueKind = Value::Kind;

constexpr std::int64_t arguments = 1024;  // above the return address, as far as functions have any
constexpr std::uint32_t max_depth = 1 << 20;

}  // namespace

bool Frame::is_possible() const {
  const bool plain = shape_.alignment == 0 && shape_.before == 0 && shape_.moved == 0;
  const bool aligned = shape_.alignment >= 16 && shape_.alignment <= 4096 &&
                       (shape_.alignment & (shape_.alignment - 1)) == 0 && shape_.before <= max_depth &&
                       shape_.moved <= 1;
  const std::uint32_t min_saved = shape_.moved != 0 ? 0 : word_bytes;  // the return address
  return (plain || aligned) && shape_.depth <= max_depth && shape_.saved <= max_depth &&
         shape_.saved >= min_saved && (aligned || shape_.saved <= shape_.depth);
}

bool Frame::may_reach(const Value& p) const {
  const std::int64_t depth = shape_.depth;
  if (p.kind == ValueKind::base) return p.number <= 0 && p.number >= -depth;
  const std::int64_t lowest = shape_.alignment != 0 ? -std::int64_t{shape_.before} : word_bytes - depth;
  return p.kind == ValueKind::entry && p.number <= 0 && p.number >= lowest;
}

bool Frame::is_full(const Value& p) const {
  const std::int64_t depth = shape_.depth;
  return shape_.alignment != 0 ? p == Value{ValueKind::base, -depth}
                               : p == Value{ValueKind::entry, word_bytes - depth};
}

Value Frame::aligned(const Value& p, std::int64_t mask) const {
  const bool as_said = shape_.alignment != 0 && mask == -std::int64_t{shape_.alignment} &&
                       p == Value{ValueKind::entry, -std::int64_t{shape_.before}};
  return as_said ? Value{ValueKind::base, 0} : Value{};
}

bool Frame::is_protected(const Value& place) const {
  const std::int64_t saved = shape_.saved;
  if (place.kind == ValueKind::base) return shape_.moved != 0 && place.number >= -saved;
  return place.kind == ValueKind::entry && (shape_.moved != 0 || place.number >= word_bytes - saved);
}

bool Frame::holds_variables(const Value& place, std::int64_t bytes) const {
  return place.kind == ValueKind::entry && shape_.alignment == 0 &&
         place.number >= word_bytes - std::int64_t{shape_.depth} &&
         place.number + bytes <= word_bytes - std::int64_t{shape_.saved};
}

bool Frame::is_near(const Value& place, std::int64_t bytes) const {
  const std::int64_t reach = std::int64_t{shape_.before} + shape_.depth + shape_.alignment;
  return place.is_stack() && place.number >= -reach && place.number + bytes <= reach + arguments;
}

}  // namespace warplab::validator
