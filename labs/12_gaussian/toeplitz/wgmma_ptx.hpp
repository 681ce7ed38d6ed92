#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/device/bulk_copy.hpp"

// What CUDA C++ has no name for: a warpgroup's product (wgmma). PTX ISA 9.0, "Asynchronous warpgroup level
// matrix instructions". Needs sm_90a.

/// Where an operand of 16 columns lies in shared memory, and how: lines of 8 halves, 8 of them in succession,
/// the next 8 lines `next_lines` bytes and the next 8 columns `next_columns` bytes further. No swizzle, so
/// the operand that is n lines further down has a descriptor larger by n.
__device__ inline std::uint64_t operand_at(const void* p, unsigned next_lines, unsigned next_columns) {
  return ((shared_address(p) & 0x3ffff) >> 4) | std::uint64_t{next_columns >> 4} << 16 |
         std::uint64_t{next_lines >> 4} << 32;
}

// sums[i] may be written by products still running, so the compiler must not move it across these.
template <int n>
__device__ inline void pin(float (&sums)[n]) {
#pragma unroll
  for (int i = 0; i < n; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}
/// total += sum
template <int n>
__device__ inline void add_up(float (&total)[n], float (&sum)[n]) {
#pragma unroll
  for (int i = 0; i < n; ++i) total[i] += sum[i];
}
__device__ inline void products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void products_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Waits until at most `left` groups of products are still running.
template <int left>
__device__ inline void products_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}

// %t0 to %t9, and the operands for them.
#define TEN(t) "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t "6,%" #t "7,%" #t "8,%" #t "9,"
#define SUMS2(i) "+f"(sums[i]), "+f"(sums[(i) + 1])
#define SUMS8(i) SUMS2(i), SUMS2((i) + 2), SUMS2((i) + 4), SUMS2((i) + 6)
#define SUMS32(i) SUMS8(i), SUMS8((i) + 8), SUMS8((i) + 16), SUMS8((i) + 24)

/// sums (64, lines) += a (64, 16) * b (16, lines), queued; = without `add`. In the warpgroup's thread t,
/// sums[4i + 2h + j] is that of row t / 32 * 16 + 8h + t % 32 / 4 and line 8i + t % 4 * 2 + j.
__device__ inline void multiply_add(float (&sums)[32], std::uint64_t a, std::uint64_t b, bool add) {
  asm volatile(
      "{\n.reg .pred add;\nsetp.ne.b32 add, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" TEN() TEN(1)
          TEN(2) "%30,%31}, %32, %33, add, 1, 1, 0, 0;\n}"
      : SUMS32(0)
      : "l"(a), "l"(b), "r"(int{add}));
}
__device__ inline void multiply_add(float (&sums)[64], std::uint64_t a, std::uint64_t b, bool add) {
  asm volatile(
      "{\n.reg .pred add;\nsetp.ne.b32 add, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4)
          TEN(5) "%60,%61,%62,%63}, %64, %65, add, 1, 1, 0, 0;\n}"
      : SUMS32(0), SUMS32(32)
      : "l"(a), "l"(b), "r"(int{add}));
}
__device__ inline void multiply_add(float (&sums)[128], std::uint64_t a, std::uint64_t b, bool add) {
  asm volatile(
      "{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6)
          TEN(7) TEN(8) TEN(9) TEN(10)
              TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, add, 1, 1, 0, 0;\n}"
      : SUMS32(0), SUMS32(32), SUMS32(64), SUMS32(96)
      : "l"(a), "l"(b), "r"(int{add}));
}
#undef TEN
#undef SUMS2
#undef SUMS8
#undef SUMS32
