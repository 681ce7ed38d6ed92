#pragma once

#include <map>
#include <string>

#include "grader/validator/object_file.hpp"

namespace warplab::validator {

/// A function of the module, as its symbol says: not to be believed, but code is proven function by function.
struct Function {
  std::string name;
  Place begin;
  std::uint64_t size;
};

/// The functions by their first byte.
using FunctionTable = std::map<Place, Function>;

/// @throws Violation of Rule::function_bounds if two overlap or one is not within a code section
FunctionTable functions_of(const ObjectFile& object);

}  // namespace warplab::validator
