#pragma once

#include "warplab_emulator/atomics/atomic_operations.hpp"
#include "warplab_emulator/block/block.hpp"
#include "warplab_emulator/copies/async_copies.hpp"
#include "warplab_emulator/ptx/ptx_registers.hpp"

// PTX's access to memory. A shared address is a 32-bit number. Static variables begin at 1024 as on sm_90;
// dynamic memory ends where 18 bits do, since descriptors of matrices hold no more of an address.

namespace warplab::emulator {

inline constexpr unsigned shared_window = 1024, shared_window_end = 1u << 18;
/// The bits of a shared::cluster address from here on are the rank of a block, plus 1.
inline constexpr unsigned cluster_rank_bit = 24;

/// Ends the kernel: the shared address that a PTX instruction has got is none of the block's.
[[noreturn]] void report_shared_address(unsigned long long address, const Site& site);
/// Where an address with a block's rank lies; ends the kernel where the cluster has no such block.
char* shared_of_cluster(unsigned long long address, const Site& site);
/// The shared::cluster address of a pointer to another block's shared memory; of
/// any other a number that is none.
unsigned long long address_in_cluster(const void* pointer) noexcept;
/// mapa.shared::cluster: the address of the same place in the block of this rank.
unsigned long long cluster_address(unsigned long long shared_address, unsigned rank, const Site& site);
[[noreturn]] void report_misaligned(const void* address, unsigned bytes, const Site& site);

}  // namespace warplab::emulator

namespace warplab::emulator::ptx {

WARPLAB_PTX char* shared(unsigned long long address, const Site& site) {
  if (address - shared_window >= current_block.shared_bytes) [[unlikely]]
    report_shared_address(address, site);
  if (address >= current_block.dynamic_window)
    return reinterpret_cast<char*>(current_block.dynamic_shared) + (address - current_block.dynamic_window);
  return reinterpret_cast<char*>(current_block.shared_begin) + (address - shared_window);
}
/// A shared::cluster address: one of the caller's own block, or with the rank of a block above bit 24.
WARPLAB_PTX char* cluster_shared(unsigned long long address, const Site& site) {
  return address >> cluster_rank_bit == 0 ? shared(address, site) : shared_of_cluster(address, site);
}
WARPLAB_PTX char* global(unsigned long long address, const Site&) { return reinterpret_cast<char*>(address); }
/// cvta.to.shared
WARPLAB_PTX unsigned long long shared_address(const void* pointer) {
  const auto* const p = static_cast<const std::byte*>(pointer);
  const auto in_dynamic = static_cast<unsigned long long>(p - current_block.dynamic_shared);
  if (in_dynamic < current_block.shared_bytes + shared_window - current_block.dynamic_window)
    return in_dynamic + current_block.dynamic_window;
  const auto offset = static_cast<unsigned long long>(p - current_block.shared_begin);
  const auto to_dynamic =
      static_cast<unsigned long long>(current_block.dynamic_shared - current_block.shared_begin);
  return offset < to_dynamic ? offset + shared_window : address_in_cluster(pointer);
}

template <unsigned bytes>
WARPLAB_PTX void require_aligned(const void* address, const Site& site) {
  if (reinterpret_cast<std::size_t>(address) % bytes != 0) [[unlikely]]
    report_misaligned(address, bytes, site);
}

/// The numbers of one access.
template <class T, unsigned n>
struct Group {
  T x[n];
};

/// Loads n numbers in one access.
template <class T, unsigned n>
WARPLAB_PTX Group<T, n> ld(const char* from, const Site& site) {
  constexpr unsigned bytes = sizeof(T) * n;
  require_aligned<bytes>(from, site);
  const auto piece = read_piece<bytes>(from);
  Group<T, n> group;
  __builtin_memcpy(&group, &piece, bytes);
  return group;
}
/// A load that must see what others store: code that waits for a flag uses it.
template <class T, unsigned n>
WARPLAB_PTX Group<T, n> ld_volatile(const char* from, const Site& site) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  note_idle_poll();
  return ld<T, n>(from, site);
}
template <class T, unsigned n>
WARPLAB_PTX Group<T, n> ld_atomic(const char* from, const Site& site) {
  constexpr unsigned bytes = sizeof(T) * n;
  using Type = typename Piece<bytes>::type;
  require_aligned<bytes>(from, site);
  note_idle_poll();
  header_calls::lens_atomic_load(from, bytes);
  if constexpr (bytes <= 8) {
    return __builtin_bit_cast(Group<T, n>,
                              __atomic_load_n(reinterpret_cast<const Type*>(from), __ATOMIC_SEQ_CST));
  } else {  // one instruction of the processor, as it is one of the GPU
    const Type piece = *reinterpret_cast<const volatile Type*>(from);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return __builtin_bit_cast(Group<T, n>, piece);
  }
}

