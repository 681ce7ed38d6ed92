#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace warplab::emulator::lens {

/// Arithmetic of a thread, at least. A sum and a product may be one instruction of a GPU.
struct Arithmetic {
  std::uint64_t float_sums = 0, float_products = 0, double_sums = 0, double_products = 0;
  std::uint64_t doubles = 0;      ///< further instructions of the units for doubles
  std::uint64_t specials = 0;     ///< of the special function unit, which converts as well
  std::uint64_t others = 0;       ///< of other units
  std::uint64_t table_loads = 0;  ///< of these, loads of constants by functions of the library

  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;
  Arithmetic& operator+=(const Arithmetic& more);
  /// The larger of each.
  void raise_to(const Arithmetic& other);
};

/// The functions of a loaded module, with their sizes in bytes.
using ModuleFunctions = std::map<const std::byte*, std::size_t>;

/// The arithmetic of a kernel's instrumented code, by basic block: of its function, and of those of its
/// module that this one names, directly or not. Arithmetic of the emulator's own headers is left out: a GPU
/// may do the same with fewer instructions. So is that of halves, of which it takes two at a time.
class KernelArithmetic {
 public:
  KernelArithmetic() = default;  ///< of nothing
  KernelArithmetic(const std::byte* kernel, const ModuleFunctions& functions);

  /// Of the basic block whose hook returns to `code`; null where there is none.
  const Arithmetic* at(const void* code) const {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(code) - begin_);
    return offset < numbers_.size() && numbers_[offset] != 0 ? &blocks_[numbers_[offset] - 1] : nullptr;
  }

 private:
  const std::byte* begin_ = nullptr;
  std::vector<std::uint32_t> numbers_;  ///< by offset in the code: which of `blocks_`, from 1
  std::vector<Arithmetic> blocks_;
};

/// The arithmetic of a kernel, which is worked out once.
std::shared_ptr<const KernelArithmetic> arithmetic_of(const std::byte* kernel,
                                                      const ModuleFunctions& functions);

}  // namespace warplab::emulator::lens
