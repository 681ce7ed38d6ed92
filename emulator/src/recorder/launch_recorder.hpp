#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/src/base/source_lines.hpp"
#include "emulator/src/block/observer.hpp"
#include "emulator/src/checker/checker.hpp"
#include "emulator/src/recorder/constant_words.hpp"
#include "emulator/src/recorder/element_places.hpp"
#include "emulator/src/recorder/group.hpp"
#include "emulator/src/recorder/joined_requests.hpp"
#include "emulator/src/recorder/launch_work.hpp"
#include "lens/report.hpp"
#include "warplab_emulator/launch/launch.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

namespace warplab::emulator::lens {

/// What was counted at one instruction, in blocks of one stratum of the sample.
struct InstructionCounts {
  std::uint64_t requests = 0, cost = 0, ideal = 0, lanes = 0, bytes = 0;
  std::uint64_t addresses = 0, serial = 0;  ///< constant memory, atomics; of tables: calls, loops with calls

  InstructionCounts& operator+=(const InstructionCounts& more);
  InstructionCounts& operator-=(const InstructionCounts& less);  ///< what is below 0 wraps around
};

/// An instruction that touches memory, or a branch.
struct Instruction {
  const void* code = nullptr;
  EventKind kind = EventKind::branch;
  std::uint8_t array = 0;                   ///< of local memory
  bool loads_address = false;               ///< of a table, at each call
  bool is_uniform = false;                  ///< of constant memory: no load instruction of a GPU reads it
  std::array<InstructionCounts, 2> counts;  ///< of corner blocks, and of the others that were recorded
  warplab::lens::RequestSample worst;
};

/// An array of every thread that may lie in local memory, by the code that declares it.
struct LocalArrayUse {
  const void* code = nullptr;
  std::size_t bytes = 0;
  bool is_local = false;       ///< indexed by what is known only at run time, or differs between lanes
  bool has_words_only = true;  ///< as elements
};

/// A line with a barrier, and how many warps came to it in each stratum of blocks.
struct BarrierSite {
  std::string file;
  int line = 0;
  std::array<std::uint64_t, 2> warps{};
};

/// The instrumented build of a kernel: the code that is watched, and the module that it is in.
struct InstrumentedKernel {
  const void* code = nullptr;
  const std::byte* base = nullptr;
  const ModuleFunctions* functions = nullptr;
  std::string kernel;  ///< its name with template arguments, or empty where only the launch knows it

  /// Of an instruction, from the beginning of the module.
  std::uint32_t offset_of(const void* instruction) const {
    return static_cast<std::uint32_t>(static_cast<const std::byte*>(instruction) - base);
  }
};

/// What is recorded of one launch. Used by one OS thread.
class LaunchRecorder final : public LaunchObserver {
 public:
  LaunchRecorder(const Launch& launch, const InstrumentedKernel& instrumented, const Options& options);
  LaunchRecorder(const LaunchRecorder&) = delete;

  const InstrumentedKernel& instrumented() const { return instrumented_; }
  const void* code() const override { return instrumented_.code; }
  const std::vector<std::uint64_t>& blocks() const override { return blocks_; }
  bool is_sole_purpose() const override { return options_.only; }
  bool is_corner(std::uint64_t block) const;

  void watch(const std::byte* stacks, std::size_t stacks_bytes) override;
  std::unique_ptr<BlockObserver> follow(Worker& worker, std::uint64_t block) override;
  void grid_barrier() override { checker_->grid_barrier(); }
  Checker& checker() { return *checker_; }
  const KernelArithmetic& arithmetic() const { return *arithmetic_; }
  bool wants_details() const { return options_.details; }

  void end_block(const BlockWork& work);
  void add(const Group& group, uint3 block, unsigned warp);
  void add(const UncertainJoin& join, uint3 block, unsigned warp);
  // @pre not closed
  Neighbours& neighbours() { return running_->neighbours; }
  ConstantWords& constant_words() { return running_->constant_words; }
  /// The allocation around an address is an array of structures. @param alignment theirs, in bytes
  void note_structures(std::uint64_t address, std::uint32_t alignment);
  /// Of the structures at an address of global memory; 1 where they are not known.
  std::uint32_t alignment_of_structures(std::uint64_t address) const;
  void add_barrier(const char* file, int line, unsigned warps);
  /// At how many barriers of blocks, and of all kinds, a thread of a block waited that waited most often.
  void note_waits(std::uint64_t barriers, std::uint64_t waits) {
    max_barriers_ = std::max(max_barriers_, barriers);
    max_waits_ = std::max(max_waits_, waits);
  }
  /// How many steps a warp of a block took.
  void note_steps(std::uint64_t steps) { busiest_warp_ = std::max(busiest_warp_, steps); }
  /// The number of the array that `code` declares, to be in its events.
  std::uint8_t array_number(const void* code, std::size_t bytes, bool surely_local);
  /// The lane uses an element of that array. @param code the instruction
  void note_element(const Lane& lane, std::uint8_t array, unsigned bytes, std::uint32_t code,
                    std::uint64_t offset) {
    arrays_[array].has_words_only = arrays_[array].has_words_only && bytes == 4;
    running_->element_places.note(lane, array, code, offset);
  }
  void add_fault(const Fault& fault) override;
  /// What would be a fault on a GPU; only the first one at a place is kept.
  void add_fault_once(const Fault& fault);

