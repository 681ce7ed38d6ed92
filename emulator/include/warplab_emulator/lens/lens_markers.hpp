#pragma once

// What the translator writes into the instrumented build of a module, for the lens (see docs/lens.md). A
// marker must not change how often the code around it touches memory: to the compiler a call may change every
// variable, and it would load again what a GPU keeps in registers. So on the processors known here, markers
// call by an assembler statement that does not say it touches memory.

#include <cstddef>
#include <type_traits>

#include "warplab_emulator/lens/lens_rounds.hpp"

namespace warplab::emulator {

/// What a marker tells the lens.
enum class LensMark : int {
  enter_loop,
  next_iteration,
  leave_loop,
  branch_not_taken,
  branch_taken,
  choice,
  parameters_may_overlap,
  array_of_structures,  ///< the value: its address, and from bit 56 the logarithm of a structure's alignment
  raw_shared_memory,    ///< dynamic shared memory is bytes of no alignment
  structure_parameter   ///< the kernel has a structure of so many bytes for a parameter
};

/// What nvcc does with the iterations of a loop, as far as the source tells.
enum class LensUnrolling : unsigned {
  none,
  by_four,  ///< four at a time; what remains, one at a time
  whole,
  never  ///< as the source asks
};

}  // namespace warplab::emulator

/// Takes a marker.
extern "C" void warplab_lens_mark(int mark, unsigned long long value) noexcept;
extern "C" void warplab_lens_array(const void* begin, unsigned long long bytes, int surely_local) noexcept;

