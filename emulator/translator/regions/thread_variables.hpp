#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/regions/expressions.hpp"
#include "emulator/translator/regions/statements.hpp"
#include "emulator/translator/regions/variables.hpp"

namespace warplab::translator {

/// A statement in a region, or what is computed of it in the region before: what a warp's functions are
/// called with, the condition of a branch.
struct Part {
  const Statement* statement;
  bool is_before = false;
  std::vector<std::pair<int, int>> tokens;  ///< first and last
};

/// What each thread runs from start to end, between two points where threads wait.
struct Region {
  std::vector<Part> parts;
  bool returns = false;  ///< a thread may return in it
  bool is_last = false;  ///< no other follows, nor does a barrier
};

/// What becomes of a kernel's variables when its barriers cut it into regions, or of a function's. Parameters
/// are among them; those of a function have another value in each thread.
///
/// A variable is *uniform* if it has the same value in all threads because it is computed from nothing else:
/// then the block has it once, and loops and branches that depend on it are those of the block. It is
/// *repeatable* if it never changes and is computed from threadIdx and what is uniform: then each region
/// computes it. Others that more than one region uses are *kept* for each thread.
class ThreadVariables : private TokenReader {
 public:
  ThreadVariables(const Source& source, const FileNames& names, const Function& kernel,
                  const std::vector<Statement>& statements);

  /// Whether the kernel can be run by regions.
  bool is_understood() const { return understood_; }

  enum class Role {
    of_threads,  ///< each thread runs it
    declares,    ///< it declares shared or uniform variables: the block does that, before its region
    of_block     ///< it changes uniform variables
  };
  Role role_of(const Statement& statement) const;

  /// Whether warps may differ in which way of a branch they take.
  bool divides(const Statement& branch) const {
    return branch.kind == Statement::Kind::branch && !is_head_uniform(branch);
  }

  /// Whether a statement must not be in one region with those before it: the block computes a uniform
  /// variable of it, which divides, or which threads that have returned do not come to.
  bool begins_region(const Statement& statement) const { return beginning_.contains(statement.first); }

  struct Known : Variable {
    int scope_end = -1;  ///< token
    int region = -1;     ///< where it is declared, or -1
    bool is_parameter = false, is_in_head = false;
    bool is_kept = false, is_repeatable = false;
  };
  const std::vector<Known>& variables() const { return variables_; }
  const std::vector<Region>& regions() const { return regions_; }
  const std::set<std::string_view>& type_parameters() const { return type_parameters_; }
  bool is_uniform(std::string_view name) const { return uniform_.contains(name); }
  bool is_used(const Known& variable, const Region& region) const;
  /// Whether tokens first to last name the variable.
  bool is_named(const Known& variable, int first, int last) const;
  bool is_named(const Known& variable, const Part& part) const;
  /// Whether a region begins to use the variable by giving it another value.
  bool is_set_first(const Known& variable, const Region& region) const;
  bool may_change_in(const Known& variable, const Region& region) const;
  /// What must be true of the types of kept variables that tokens do not tell: they are numbers. Or "".
  std::string condition() const;
  /// Whether there are branches that warps may differ in: then each must lie in a row of the block.
  bool divides_warps() const { return divides_; }
  /// Whether what is kept may be the address of a local variable, which only its region has.
  bool keeps_addresses() const;

 private:
  struct Change {  ///< `name += value`
    int name, value_first, value_last;
  };
  void collect(const std::vector<Statement>& statements, int scope_end);
  void collect_plain(const Statement& statement, int scope_end);
  void collect_head(const Statement& loop);
  void add(const std::vector<Variable>& variables, int scope_end, bool is_in_head);
  bool read_changes(int first, int last, std::vector<Change>& changes) const;
  bool read_change(int first, int last, Change& change) const;
  void keep_while(std::set<std::string_view>& names, const std::function<bool(const Known&)>& holds);
  void find_uniform();
  bool stays_uniform(std::string_view name) const;
  bool is_uniform_value(int first, int last) const;
  bool is_valid(const std::vector<Change>& changes) const;
  bool is_changed_by_block(int name) const;
  void check_heads(const std::vector<Statement>& statements);
  bool can_divide(const Statement& branch) const;
  bool is_integer(const Known& variable) const;
  bool is_fixed_as(int i, const std::function<bool(int, int)>& holds) const;
  int end_of_thread_number(int i) const;
  bool is_number_of_warp(int i, int first, int last) const;
  bool is_same_in_warp(int first, int last) const;
  bool is_in_one_way(int name) const;
  void note_branches(const std::vector<Statement>& statements);
  bool is_head_uniform(const Statement& statement) const;
  void find_regions(const std::vector<Statement>& statements, bool in_loop);
  Region& begin_region(bool in_loop);
  void find_repeatable();
  bool is_steady(std::string_view name) const;
  bool has_repeatable_value(const Known& variable) const;
  void find_kept();
  bool computes_for_block(const Statement& statement, bool divides_only) const;
  bool is_fit_for_block(int first, int last) const;
  bool is_simple() const;
  bool is_constant(const Known& variable) const;
  bool has_known_type(const Known& variable) const;
  bool can_be_kept(const Known& variable) const;
  bool is_declared(std::string_view name) const;
  bool is_declared_in_head(int loop, std::string_view name) const;
  bool changes_somewhere(std::string_view name, bool but_for_heads) const;
  bool hides_another() const;

  const FileNames& names_;
  const Function& kernel_;
  bool understood_ = true, passes_pointers_ = false, divides_ = false;
  std::vector<Known> variables_;
  std::vector<Region> regions_;
  std::map<int, std::vector<Change>> changing_statements_, changing_heads_;  ///< by first token
  std::vector<const Statement*> branches_;
  std::set<int> beginning_;
  std::set<int> shared_, declaring_;  ///< statements that declare shared variables, or any
  std::set<std::string_view> type_parameters_, uniform_, repeatable_;
};

}  // namespace warplab::translator