  /// Lets go of all that is needed only while blocks run.
  void close() override;
  /// All that was recorded, with places by source line. @pre closed
  warplab::lens::Launch report() const;

  void set_shared_bytes(std::size_t fixed) override { static_shared_bytes_ = fixed; }
  void set_lineage(const Lineage& lineage) { lineage_ = lineage; }
  const Lineage& lineage() const { return lineage_; }
  void set_max_pending(std::uint64_t most) { max_pending_ = most; }
  void add_transfers(std::uint64_t fills, std::uint64_t copies) { fills_ += fills, copies_ += copies; }

 private:
  using Places = std::map<const void*, SourceLine>;
  Instruction& instruction(const Group& group);
  /// Sectors or wavefronts of a request, and the fewest that its bytes need.
  struct RequestCost {
    unsigned taken, ideal;
  };
  /// What changes at instructions, by their numbers.
  using Changes = std::map<std::size_t, std::array<InstructionCounts, 2>>;
  void settle_joins();
  void settle_arrays();
  void settle_constants();
  void apply(const Changes& changes);
  void keep_if_worst(Instruction& at, const Group& group, RequestCost cost, uint3 block, unsigned warp);
  void add_counts(warplab::lens::Launch& report, const Places& places) const;
  void add_findings(warplab::lens::Launch& report, const Places& places) const;
  bool is_update(const Mistake& mistake, const Places& places) const;
  warplab::lens::Finding finding_of(const Mistake& mistake, bool update, const Places& places) const;
  void choose_blocks(unsigned long long limit);
  void complete_clusters(dim3 shape);

  std::string kernel_;
  Lineage lineage_;
  std::uint64_t fills_ = 0, copies_ = 0;
  std::uint64_t max_pending_ = 0, max_barriers_ = 0, max_waits_ = 0, busiest_warp_ = 0;
  dim3 grid_, block_;
  std::size_t dynamic_shared_bytes_ = 0, static_shared_bytes_ = 0;
  InstrumentedKernel instrumented_;
  std::shared_ptr<const KernelArithmetic> arithmetic_;
  Options options_;
  std::uint64_t total_blocks_ = 0;
  std::vector<std::uint64_t> blocks_, corners_;
  std::array<std::uint64_t, 2> recorded_{};
  std::size_t stratum_ = 0;
  std::unique_ptr<Checker> checker_;
  LaunchWork work_;
  std::vector<Mistake> mistakes_;
  std::string gap_;
  std::unordered_map<std::uint64_t, std::size_t> number_of_;
  std::vector<Instruction> instructions_;
  std::uint64_t last_key_ = ~0ull;
  std::size_t last_ = 0;
  struct Structures {
    std::uint64_t begin, end;
    std::uint32_t alignment;
  };
  std::vector<Structures> structures_;
  /// What is needed only while blocks run: it grows with each place of the code that they come to.
  struct WhileRunning {
    Neighbours neighbours;
    ConstantWords constant_words;
    ElementPlaces element_places;
  };
  std::unique_ptr<WhileRunning> running_ = std::make_unique<WhileRunning>();  ///< null once closed
  using CodePlaces = std::vector<CodePlace>;
  /// If requests of these instructions are joined: neighbours, up to four or only two of them.
  struct Joins {
    Changes by_four, by_two;
  };
  std::map<CodePlaces, Joins> joins_;
  /// And the ways of choices.
  struct Ways {
    Changes changes;
    bool are_alike = true;  ///< lanes load elements at one distance from each other, whatever way they go
  };
  std::map<CodePlaces, Ways> joined_ways_;
  std::vector<LocalArrayUse> arrays_;
  std::vector<BarrierSite> barriers_;
  struct FaultFinding {
    warplab::lens::Finding finding;
    const void* code;
  };
  std::vector<FaultFinding> faults_;
};

}  // namespace warplab::emulator::lens