namespace warplab::emulator {

[[gnu::always_inline]] inline void lens_mark(LensMark mark, unsigned long long value) noexcept {
#if defined(__x86_64__)
  // The stack pointer is aligned, and the red zone below it left alone: the compiler does not know that this
  // is a call.
  int number = static_cast<int>(mark);
  asm volatile(
      "movq %%rsp, %%r12\n\t"
      "subq $128, %%rsp\n\t"
      "andq $-16, %%rsp\n\t"
      "call warplab_lens_mark@PLT\n\t"
      "movq %%r12, %%rsp"
      : "+D"(number), "+S"(value)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
        "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
#elif defined(__aarch64__)
  // The stack pointer is always aligned, and nothing lies below it. Variables in named registers would be
  // taken for memory.
  asm volatile(
      "mov w0, %w0\n\t"
      "mov x1, %1\n\t"
      "bl warplab_lens_mark"
      :
      : "r"(static_cast<int>(mark)), "r"(value)
      : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
        "x16", "x17", "x18", "x30", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10",
        "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24",
        "v25", "v26", "v27", "v28", "v29", "v30", "v31");
#else
  warplab_lens_mark(static_cast<int>(mark), value);
#endif
}

/// How often `for (i = from; i < to; i += step)` and the like go round, of any arithmetic type.
/// @param reaches_end whether it also runs for `to` itself: `i <= to`
template <class From, class To, class Step>
[[gnu::always_inline]] constexpr long long lens_iterations(From from, To to, Step step,
                                                           bool reaches_end) noexcept {
  constexpr double most = 1e15;  // exact as a double
  const double way = static_cast<double>(to) - static_cast<double>(from), by = static_cast<double>(step);
  const double steps = (way < 0 ? -way : way) / (by < 0 ? -by : by);
  if (!(steps < most)) return 1;  // a step of 0 among them
  const auto whole = static_cast<long long>(steps);
  return static_cast<double>(whole) < steps || reaches_end ? whole + 1 : whole;
}

/// The same where the compiler knows all of it, once it has inlined what it inlines; else 0.
template <class From, class To, class Step>
[[gnu::always_inline]] constexpr long long lens_known_iterations(From from, To to, Step step,
                                                                 bool reaches_end) noexcept {
  // No variable has it: g++ would decide too early what it gets.
  return __builtin_constant_p(from) && __builtin_constant_p(to) && __builtin_constant_p(step)
             ? lens_iterations(from, to, step, reaches_end)
             : 0;
}

/// What nvcc does with a loop whose source does not ask for anything: it unrolls what does not become too
/// long.
/// @param iterations 0 if only the kernel knows. @param statements of one, elements of arrays included
[[gnu::always_inline]] constexpr LensUnrolling lens_unrolling(long long iterations,
                                                              long long statements) noexcept {
  constexpr long long most = 320;  // between what nvcc 13.0 unrolled and what it did not
  if (iterations > 0 && iterations * statements <= most) return LensUnrolling::whole;
  return 4 * statements <= most ? LensUnrolling::by_four : LensUnrolling::none;
}
/// Where it asks for it without a number.
[[gnu::always_inline]] constexpr LensUnrolling lens_unrolling_asked(long long iterations) noexcept {
  return iterations > 0 ? LensUnrolling::whole : LensUnrolling::by_four;
}
/// Where it asks for it. @param otherwise if not by one iteration
[[gnu::always_inline]] constexpr LensUnrolling lens_unrolling_by(long long iterations,
                                                                 LensUnrolling otherwise) noexcept {
  return iterations == 1 ? LensUnrolling::never : otherwise;
}

/// Surrounds a loop: it is declared in the head of another, which runs once, so that it needs no braces.
class LensLoop {
 public:
  /// @param loop its number: the loops around one have others. @param rounds LensRounds, packed
  [[gnu::always_inline]] explicit LensLoop(unsigned loop, LensUnrolling unrolling,
                                           unsigned long long rounds = 0) noexcept {
    lens_mark(LensMark::enter_loop, rounds << 34 | static_cast<unsigned long long>(unrolling) << 32 | loop);
  }
  [[gnu::always_inline]] ~LensLoop() { lens_mark(LensMark::leave_loop, 0); }
  LensLoop(const LensLoop&) = delete;
  [[gnu::always_inline]] void next() const noexcept { lens_mark(LensMark::next_iteration, 0); }
};

// The following are also in functions that the compiler may run.
/// @param ends_body whether nvcc leaves a branch here, so that nothing before it is joined with what follows
[[gnu::always_inline]] constexpr bool lens_branch(bool taken, bool ends_body = false) noexcept {
  // Without a branch of its own, for which g++ would leave in a loop what it otherwise keeps in a register.
  static_assert(static_cast<int>(LensMark::branch_taken) == static_cast<int>(LensMark::branch_not_taken) + 1);
  if (!__builtin_is_constant_evaluated())
    lens_mark(static_cast<LensMark>(static_cast<int>(LensMark::branch_not_taken) + taken), ends_body);
  return taken;
}

/// The same for a condition of several parts, at the beginning of what it leads to.
/// @param place of the condition in the file, by which both ways are one branch
[[gnu::always_inline]] constexpr void lens_way(bool taken, unsigned place, bool ends_body = false) noexcept {
  if (!__builtin_is_constant_evaluated())
    lens_mark(taken ? LensMark::branch_taken : LensMark::branch_not_taken,
              static_cast<unsigned long long>(place) << 1 | ends_body);
}

/// An iterator of a marked range: each comparison is the branch of a loop.
template <class Iterator>
struct LensIterator {
  Iterator at;
  [[gnu::always_inline]] constexpr decltype(auto) operator*() const { return *at; }
  [[gnu::always_inline]] constexpr LensIterator& operator++() {
    ++at;
    return *this;
  }
  template <class End>
  [[gnu::always_inline]] constexpr bool operator!=(const LensIterator<End>& end) const {
    return lens_branch(static_cast<bool>(at != end.at));
  }
};

template <class T, std::size_t n>
[[gnu::always_inline]] constexpr T* lens_begin(T (&array)[n], int) {
  return array;
}
template <class T, std::size_t n>
[[gnu::always_inline]] constexpr T* lens_end(T (&array)[n], int) {
  return array + n;
}
template <class Range>
[[gnu::always_inline]] constexpr auto lens_begin(Range& range, int) -> decltype(range.begin()) {
  return range.begin();
}
template <class Range>
[[gnu::always_inline]] constexpr auto lens_end(Range& range, int) -> decltype(range.end()) {
  return range.end();
}
template <class Range>
[[gnu::always_inline]] constexpr auto lens_begin(Range& range, long) -> decltype(begin(range)) {
  return begin(range);
}
template <class Range>
[[gnu::always_inline]] constexpr auto lens_end(Range& range, long) -> decltype(end(range)) {
  return end(range);
}

/// What `for (T x : range)` goes over. @tparam Range a reference, or the type of a temporary, which it keeps
template <class Range>
struct LensRange {
  Range range;
  [[gnu::always_inline]] constexpr auto begin() {
    return LensIterator<decltype(lens_begin(range, 0))>{lens_begin(range, 0)};
  }
  [[gnu::always_inline]] constexpr auto end() {
    return LensIterator<decltype(lens_end(range, 0))>{lens_end(range, 0)};
  }
};
template <class Range>
[[gnu::always_inline]] constexpr LensRange<Range> lens_range(Range&& range) {
  return {static_cast<Range&&>(range)};
}

template <class T>
[[gnu::always_inline]] constexpr T lens_switch_on(T value) noexcept {
  if (!__builtin_is_constant_evaluated()) lens_mark(LensMark::choice, static_cast<unsigned long long>(value));
  return value;
}

/// What the first of the parameters that is a pointer points at; void if none is.
template <class... Parameters>
struct LensFirstPointer {
  using Pointee = void;
};
template <class First, class... Others>
struct LensFirstPointer<First, Others...> : LensFirstPointer<Others...> {};
template <class T, class... Others>
struct LensFirstPointer<T*, Others...> {
  using Pointee = std::remove_const_t<T>;
};
template <class... Parameters>
using LensFirstPointee = typename LensFirstPointer<Parameters...>::Pointee;

/// Whether all parameters are numbers, or pointers at numbers of type T.
template <class T, class... Parameters>
inline constexpr bool point_at_one_type =
    (... && (std::is_arithmetic_v<Parameters> ||
             std::is_same_v<std::remove_const_t<std::remove_pointer_t<Parameters>>*, T*>));

/// At the beginning of a kernel none of whose parameters is __restrict__. Where all pointers among them point
/// at numbers of one type, a compiler must reckon that a load through one finds what was stored through
/// another.
template <class... Parameters>
[[gnu::always_inline]] inline void lens_parameters() noexcept {
  using First = LensFirstPointee<std::remove_const_t<Parameters>...>;
  if constexpr (std::is_arithmetic_v<First> && point_at_one_type<First, std::remove_const_t<Parameters>...>)
    lens_mark(LensMark::parameters_may_overlap, 0);
}

/// Of a kernel's parameter: if it points at structures, their alignment lets nvcc load several members at
/// once. One that is a structure counts as loaded.
template <class T>
[[gnu::always_inline]] inline void lens_pointee(const T&) noexcept {
  if constexpr (std::is_class_v<T> && std::is_trivially_copyable_v<T> && alignof(T) > 1)
    lens_mark(LensMark::structure_parameter, sizeof(T));
}
template <class T>
[[gnu::always_inline]] inline void lens_pointee(T* pointer) noexcept {
  if constexpr (std::is_class_v<T>)
    if constexpr (alignof(T) > 1)
      lens_mark(LensMark::array_of_structures,
                reinterpret_cast<unsigned long long>(pointer) |
                    static_cast<unsigned long long>(__builtin_ctzll(alignof(T))) << 56);
}
template <class... Parameters>
[[gnu::always_inline]] inline void lens_pointees(const Parameters&... parameters) noexcept {
  (lens_pointee(parameters), ...);
}

/// In a function that declares dynamic shared memory as bytes: where it puts which elements, only it knows.
[[gnu::always_inline]] inline void lens_raw_shared_memory() noexcept {
  lens_mark(LensMark::raw_shared_memory, 0);
}

/// An array that a thread has for itself and that may lie in local memory.
inline void lens_array(const volatile void* begin, std::size_t bytes, bool surely_local) noexcept {
  warplab_lens_array(const_cast<const void*>(begin), bytes, surely_local);
}

/// A structure of the file that is being compiled: its alignment decides the width
/// of the accesses that copy it.
struct LensStructure {
  /// @param members as lens_members() tells them. @param nested whether members may be structures themselves
  LensStructure(std::size_t bytes, std::size_t alignment, unsigned long long members = ~0ull,
                bool nested = false) noexcept;

  static constexpr std::size_t largest = 1024;
  /// The bytes for which lens_members() has a bit.
  static constexpr std::size_t unit(std::size_t bytes) noexcept {
    std::size_t unit = 1;
    while (64 * unit < bytes) unit *= 2;
    return unit;
  }
};

/// A bit for each unit of a structure that is not all padding. Of unions, and where the compiler can't tell,
/// all bits.
template <class T>
unsigned long long lens_members() noexcept {
#if __has_builtin(__builtin_clear_padding)
  if constexpr (std::is_trivially_copyable_v<T> && !std::is_union_v<T> &&
                sizeof(T) <= LensStructure::largest) {
    alignas(T) unsigned char bytes[sizeof(T)];
    for (unsigned char& byte : bytes) byte = 0xff;
    __builtin_clear_padding(reinterpret_cast<T*>(bytes));
    unsigned long long members = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      if (bytes[i] != 0) members |= 1ull << i / LensStructure::unit(sizeof(T));
    return members;
  }
#endif
  return ~0ull;
}

/// The variable of the original module that the instrumented build's `own` corresponds to; `own` itself, made
/// known to the runtime, in a module that is its own instrumented build (translated by --graded).
namespace header_calls {
void* original_variable(void* own, std::size_t bytes, const char* name, bool constant, const char* file,
                        int line);
}
template <class T>
T* original_symbol(T* own, const char* name, bool constant, const char* file, int line) {
  return static_cast<T*>(header_calls::original_variable(
      const_cast<void*>(static_cast<const volatile void*>(own)), sizeof(T), name, constant, file, line));
}

/// memcpy as a thread of a GPU does it, in steps as wide as both ends' alignment allows. memset, and memmove
/// towards higher addresses, go byte by byte.
template <class Word>
[[gnu::always_inline]] inline void lens_copy_words(void* to, const void* from, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes / sizeof(Word); ++i)
    static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
}
inline void* lens_memcpy(void* to, const void* from, std::size_t bytes) noexcept {
  const std::size_t ends = reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from) | bytes;
  if (ends % 8 == 0)
    lens_copy_words<unsigned long long>(to, from, bytes);
  else if (ends % 4 == 0)
    lens_copy_words<unsigned>(to, from, bytes);
  else if (ends % 2 == 0)
    lens_copy_words<unsigned short>(to, from, bytes);
  else
    lens_copy_words<unsigned char>(to, from, bytes);
  return to;
}
inline void* lens_memmove(void* to, const void* from, std::size_t bytes) noexcept {
  if (to <= from) return lens_memcpy(to, from, bytes);
  for (std::size_t i = bytes; i-- > 0;)
    static_cast<unsigned char*>(to)[i] = static_cast<const unsigned char*>(from)[i];
  return to;
}
inline void* lens_memset(void* to, int value, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; ++i)
    static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(value);
  return to;
}

