#include "emulator/src/copies/bulk_reduction.hpp"

#include <cstring>

#include "warplab_emulator/ptx/ptx_arithmetic.hpp"

namespace warplab::emulator {
namespace {

template <class T>
T combined(T old, T value, BulkOperation operation) {
  switch (operation) {
    case BulkOperation::add:
      return ptx::add(old, value);
    case BulkOperation::min:
      return ptx::min(old, value);
    case BulkOperation::max:
      return ptx::max(old, value);
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (operation) {
      case BulkOperation::bit_and:
        return old & value;
      case BulkOperation::bit_or:
        return old | value;
      case BulkOperation::bit_xor:
        return old ^ value;
      case BulkOperation::increment:
        return old >= value ? T{0} : static_cast<T>(old + 1);
      case BulkOperation::decrement:
        return old == 0 || old > value ? value : static_cast<T>(old - 1);
      default:
        break;
    }
  }
  return value;
}

template <class T>
void reduce_as(std::byte* to, const std::byte* from, std::size_t bytes, BulkOperation operation) {
  using Bits = ptx::Bits<T>;
  for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T value;
    std::memcpy(&value, from + at, sizeof value);
    Bits* const word = reinterpret_cast<Bits*>(to + at);
    Bits seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        word, &seen, __builtin_bit_cast(Bits, combined(__builtin_bit_cast(T, seen), value, operation)), false,
        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
  }
}

}  // namespace

void reduce_into(std::byte* to, const std::byte* from, std::size_t bytes, BulkReduction reduction) {
  const BulkOperation operation = reduction.operation;
  if (operation == BulkOperation::store) {
    std::memcpy(to, from, bytes);
    return;
  }
  switch (reduction.type) {
    case BulkType::b32:
    case BulkType::u32:
      return reduce_as<unsigned>(to, from, bytes, operation);
    case BulkType::s32:
      return reduce_as<int>(to, from, bytes, operation);
    case BulkType::b64:
    case BulkType::u64:
      return reduce_as<unsigned long long>(to, from, bytes, operation);
    case BulkType::s64:
      return reduce_as<long long>(to, from, bytes, operation);
    case BulkType::f16:
      return reduce_as<ptx::Half>(to, from, bytes, operation);
    case BulkType::bf16:
      return reduce_as<ptx::Bfloat16>(to, from, bytes, operation);
    case BulkType::f32:
      return reduce_as<float>(to, from, bytes, operation);
    case BulkType::f64:
      return reduce_as<double>(to, from, bytes, operation);
  }
}

}  // namespace warplab::emulator
