#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplab {

/// What guarded code calls, or refers to, where it names a symbol of another module: the symbol itself, or
/// one that looks at its arguments first. @return nothing for symbols that no solution needs
/// @param whole_program whether the file is a host program, which allocates, copies and prints by itself
std::optional<std::string> guarded_symbol(std::string_view symbol, bool whole_program = false);

/// A symbol as people know it: "std::thread::join()".
std::string readable_symbol(const std::string& symbol);

/// Why code that refers to a symbol that no solution needs is refused, and what to do, where that is known:
/// "it uses printf, which no solution of this lab needs; take debug output out again".
std::string unneeded_symbol(const std::string& symbol);

}  // namespace warplab
