#include "warplab_emulator/tensor_cores/wmma_operations.hpp"

#include <array>
#include <cstring>
#include <memory>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/tensor_cores/whole_warp.hpp"
#include "emulator/src/tensor_cores/wmma_arithmetic.hpp"
#include "warplab_emulator/ptx/ptx_warp.hpp"

namespace warplab::emulator {

void multiply_with_avx2(int kind, const unsigned long long* operands, const WmmaOperands& first);

namespace {

void multiply_anywhere(int kind, const unsigned long long* operands, const WmmaOperands& first) {
  multiply_kind(kind, operands, first);
}

using Multiply = void(int, const unsigned long long*, const WmmaOperands&);

Multiply* fastest_multiply() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c")) return multiply_with_avx2;
#endif
  return multiply_anywhere;
}

unsigned half_of(unsigned word, int half) { return word >> 16 * half & 0xffffu; }

// Every 8 x 8 block is transposed.
void transpose_pairs(const unsigned long long* exchanges, int blocks) {
  const auto of_lane = [&](int lane) { return reinterpret_cast<WmmaExchange*>(exchanges[lane]); };
  for (int lane = 0; lane < lanes; ++lane) {
    WmmaExchange& mine = *of_lane(lane);
    const int line = lane / 4, first = 2 * (lane % 4);
    for (int block = 0; block < blocks; ++block)
      mine.words[block] = half_of(of_lane(first * 4 + line / 2)->pairs[block], line % 2) |
                          half_of(of_lane((first + 1) * 4 + line / 2)->pairs[block], line % 2) << 16;
    mine.done = true;
  }
}

/// What a lane has brought to a product. It lies here, since guarded code could change its own after it was
/// looked at.
struct Brought {
  WmmaOperands operands;  ///< the first member: multiply_kind() takes addresses of operands
  int kind;
};
struct WarpOperands final : PendingWork {
  void clear() override {}
  void note_return(int) override {}
  std::array<Brought, Scheduler::max_threads> of_thread;
};

Brought& brought_by_this_thread() {
  Worker& worker = *running_worker();
  if (!worker.fragments) worker.fragments = std::make_unique<WarpOperands>();
  return static_cast<WarpOperands&>(*worker.fragments).of_thread.at(ptx::thread_rank());
}

/// Fragments may be references to anything.
void require_fragments(const Brought& brought, const Site& site, const void* code) {
  const auto& [mine, kind] = brought;
  if (kind < 0 || kind >= wmma_kind_count)
    device_fault(illegal_instruction, "%s at %s:%d: no such product", site.what, site.file, site.line);
  const WmmaKind& of = wmma_kinds[kind];
  const auto require = [&](const void* x, int elements, int bytes, bool write) {
    isolation::require(x, static_cast<std::size_t>(elements / lanes * bytes), write, code);
  };
  const int sum_bytes = of.a == WmmaFormat::float64 ? 8 : 4;
  require(mine.d, of.m * of.n, mine.d_is_half ? 2 : sum_bytes, true);
  require(mine.c, of.m * of.n, mine.c_is_half ? 2 : sum_bytes, false);
  require(mine.a, of.m * of.k, wmma_element_bytes(of.a), false);
  require(mine.b, of.k * of.n, wmma_element_bytes(of.b), false);
}

/// Each lane's fragments were looked at as of its own types, and one lane computes for all.
void require_alike(const unsigned long long* all, const Site& site) {
  const auto& first = *reinterpret_cast<const Brought*>(all[0]);
  for (int lane = 1; lane < lanes; ++lane) {
    const auto& other = *reinterpret_cast<const Brought*>(all[lane]);
    if (other.kind != first.kind || other.operands.c_is_half != first.operands.c_is_half ||
        other.operands.d_is_half != first.operands.d_is_half ||
        other.operands.saturate != first.operands.saturate)
      device_fault(illegal_instruction, "%s at %s:%d: lanes of a warp bring fragments of different types",
                   site.what, site.file, site.line);
  }
}

}  // namespace

bool is_recorded() noexcept { return running_worker() != nullptr && running_worker()->observer != nullptr; }

namespace header_calls {
void exchange_wmma_words(WmmaExchange& mine, int blocks, bool transposed, const Site& site) {
  require_whole_warp(site);
  constexpr int most = sizeof mine.words / sizeof mine.words[0];
  if (blocks < 0 || blocks > most)
    device_fault(illegal_instruction, "%s at %s:%d: no such fragment", site.what, site.file, site.line);
  isolation::require(&mine, sizeof mine, true, __builtin_return_address(0));
  const Exchanged all = exchange(~0u, reinterpret_cast<unsigned long long>(&mine), site);
  if (!transposed)
    std::memcpy(mine.words, mine.pairs, sizeof(unsigned) * static_cast<unsigned>(blocks));
  else if (!mine.done)
    transpose_pairs(all.values, blocks);
}
}  // namespace header_calls

void report_wmma_matrix(unsigned stride, std::size_t unit, const Site& site) {
  device_fault(
      716,
      "%s at %s:%d: the matrix must begin at a multiple of 32 bytes, and its leading dimension (%u) must "
      "be a multiple of %zu elements",
      site.what, site.file, site.line, stride, unit);
}

void multiply_fragments(WmmaOperands& mine, int kind, const Site& site) {
  static Multiply* const multiply_all = fastest_multiply();
  require_whole_warp(site);
  isolation::require(&mine, sizeof mine, false, __builtin_return_address(0));
  Brought& own = brought_by_this_thread();
  own = {mine, kind};
  own.operands.done = false;
  if (isolation::active()) require_fragments(own, site, __builtin_return_address(0));
  const Exchanged all = exchange(~0u, reinterpret_cast<unsigned long long>(&own), site);
  if (own.operands.done) return;
  require_alike(all.values, site);
  multiply_all(kind, all.values, own.operands);
  if (!is_recorded()) return;
  const WmmaKind& of = wmma_kinds[kind];
  // Tensor cores take twice as long for elements of twice the bits; those of 64 bits are 16 times as slow.
  const auto half_steps = static_cast<unsigned>(of.a == WmmaFormat::float64 ? 32 : wmma_element_bytes(of.a));
  running_worker()->observer->tensor_product(static_cast<std::uint64_t>(of.m * of.n * of.k) * half_steps,
                                             false);
}

}  // namespace warplab::emulator
