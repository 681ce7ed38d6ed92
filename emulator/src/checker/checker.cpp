#include "emulator/src/checker/checker.hpp"

#include <algorithm>
#include <cstdio>

#include "emulator/src/checker/checker_state.hpp"

namespace warplab::emulator::lens {
namespace {

// Memory for the words of a block that are looked at byte by byte.
constexpr std::size_t shared_splits_limit = std::size_t{16} << 20;

Access make_access(unsigned thread, const void* address, unsigned bytes, AccessKind kind, const void* code) {
  Access access{};
  access.address = reinterpret_cast<std::uintptr_t>(address);
  access.bytes = bytes;
  access.thread = thread;
  access.code = code;
  const bool bulk = kind == AccessKind::bulk_read || kind == AccessKind::bulk_write;
  access.manner = bulk                                                                      ? Manner::bulk
                  : kind == AccessKind::atomic                                              ? Manner::atomic
                  : kind == AccessKind::volatile_read || kind == AccessKind::volatile_write ? Manner::flagged
                                                                                            : Manner::plain;
  access.reads = kind == AccessKind::read || kind == AccessKind::bulk_read ||
                 kind == AccessKind::volatile_read || kind == AccessKind::atomic;
  access.writes = kind == AccessKind::write || kind == AccessKind::bulk_write ||
                  kind == AccessKind::volatile_write || kind == AccessKind::atomic;
  return access;
}

}  // namespace

Checker::Checker(const Setup& setup) : state_(std::make_unique<State>(setup)) {}
Checker::~Checker() = default;

int Checker::begin_block(uint3 index, const SharedWindow& shared) {
  State& s = *state_;
  s.settle();
  std::unique_ptr<CheckedBlock> block;
  if (s.idle.empty()) {
    block = std::make_unique<CheckedBlock>(shared_splits_limit);
  } else {
    block = std::move(s.idle.back());
    s.idle.pop_back();
  }
  const std::uint32_t number = s.happens_before.add_block(index);
  block->begin(number, index, s.threads, shared);
  s.block = block.get();
  s.blocks.emplace(static_cast<int>(number), std::move(block));
  return static_cast<int>(number);
}

void Checker::select_block(int handle) {
  state_->settle();
  state_->block = state_->blocks.at(handle).get();
}

void Checker::end_block(int handle) {
  State& s = *state_;
  s.settle();
  const auto found = s.blocks.find(handle);
  if (found == s.blocks.end()) return;
  s.happens_before.end_block(found->second->clock.block());
  if (s.block == found->second.get()) s.block = nullptr;
  s.idle.push_back(std::move(found->second));
  s.blocks.erase(found);
}

void Checker::grow_static_shared(std::size_t bytes) {
  state_->block->layout.grow(bytes);
  state_->block->make_cells();
}

void Checker::shared_variable(const void* begin, std::size_t bytes, const char* name) {
  state_->block->layout.add(begin, bytes, name);
  state_->block->make_cells();
}

void Checker::access(unsigned thread, const void* address, unsigned bytes, AccessKind kind, const void* code,
                     unsigned alignment) {
  State& s = *state_;
  Access access = make_access(thread, address, bytes, kind, code);
  s.settle(thread, &access);
  CheckedBlock& block = *s.block;
  const GlobalRange* range = nullptr;
  access.shared = block.layout.is_shared(access.address);
  access.home = &block;
  if (access.shared) {
    if (!block.layout.holds(access.address, bytes)) return s.misplace(access);
  } else {
    range = s.ranges.find(access.address, bytes);
    if (range == nullptr) {
      access.home = s.neighbour_of(access.address);
      access.shared = access.home != nullptr;
      if (!access.shared || !access.home->layout.holds(access.address, bytes)) return s.misplace(access);
    } else if (range->constant && access.writes) {
      if (Mistake* const mistake = s.add_mistake(FindingKind::write_to_constant_memory, access)) {
        mistake->hint = Hint::constant_memory_is_read_only;
        mistake->text = "writes " + std::to_string(bytes) + " bytes " + s.place(access) +
                        "; a kernel can only read constant memory: use a __device__ variable, or "
                        "cudaMemcpyToSymbol from the host";
      }
      return;
    }
  }
  if (alignment == 0) alignment = bytes <= 16 && (bytes & (bytes - 1)) == 0 ? bytes : 1;
  if ((access.address & (alignment - 1)) != 0) return s.misalign(access, alignment);
  s.check_words(access, range);
  if (synchronises(access.manner)) s.synchronise(access);
}

void Checker::will_swap(unsigned thread, const void* address, unsigned bytes, std::uint64_t expected) {
  state_->will_swap(thread, reinterpret_cast<std::uintptr_t>(address), bytes, expected);
}

void Checker::block_barrier() {
  state_->settle();
  state_->block->clock.block_barrier();
}

void Checker::warp_barrier(unsigned warp, unsigned mask) {
  state_->settle();
  state_->block->clock.warp_barrier(warp, mask);
}

void Checker::fence(unsigned thread) {
  state_->settle(thread);
  state_->block->clock.fence(thread);
}

void Checker::proxy_fence(unsigned thread) {
  State& s = *state_;
  s.settle(thread);
  if (s.block->proxy_fences.empty()) s.block->proxy_fences.resize(s.threads);
  s.block->proxy_fences[thread] = s.block->clock.tick(thread);
  s.block->clock.advance(thread);
}

void Checker::report(FindingKind kind, unsigned thread, const void* code, const std::string& text,
                     Hint hint) {
  Access access{};
  access.thread = thread;
  access.code = code;
  if (Mistake* const mistake = state_->add_mistake(kind, access)) {
    mistake->text = text;
    mistake->hint = hint;
  }
}

void Checker::grid_barrier() {
  State& s = *state_;
  s.settle();
  for (auto& [handle, block] : s.blocks) {
    block->clock.block_barrier();
    s.happens_before.block(block->clock.block()).ordered_for_all = block->clock.start();
  }
}

void Checker::cluster_barrier(const std::vector<int>& blocks) {
  State& s = *state_;
  s.settle();
  for (const int handle : blocks) {
    VectorClocks& clock = s.blocks.at(handle)->clock;
    clock.block_barrier();
    HappensBefore::BlockInfo& info = s.happens_before.block(clock.block());
    info.ordered_for_cluster = clock.start();
    if (info.cluster == 0) info.cluster = static_cast<std::uint32_t>(*std::ranges::min_element(blocks)) + 1;
  }
}

void Checker::acquire(unsigned thread, const void* object) {
  State& s = *state_;
  s.settle(thread);
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  s.happens_before.acquire(address, s.owner_of(address), s.block->clock, thread);
}

void Checker::release(unsigned thread, const void* object) {
  State& s = *state_;
  s.settle(thread);
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  s.happens_before.release(address, s.owner_of(address), s.block->clock.snapshot(thread));
}

std::vector<Mistake> Checker::mistakes() const {
  state_->settle();
  return state_->mistakes.list();
}

std::string Checker::gap() const {
  const State& s = *state_;
  std::string text;
  if (s.unwatched_words != 0) {
    char line[200];
    std::snprintf(
        line, sizeof line,
        "%.3g %% of the accesses to global memory were not checked for races: that would take more than "
        "%zu MiB; record fewer blocks, or take a smaller size",
        100.0 * static_cast<double>(s.unwatched_words) / static_cast<double>(s.global_words),
        s.setup.memory_limit >> 20);
    text = line;
  }
  if (s.happens_before.has_lost())
    text += std::string(text.empty() ? "" : "; ") +
            "too many fences to follow them all: some races may be missing";
  return text;
}

}  // namespace warplab::emulator::lens
