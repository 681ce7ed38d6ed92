#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warplab::house {

/// A function that a C++ or CUDA file defines, lambdas and classes inside it included.
struct Function {
  std::string head;       ///< what is before its body, in one line: "int f(int x)"
  std::size_t line = 0;   ///< where its head begins, from 1
  std::size_t lines = 0;  ///< from there to its closing brace; marks of solutions and stubs do not count
  bool is_kernel = false;
};

std::vector<Function> functions_in(const std::string& text);

/// `text` with spaces in place of comments, directives and what is in literals; each line stays where it is.
std::string without_comments_and_literals(const std::string& text);

}  // namespace warplab::house
