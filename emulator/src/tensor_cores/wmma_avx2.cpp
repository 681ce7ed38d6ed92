// The product of fragments for x86-64 processors with wide registers and conversions of halves.
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

#include "warplab_emulator/math/float16_formats.hpp"
#include "warplab_emulator/tensor_cores/wmma_operations.hpp"

#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#include "emulator/src/tensor_cores/wmma_arithmetic.hpp"

namespace warplab::emulator {

void multiply_with_avx2(int kind, const unsigned long long* operands, const WmmaOperands& first) {
  multiply_kind(kind, operands, first);
}

}  // namespace warplab::emulator
#pragma GCC pop_options
#endif
