#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "grader/validator/machine_state.hpp"
#include "grader/validator/module_rules.hpp"
#include "grader/validator/object_file.hpp"

namespace warplab::validator {

/// The function that goes through the call sites of guarded code.
inline constexpr std::string_view personality_name = "warplab_isolation___gxx_personality_v0";

/// How an exception finds the caller of a function from one of its instructions.
struct UnwindRow {
  std::uint64_t begin = 0;  ///< from the function's begin, up to the next row
  RegisterNumber cfa_register = rsp;
  std::int64_t cfa_offset = 8;
  bool cfa_in_memory = false;  ///< the caller's frame is where the word at register + offset points
  struct Saved {
    RegisterNumber of;
    bool by_rbp;  ///< the offset is from rbp, not from the caller's frame
    std::int64_t offset;
    friend bool operator==(const Saved&, const Saved&) = default;
  };
  std::vector<Saved> saved = {};
};

/// What .eh_frame and .gcc_except_table say of one function.
struct UnwindTable {
  std::uint64_t size = 0;  ///< of the function, as the table has it
  std::vector<UnwindRow> rows = {};
  struct CallSite {
    std::uint64_t begin, end;  ///< from the function's begin
    std::uint64_t pad;         ///< where an exception continues; 0: nowhere
  };
  std::vector<CallSite> call_sites = {};

  const UnwindRow* row_at(std::uint64_t offset) const;
};

/// The tables of an object's functions, by their first byte.
/// @throws Violation of Rule::unwind_table or Rule::exception_table for anything that g++ does not write for
/// functions without handlers
std::map<Place, UnwindTable> unwind_tables_of(const ObjectFile& object);

/// Whether an exception from here would find the caller's frame, and its registers where they are.
bool is_true_of(const UnwindRow& row, const MachineState& state);

}  // namespace warplab::validator
