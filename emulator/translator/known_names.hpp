#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Names anywhere in a file; empty until they are asked for.
struct NamesOfFile {
  bool are_found = false;
  std::set<std::string_view> constants;  ///< of namespaces, classes and templates, known when it is compiled
  std::map<std::string_view, std::set<int>> local_constants;  ///< of functions: where each is declared
  /// In shared and constant memory, where the compiler places them; where each is declared.
  std::map<std::string_view, std::set<int>> placed_arrays;
};

/// What nvcc does with a loop's iterations, as far as the text tells.
enum class Unrolling {
  none,
  by_four,  ///< it begins at a constant and ends at a value that only the kernel knows: four at a time
  whole     ///< all its iterations are known
};

/// What a compiler knows of the names in a device function: which are constants, and how its loops unroll.
class KnownNames : private TokenReader {
 public:
  /// @param of_file found by the first one of a file
  KnownNames(const Source& source, const Function& function, NamesOfFile& of_file);

  /// Of a name at a token. The variable of a loop is what the innermost loop of that name makes of it.
  bool is_constant(int name) const;
  /// Whether all names of tokens first to last are.
  bool is_known(int first, int last) const;
  /// Also a parameter of a device function that has the name of such an array, as it mostly is one.
  bool is_placed_array(int name) const;
  /// Of the loop whose `for` that token is.
  Unrolling unrolling(int keyword) const;
  /// By how much it is to be unrolled, as `#pragma unroll` before it says: a number or a constant's name, or
  /// an empty text where it says neither. None without such a line.
  std::optional<std::string> asked_unrolling(int keyword) const;

 private:
  struct Loop {
    int keyword, variable, begin, end;  ///< tokens
    Unrolling unrolling;
  };
  bool is_constant_at(int use, std::string_view name) const;
  void find_constants();
  void find_placed_arrays();
  void find_loops();
  void find_loop(int keyword);
  void find_constant(int i) const;
  void add_constant(int name) const;
  bool is_left_early(int first, int last) const;
  bool condition_is_known(int open, int close, bool one_is_enough) const;
  bool steps_are_known(int semicolon, int close, std::string_view variable) const;

  const Function& function_;
  NamesOfFile& of_file_;
  std::set<std::string_view> variables_;  ///< of loops whose iterations are all known
  std::vector<Loop> loops_;               ///< in the order in which they begin
};

}  // namespace warplab::translator
