#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/translator/code/token.hpp"
#include "emulator/translator/regions/variables.hpp"

namespace warplab::translator {

/// A `__device__` function that is also written as loops over threads.
struct WarpFunction {
  std::vector<Variable> parameters;  ///< numbers, pointers to such, or types of the template
  std::set<std::string_view> type_parameters;
  bool returns = false;      ///< a value
  bool has_barrier = false;  ///< all threads of the block must call it
  bool divides = false;      ///< each warp must lie in a row of the block
  int last = -1;             ///< token, after which it can be called
  std::string scope;         ///< "::a::b::", where it is declared
};

/// A call that threads of a warp or block make together: of `__shfl_down_sync` and its like, or of a
/// WarpFunction.
struct WarpCall {
  int name = -1, open = -1, close = -1;  ///< tokens
  std::string kind;                      ///< the emulator's Collective; empty for a WarpFunction
  const WarpFunction* function = nullptr;
  std::vector<std::pair<int, int>> arguments;  ///< first and last token of each
};

/// Finds such calls.
class WarpCalls {
 public:
  explicit WarpCalls(const Source& source) : source_(source) {}

  void add(std::string name, WarpFunction function) {
    functions_.insert_or_assign(std::move(name), std::move(function));
  }

  /// The call that token `i` begins. @return nothing if it is none, or one that only fibers can run
  std::optional<WarpCall> call_at(int i) const;

  /// The calls among tokens first to last, in order.
  std::vector<WarpCall> among(int first, int last) const;

  /// Whether each thread that comes to the expression between tokens first and last makes all these calls,
  /// none of them to compute the arguments of another.
  bool are_always_made(int first, int last, const std::vector<WarpCall>& calls) const;

 private:
  bool complete(WarpCall& call) const;
  bool is_hidden(int i) const;
  bool is_comma_operator(int i, int first) const;

  const Source& source_;
  std::map<std::string, WarpFunction, std::less<>> functions_;
};

}  // namespace warplab::translator
