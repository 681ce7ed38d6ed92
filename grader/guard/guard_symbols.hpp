#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplab {

/// What solutions of a lab may call beside what those of all labs may.
struct GuardAllowance {
  bool whole_program = false;        ///< allocates, copies and prints by itself: a host program
  bool asynchronous_copies = false;  ///< copies whose stores the lens does not count, and what waits for them
};

/// What guarded code calls, or refers to, where it names a symbol of another module: the symbol itself, or
/// one that looks at its arguments first. @return nothing for symbols that no solution needs
std::optional<std::string> guarded_symbol(std::string_view symbol, GuardAllowance allowance = {});

/// Whether guarded code may import a symbol: what it calls in place of others, or a symbol that is harmless.
bool may_import(std::string_view symbol, GuardAllowance allowance = {});

/// A symbol as people know it: "std::thread::join()".
std::string readable_symbol(const std::string& symbol);

/// Why code that refers to a symbol that no solution needs is refused, and what to do, where that is known:
/// "it uses printf, which no solution of this lab needs; take debug output out again".
std::string unneeded_symbol(const std::string& symbol);

}  // namespace warplab
