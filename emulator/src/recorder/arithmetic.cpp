#include "emulator/src/recorder/arithmetic.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "emulator/src/base/source_lines.hpp"
#include "emulator/src/recorder/machine_code.hpp"
#include "warplab_emulator/math/table_functions.hpp"

extern "C" void __sanitizer_cov_trace_pc();

namespace warplab::emulator::lens {
namespace {

template <class Join>
void join(Arithmetic& to, const Arithmetic& from, Join each) {
  for (std::uint64_t Arithmetic::*const member :
       {&Arithmetic::float_sums, &Arithmetic::float_products, &Arithmetic::double_sums,
        &Arithmetic::double_products, &Arithmetic::doubles, &Arithmetic::specials, &Arithmetic::others,
        &Arithmetic::table_loads})
    to.*member = each(to.*member, from.*member);
}

/// What instrumented code calls for functions of the C library.
constexpr std::pair<double (*)(double) noexcept, const char*> stand_ins[] = {{header_calls::lens_sin, "sin"},
                                                                             {header_calls::lens_cos, "cos"}};

const std::map<const void*, Arithmetic>& function_costs() {
  static const auto& costs = [] {
    static constexpr std::pair<const char*, Arithmetic> named[] = {
#include "emulator/src/recorder/function_costs.inc"
    };
    auto& by_address = *new std::map<const void*, Arithmetic>;
    for (const auto& [name, cost] : named)
      if (const void* const function = dlsym(RTLD_DEFAULT, name)) by_address.emplace(function, cost);
    for (const auto& [function, name] : stand_ins)
      by_address.emplace(reinterpret_cast<const void*>(function), by_address[dlsym(RTLD_DEFAULT, name)]);
    return by_address;
  }();
  return costs;
}

/// What an instruction of this machine takes a GPU; quotients and roots were counted as function_costs.inc
/// was.
Arithmetic cost_of(const MachineInstruction& instruction) {
  switch (instruction.operation) {
    case Operation::float_sum:
      return {.float_sums = 1};
    case Operation::float_product:
      return {.float_products = 1};
    case Operation::float_quotient:
      return {.specials = 2, .others = 8};
    case Operation::float_root:
      return {.specials = 1, .others = 9};
    case Operation::double_sum:
      return {.double_sums = 1};
    case Operation::double_product:
      return {.double_products = 1};
    case Operation::double_quotient:
      return {.doubles = 8, .specials = 1, .others = 9};
    case Operation::double_root:
      return {.doubles = 8, .specials = 1, .others = 9};
    case Operation::conversion:
      return {.others = 1};
    case Operation::slow_conversion:
      return {.specials = 1};
    case Operation::call: {
      const auto known = function_costs().find(called_function(instruction.target));
      return known == function_costs().end() ? Arithmetic() : known->second;
    }
    case Operation::half_rounding:
    case Operation::address:
    case Operation::leave:
    case Operation::other:
      break;
  }
  return {};
}

/// Whether the emulator's headers have put a call where the kernel has one.
bool is_of_kernel(const MachineInstruction& instruction) {
  return instruction.operation == Operation::call && std::ranges::any_of(stand_ins, [&](const auto& each) {
           return called_function(instruction.target) == reinterpret_cast<const void*>(each.first);
         });
}

/// An instruction that computes, in the basic block whose hook returns to `block`.
struct Computing {
  const std::byte *block, *code;
  Operation operation;
  Arithmetic cost;
  bool is_of_kernel;  ///< though the emulator's headers have it
};

bool is_hook(const MachineInstruction& instruction) {
  return instruction.operation == Operation::call &&
         called_function(instruction.target) == reinterpret_cast<const void*>(&__sanitizer_cov_trace_pc);
}

/// Goes through a kernel's function, and all that it names.
class Reader {
 public:
  explicit Reader(const ModuleFunctions& functions) : functions_(functions) {}

  std::vector<Computing> read(const std::byte* kernel) {
    reach(kernel);
    while (!next_.empty()) {
      const std::byte* const function = next_.back();
      next_.pop_back();
      read_function(function, function + functions_.at(function));
    }
    return std::move(found_);
  }

 private:
  void reach(const std::byte* function) {
    if (functions_.contains(function) && reached_.insert(function).second) next_.push_back(function);
  }

  // A basic block ends where the code may go on elsewhere: what follows has a hook of its own, or does not
  // count.
  void read_function(const std::byte* at, const std::byte* end) {
    const std::byte* block = nullptr;
    while (at < end) {
      const std::optional<MachineInstruction> instruction = decode(at, end);
      if (!instruction) return;
      if (instruction->target != nullptr) reach(instruction->target);
      const std::byte* const next = at + instruction->bytes;
      if (is_hook(*instruction))
        block = next;
      else if (instruction->operation == Operation::leave)
        block = nullptr;
      else if (block != nullptr)
        add(block, at, *instruction);
      at = next;
    }
  }

  void add(const std::byte* block, const std::byte* at, const MachineInstruction& instruction) {
    const Arithmetic cost = cost_of(instruction);
    if (cost != Arithmetic() || instruction.operation == Operation::half_rounding)
      found_.push_back({block, at, instruction.operation, cost, is_of_kernel(instruction)});
  }

  const ModuleFunctions& functions_;
  std::set<const std::byte*> reached_;
  std::vector<const std::byte*> next_;
  std::vector<Computing> found_;
};

}  // namespace

Arithmetic& Arithmetic::operator+=(const Arithmetic& more) {
  join(*this, more, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  return *this;
}

void Arithmetic::raise_to(const Arithmetic& other) {
  join(*this, other, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
}

KernelArithmetic::KernelArithmetic(const std::byte* kernel, const ModuleFunctions& functions) {
#if defined(__x86_64__)
  const std::vector<Computing> found = Reader(functions).read(kernel);
  if (found.empty()) return;
  const auto take_away_one = [](std::uint64_t& count) { count -= count == 0 ? 0 : 1; };
  std::vector<const void*> codes;
  for (const Computing& each : found) codes.push_back(each.code);
  const std::map<const void*, SourceLine> places = source_lines(codes);
  const auto [first, last] = std::ranges::minmax(found, {}, &Computing::block);
  begin_ = first.block;
  numbers_.resize(static_cast<std::size_t>(last.block - first.block) + 1);
  for (const Computing& each : found) {
    std::uint32_t& number = numbers_[static_cast<std::size_t>(each.block - begin_)];
    if (number == 0) {
      blocks_.emplace_back();
      number = static_cast<std::uint32_t>(blocks_.size());
    }
    Arithmetic& block = blocks_[number - 1];
    const auto place = places.find(each.code);
    if (each.operation == Operation::half_rounding) {
      take_away_one(block.float_sums);
      take_away_one(block.float_products);
    } else if (place != places.end() && (!place->second.from_emulator || each.is_of_kernel)) {
      block += each.cost;
    }
  }
#else
  (void)kernel, (void)functions;
#endif
}

std::shared_ptr<const KernelArithmetic> arithmetic_of(const std::byte* kernel,
                                                      const ModuleFunctions& functions) {
  static std::mutex mutex;
  static auto& known = *new std::map<const std::byte*, std::shared_ptr<const KernelArithmetic>>;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const KernelArithmetic>& found = known[kernel];
  if (found == nullptr) found = std::make_shared<const KernelArithmetic>(kernel, functions);
  return found;
}

}  // namespace warplab::emulator::lens