// What the emulator's headers call for guarded code, which could misuse it: in a namespace without types, so
// that no argument's type makes it known there.
namespace header_calls {
#if defined(WARPLAB_INSTRUMENTED)
/// Before an atomic touches memory; the atomic itself is not seen by the lens otherwise.
void lens_atomic(const volatile void* address, std::size_t bytes) noexcept;
/// The same for an addition to a float or double, which no compiler does for a warp at once.
void lens_atomic_sum(const volatile void* address, std::size_t bytes) noexcept;
/// The same for a compare-and-swap. @param expected its bits, in the low bytes
void lens_swap(const volatile void* address, std::size_t bytes, unsigned long long expected) noexcept;
/// Likewise before an atomic load or store, which touches memory as a volatile access does.
void lens_atomic_load(const volatile void* address, std::size_t bytes) noexcept;
void lens_atomic_store(const volatile void* address, std::size_t bytes) noexcept;
/// Before guarded code reads an element that the lens has counted in another way: as the warp's instruction
/// does it.
void lens_permit(const void* address, std::size_t bytes) noexcept;
#else
inline void lens_atomic(const volatile void*, std::size_t) noexcept {}
inline void lens_atomic_sum(const volatile void*, std::size_t) noexcept {}
inline void lens_swap(const volatile void*, std::size_t, unsigned long long) noexcept {}
inline void lens_atomic_load(const volatile void*, std::size_t) noexcept {}
inline void lens_atomic_store(const volatile void*, std::size_t) noexcept {}
inline void lens_permit(const void*, std::size_t) noexcept {}
#endif
}  // namespace header_calls

#if defined(WARPLAB_INSTRUMENTED)
/// What the runtime itself is about to touch for guarded code, of any length.
void lens_announce(const void* address, std::size_t bytes) noexcept;
/// A fence: what the thread has done before it is seen by whoever sees what it does next.
void lens_fence() noexcept;
/// The thread arrives at an object that others wait for, or has waited for it: a
/// barrier, a stage of a pipeline.
void lens_release(const void* object) noexcept;
void lens_acquire(const void* object) noexcept;
/// It has waited, and orders nothing by that.
void lens_wait() noexcept;
#else
inline void lens_fence() noexcept {}
inline void lens_release(const void*) noexcept {}
inline void lens_acquire(const void*) noexcept {}
#endif

}  // namespace warplab::emulator

/// Device functions of these headers that come between a student's line and what the lens sees: if
/// instrumented, they are inlined, so that the line is found.
#if defined(WARPLAB_INSTRUMENTED)
#define WARPLAB_INLINE_IF_INSTRUMENTED [[gnu::always_inline]] inline
#else
#define WARPLAB_INLINE_IF_INSTRUMENTED inline
#endif
