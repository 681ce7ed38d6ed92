#pragma once

#include <functional>
#include <string>

namespace warplab::house {

/// The value of an expression of numbers, + - * / ^ and parentheses, in which `[...]` is looked up.
/// @param look_up the value of what is between brackets
/// @throws std::invalid_argument with the rest that could not be read
double value_of_expression(const std::string& text, const std::function<double(const std::string&)>& look_up);

}  // namespace warplab::house