template <class T, unsigned n>
WARPLAB_PTX void st(char* to, Group<T, n> group, const Site& site) {
  constexpr unsigned bytes = sizeof(T) * n;
  require_aligned<bytes>(to, site);
  typename Piece<bytes>::type piece;
  __builtin_memcpy(&piece, &group, bytes);
  *reinterpret_cast<typename Piece<bytes>::type*>(to) = piece;
}
template <class T, unsigned n>
WARPLAB_PTX void st_atomic(char* to, Group<T, n> group, const Site& site) {
  constexpr unsigned bytes = sizeof(T) * n;
  using Type = typename Piece<bytes>::type;
  require_aligned<bytes>(to, site);
  lens_fence();
  header_calls::lens_atomic_store(to, bytes);
  const Type piece = __builtin_bit_cast(Type, group);
  if constexpr (bytes <= 8) {
    __atomic_store_n(reinterpret_cast<Type*>(to), piece, __ATOMIC_SEQ_CST);
  } else {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *reinterpret_cast<volatile Type*>(to) = piece;
  }
}

// --- atom and red ---

template <class T>
WARPLAB_PTX T* atomic_place(char* at, const Site& site) {
  require_aligned<sizeof(T)>(at, site);
  return reinterpret_cast<T*>(at);
}
template <class T>
WARPLAB_PTX T atom_add(char* at, T value, const Site& site) {
  return emulator::add<Scope::device>(atomic_place<T>(at, site), value);
}
template <class T>
WARPLAB_PTX T atom_exch(char* at, T value, const Site& site) {
  return emulator::swap<Scope::device>(atomic_place<T>(at, site), value);
}
template <class T>
WARPLAB_PTX T atom_cas(char* at, T expected, T value, const Site& site) {
  return emulator::swap_if<Scope::device>(atomic_place<T>(at, site), expected, value);
}
#define WARPLAB_PTX_ATOMIC(name, expression)                                                        \
  template <class T>                                                                                \
  WARPLAB_PTX T atom_##name(char* at, T value, const Site& site) {                                  \
    return emulator::update<Scope::device>(atomic_place<T>(at, site),                               \
                                           [=](T old) -> T { return static_cast<T>(expression); }); \
  }
WARPLAB_PTX_ATOMIC(min, value < old ? value : old)
WARPLAB_PTX_ATOMIC(max, value > old ? value : old)
WARPLAB_PTX_ATOMIC(and, old& value)
WARPLAB_PTX_ATOMIC(or, old | value)
WARPLAB_PTX_ATOMIC(xor, old ^ value)
WARPLAB_PTX_ATOMIC(inc, old >= value ? 0 : old + 1)
WARPLAB_PTX_ATOMIC(dec, old == 0 || old > value ? value : old - 1)
#undef WARPLAB_PTX_ATOMIC

// --- cp.async ---

/// Copies `copied` of `bytes` bytes; the others become 0. The copy lands when somebody waits for it.
template <unsigned bytes>
WARPLAB_PTX void cp_async(char* to, const char* from, unsigned copied, const Site& site) {
  require_aligned<bytes>(to, site);
  if (copied >= bytes) {
    require_aligned<bytes>(from, site);
    const auto piece = read_piece<bytes>(from);
    return header_calls::issue_copy(to, &piece, from, bytes);
  }
  alignas(16) unsigned char filled[16] = {};
  unsigned done = 0;
  const auto part = [&]<unsigned size>() __attribute__((always_inline)) {
    if ((copied & size) == 0) return;
    const auto piece = read_piece<size>(from + done);
    __builtin_memcpy(filled + done, &piece, size);
    done += size;
  };
  part.template operator()<8>();
  part.template operator()<4>();
  part.template operator()<2>();
  part.template operator()<1>();
  header_calls::issue_padded_copy(to, filled, from, bytes, copied);
}

}  // namespace warplab::emulator::ptx

/// The 32-bit address of shared memory, as an integer.
inline std::size_t __cvta_generic_to_shared(const void* pointer) {
  return warplab::emulator::ptx::shared_address(pointer);
}
inline void* __cvta_shared_to_generic(std::size_t address) {
  return warplab::emulator::ptx::shared(address, {"__cvta_shared_to_generic", "", 0});
}
inline std::size_t __cvta_generic_to_global(const void* pointer) {
  return reinterpret_cast<std::size_t>(pointer);
}
inline void* __cvta_global_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
inline unsigned __isShared(const void* pointer) { return warplab::emulator::is_shared(pointer); }
inline unsigned __isGlobal(const void* pointer) { return !warplab::emulator::is_shared(pointer); }
