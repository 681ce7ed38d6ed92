#include "emulator/src/tensor_cores/wgmma_product.hpp"

#include <memory>

#include "emulator/src/block/worker.hpp"
#include "emulator/src/tensor_cores/wgmma_arithmetic.hpp"

namespace warplab::emulator {

void multiply_wgmma_with_avx2(const WgmmaKind& kind, const WgmmaOperands* operands,
                              WgmmaScratch<float>& floats, WgmmaScratch<unsigned>& integers);

namespace {

using Multiply = void(const WgmmaKind&, const WgmmaOperands*, WgmmaScratch<float>&, WgmmaScratch<unsigned>&);

void multiply_anywhere(const WgmmaKind& kind, const WgmmaOperands* operands, WgmmaScratch<float>& floats,
                       WgmmaScratch<unsigned>& integers) {
  multiply_any_wgmma(kind, operands, floats, integers);
}

Multiply* fastest_multiply() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c")) return multiply_wgmma_with_avx2;
#endif
  return multiply_anywhere;
}

struct Scratch {
  WgmmaScratch<float> floats;
  WgmmaScratch<unsigned> integers;
};

template <class Visit>
void for_each_matrix(const WgmmaKind& kind, const WgmmaOperands& operands, Visit visit) {
  if (!kind.a_in_registers) visit(WgmmaMatrix(operands.a_matrix, !kind.a_along_rows, 64), "A");
  visit(WgmmaMatrix(operands.b_matrix, !kind.b_along_columns, kind.n), "B");
}

bool is_fp8(WgmmaFormat format) { return format == WgmmaFormat::e4m3 || format == WgmmaFormat::e5m2; }

}  // namespace

bool wgmma_exists(const WgmmaKind& kind) {
  if (kind.n < 8 || kind.n > 256 || kind.n % 8 != 0) return false;
  const bool bytes = is_byte_integer(kind.a), sixteen_bits = wgmma_element_bytes(kind.a) == 2;
  if (kind.a != kind.b && !(bytes && is_byte_integer(kind.b)) && !(is_fp8(kind.a) && is_fp8(kind.b)))
    return false;
  if (bytes && kind.n % 16 != 0 && kind.n != 8 && kind.n != 24) return false;
  if (kind.saturate && !bytes) return false;
  if (bytes && (kind.negate_a || kind.negate_b)) return false;
  if (kind.sums_are_half && kind.a != WgmmaFormat::half && !is_fp8(kind.a)) return false;
  return sixteen_bits || (!kind.a_along_rows && !kind.b_along_columns);
}

void multiply_matrices(const WgmmaKind& kind, const WgmmaOperands* operands, const Site& site) {
  static Multiply* const multiply = fastest_multiply();
  static thread_local const auto scratch = std::make_unique<Scratch>();
  for_each_matrix(kind, operands[0], [&](const WgmmaMatrix& matrix, const char* which) {
    matrix.require_inside(wgmma_depth(kind.a), which, site);
  });
  multiply(kind, operands, scratch->floats, scratch->integers);
}

void record_matrices(const WgmmaKind& kind, const WgmmaOperands& operands, unsigned thread,
                     const void* code) {
  BlockObserver& observer = *running_worker()->observer;
  for_each_matrix(kind, operands, [&](const WgmmaMatrix& matrix, const char*) {
    matrix.for_each_chunk(wgmma_depth(kind.a), [&](const std::byte* chunk) {
      observer.tensor_core_read(thread, chunk, 16, code);
    });
  });
}

}  // namespace warplab::emulator
