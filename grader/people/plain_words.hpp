#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// Latin, Greek and Cyrillic letters of UTF-8 text in lower case; other characters as they are.
std::string lower_case(std::string_view text);

/// Letters and digits only, in lower case, as learning platforms name files: "Doe, Jane" becomes "doejane".
std::string squashed(std::string_view name);

/// Whether a text has a shape, in which each `0` is any digit: "2027-03-01" has "0000-00-00".
bool has_shape(std::string_view text, std::string_view shape);
/// The digits that a text begins with.
std::string_view leading_digits(std::string_view text);

/// A person's name in two parts. "Doe, Jane" is divided at the comma, "Jane Doe" before the last word.
struct NameParts {
  std::string given, family;
};
NameParts parts_of_name(const std::string& name);

/// What a platform may make of a name: given name first, family name first, divided between any two words.
std::vector<std::string> squashed_forms(const std::string& name);

}  // namespace warplab
