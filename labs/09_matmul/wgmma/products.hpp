#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

// sums (64, cols) += a (64, 16) * b (16, cols), queued; = without `add`. Operands are given by operand_at();
// B lies row by row in memory, so that the product reads it transposed. In the warpgroup's thread t, sums[4i
// + 2h + j] is the element in row t / 32 * 16 + 8h + t % 32 / 4 and column 8i + t % 4 * 2 + j.

// %t0 to %t9, and the operands for them.
#define TEN(t) "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t "6,%" #t "7,%" #t "8,%" #t "9,"
#define SUMS2(i) "+f"(sums[i]), "+f"(sums[(i) + 1])
#define SUMS8(i) SUMS2(i), SUMS2((i) + 2), SUMS2((i) + 4), SUMS2((i) + 6)
#define SUMS32(i) SUMS8(i), SUMS8((i) + 8), SUMS8((i) + 16), SUMS8((i) + 24)
#define PRODUCT(T, type, count, shape, list, flag, from_a, from_b, ...)                                     \
  __device__ inline void multiply_add(float(&sums)[count], std::uint64_t a, std::uint64_t b, bool add, T) { \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, " flag ", 0;\nwgmma.mma_async.sync.aligned." shape   \
                 ".f32." type "." type " {" list "}, " from_a ", " from_b ", add, 1, 1, 0, 1;\n}"           \
                 : __VA_ARGS__                                                                              \
                 : "l"(a), "l"(b), "r"(int{add}));                                                          \
  }
#define PRODUCTS(T, type)                                                                               \
  PRODUCT(T, type, 32, "m64n64k16", TEN() TEN(1) TEN(2) "%30,%31", "%34", "%32", "%33", SUMS32(0))      \
  PRODUCT(T, type, 64, "m64n128k16", TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) "%60,%61,%62,%63", "%66", \
          "%64", "%65", SUMS32(0), SUMS32(32))                                                          \
  PRODUCT(T, type, 128, "m64n256k16",                                                                   \
          TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10)                  \
              TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127",                                        \
          "%130", "%128", "%129", SUMS32(0), SUMS32(32), SUMS32(64), SUMS32(96))
PRODUCTS(__half, "f16")
PRODUCTS(__nv_bfloat16, "bf16")
#undef PRODUCTS
#undef PRODUCT
#undef SUMS32
#undef SUMS8
#undef SUMS2
#undef TEN
