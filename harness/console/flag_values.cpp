#include "harness/console/flag_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"

namespace warplab {
namespace {

/// Above this, an upper limit is our type's, and says nothing to a reader.
constexpr std::uint64_t max_limit_to_name = std::uint64_t{1} << 40;

/// A whole number in [low, high], which is `part` of what the flag was given. @throws BadInput
template <class T>
T parse_part(const std::string& flag, const std::string& whole, const std::string& part, T low, T high) {
  T value{};
  const char* const last = part.data() + part.size();
  const auto [end, error] = std::from_chars(part.data(), last, value);
  const bool number = !part.empty() && end == last && error != std::errc::invalid_argument;
  if (number && error == std::errc() && value >= low && value <= high) return value;
  const bool is_negative = part.starts_with('-') && part.find_first_not_of("0123456789", 1) == part.npos;
  const bool too_large = error == std::errc::result_out_of_range && !is_negative;
  throw BadInput(fmt::format("{} {}{} is {}; accepted are whole numbers {}", flag,
                             whole.empty() ? "''" : whole, part == whole ? "" : fmt::format(": '{}'", part),
                             too_large               ? "too large"
                             : number || is_negative ? "out of range"
                                                     : "not a whole number",
                             too_large || static_cast<std::uint64_t>(high) < max_limit_to_name
                                 ? fmt::format("from {} to {}", low, high)
                                 : fmt::format("of {} or more", low)));
}

Extent3 parse_extent3(const char* flag, const std::string& text, const Extent3& limits) {
  const std::vector<std::string> parts = split_list(text, 'x');
  if (parts.size() > 3)
    throw BadInput(
        fmt::format("{} {} has {} extents; at most 3 are accepted, such as 32x8", flag, text, parts.size()));
  Extent3 extent{1, 1, 1};
  for (std::size_t i = 0; i < parts.size(); ++i)
    extent[i] = parse_part<unsigned>(flag, text, parts[i], 1, limits[i]);
  return extent;
}

}  // namespace

std::vector<std::string> split_list(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

template <class T>
T parse_whole(const std::string& flag, const std::string& text, T low, T high) {
  return parse_part<T>(flag, text, text, low, high);
}
template int parse_whole(const std::string&, const std::string&, int, int);
template std::int64_t parse_whole(const std::string&, const std::string&, std::int64_t, std::int64_t);
template std::uint64_t parse_whole(const std::string&, const std::string&, std::uint64_t, std::uint64_t);

std::vector<std::int64_t> parse_size(const std::string& text, const std::vector<std::string>& names) {
  const std::vector<std::string> parts = split_list(text, 'x');
  if (parts.size() != names.size())
    throw BadInput(fmt::format("--size {} has {} extent{}; accepted is {}, such as {}", text, parts.size(),
                               parts.size() == 1 ? "" : "s", fmt::join(names, "x"),
                               fmt::join(std::vector<int>(names.size(), 1024), "x")));
  std::vector<std::int64_t> size;
  for (const std::string& part : parts)
    size.push_back(
        parse_part<std::int64_t>("--size", text, part, 0, std::numeric_limits<std::int64_t>::max()));
  return size;
}

Extent3 parse_block(const std::string& text) {
  const Extent3 block = parse_extent3("--block", text, {1024, 1024, 64});
  if (const auto threads = std::uint64_t{block[0]} * block[1] * block[2]; threads > 1024)
    throw BadInput(
        fmt::format("--block {} has {} threads; CUDA allows at most 1024 per block", text, threads));
  return block;
}

Extent3 parse_grid(const std::string& text) {
  return parse_extent3("--grid", text, {2147483647, 65535, 65535});
}

std::size_t parse_choice(const std::string& flag, const std::string& text,
                         std::span<const char* const> choices) {
  const std::vector<std::string> names(choices.begin(), choices.end());
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end())
    throw BadInput(fmt::format("{} {} is unknown{}; accepted are {}", flag, text, did_you_mean(text, names),
                               fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

std::int64_t parse_number(const std::string& flag, const std::string& text, std::int64_t low,
                          std::int64_t high) {
  return parse_whole<std::int64_t>(flag, text, low, high);
}

}  // namespace warplab
