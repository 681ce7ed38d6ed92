// How far a XORWOW generator jumps: its step is linear over bits, so that 2^k steps are one matrix.
#include <array>
#include <vector>

#include "warplab_emulator/random/random_xorwow.hpp"

namespace warplab::emulator {
namespace {

constexpr unsigned words = 5, bits = 32 * words;
using Words = std::array<unsigned, words>;
using Matrix = std::array<Words, bits>;  ///< row i is what the step makes of only bit i

Words times(const Words& vector, const Matrix& matrix) {
  Words product{};
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned mask = 0u - (vector[i / 32] >> (i % 32) & 1u);
    for (unsigned j = 0; j < words; ++j) product[j] ^= matrix[i][j] & mask;
  }
  return product;
}

Matrix one_step() {
  Matrix matrix{};
  for (unsigned i = 0; i < bits; ++i) {
    curandStateXORWOW state{};
    state.v[i / 32] = 1u << (i % 32);
    curand(&state);
    for (unsigned j = 0; j < words; ++j) matrix[i][j] = state.v[j];
  }
  return matrix;
}

Matrix square(const Matrix& matrix) {
  Matrix product;
  for (unsigned i = 0; i < bits; ++i) product[i] = times(matrix[i], matrix);
  return product;
}

constexpr unsigned sequence_power = 67;

/// Element k moves on by 2^k steps.
const std::vector<Matrix>& powers() {
  static const std::vector<Matrix> found = [] {
    std::vector<Matrix> list{one_step()};
    while (list.size() < sequence_power + 64) list.push_back(square(list.back()));
    return list;
  }();
  return found;
}

void jump(unsigned (&state)[words], unsigned long long count, unsigned power) {
  if (count == 0) return;
  Words moved;
  for (unsigned j = 0; j < words; ++j) moved[j] = state[j];
  for (; count != 0; count >>= 1, ++power)
    if (count & 1) moved = times(moved, powers()[power]);
  for (unsigned j = 0; j < words; ++j) state[j] = moved[j];
}

}  // namespace

void jump_xorwow(unsigned int (&state)[words], unsigned long long count) noexcept { jump(state, count, 0); }
void jump_xorwow_sequences(unsigned int (&state)[words], unsigned long long count) noexcept {
  jump(state, count, sequence_power);
}

}  // namespace warplab::emulator
