#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// What is known of the names of a whole file.
struct FileNames {
  std::set<std::string_view> by_reference;  ///< functions that may change a variable which is their argument
  std::set<std::string_view>
      in_memory;  ///< variables that any thread may change, arrays left out: their addresses are fixed
  std::set<std::string_view> references;  ///< types that are references: `using Ref = int&`
};
FileNames find_names(const Source& source);

/// Whether the name of a local variable, at token i, is where its value may change: assigned, incremented,
/// its address or a reference taken, a member's function called. In doubt, yes.
/// @param is_pointer then `name[i] = 1` and `name->x = 1` change something else
bool may_change(const Source& source, const FileNames& names, int i, bool is_pointer);

/// Whether token i is the name of a member or of something in a namespace: `.name`, `->name`, `a::name`.
bool is_member(const Source& source, int i);

/// Whether the tokens first to last are an expression that always has the same value, as it reads nothing but
/// constants and names that `is_fixed` says yes to, and changes nothing.
bool is_pure(const Source& source, const FileNames& names, int first, int last,
             const std::function<bool(std::string_view)>& is_fixed);

}  // namespace warplab::translator
