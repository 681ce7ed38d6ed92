// The product of a warpgroup for x86-64 processors with wide registers and conversions of halves.
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "emulator/src/tensor_cores/wgmma_operands.hpp"
#include "warplab_emulator/math/float16_formats.hpp"
#include "warplab_emulator/ptx/ptx_memory.hpp"
#include "warplab_emulator/tensor_cores/wmma_operations.hpp"

#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#include "emulator/src/tensor_cores/wgmma_arithmetic.hpp"

namespace warplab::emulator {

void multiply_wgmma_with_avx2(const WgmmaKind& kind, const WgmmaOperands* operands,
                              WgmmaScratch<float>& floats, WgmmaScratch<unsigned>& integers) {
  multiply_any_wgmma(kind, operands, floats, integers);
}

}  // namespace warplab::emulator
#pragma GCC pop_options
#endif
