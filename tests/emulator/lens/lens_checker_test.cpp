// The checker that watches recorded threads, driven by hand: each test plays the accesses and the
// synchronisation of a few threads in the order in which the emulator would run them.

#include "emulator/src/checker/checker.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "emulator/src/memory/memory.hpp"

namespace {

using namespace warplab::emulator::lens;
constexpr AccessKind read = AccessKind::read, write = AccessKind::write, atomic = AccessKind::atomic,
                     volatile_read = AccessKind::volatile_read, volatile_write = AccessKind::volatile_write;
constexpr std::size_t words = 1024;

// Where an access is in the code: any distinct address will do.
const void* at(int line) {
  return reinterpret_cast<const void*>(std::uintptr_t{0x1000} + static_cast<unsigned>(line));
}

class LensChecker : public ::testing::Test {
 protected:
  LensChecker() {
    EXPECT_EQ(cudaMalloc(&data_, words * sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaMemset(data_, 0, words * sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    warplab::emulator::poison(shared_.data(), sizeof shared_);
    window_ = {reinterpret_cast<const std::byte*>(shared_.data()),        1024,
               reinterpret_cast<const std::byte*>(shared_.data()) + 4096, 2048,
               reinterpret_cast<const std::byte*>(shared_.data()),        sizeof shared_};
    setup_.grid = dim3(8);
    setup_.block = dim3(128);
    restart();
  }
  ~LensChecker() override {
    checker_.reset();
    cudaFree(data_);
  }

  void restart() { checker_ = std::make_unique<Checker>(setup_); }
  int begin(unsigned block) { return checker_->begin_block(uint3{block, 0, 0}, window_); }
  void touch(unsigned thread, const void* address, AccessKind kind, int line, unsigned bytes = 4) {
    checker_->access(thread, address, bytes, kind, at(line));
  }
  void swap(unsigned thread, const void* address, std::uint64_t expected, int line) {
    checker_->will_swap(thread, address, 4, expected);
    touch(thread, address, atomic, line);
  }
  // Releases in shared memory, of which the checker keeps 500,000.
  void publish(int times) {
    for (int i = 0; i < times; ++i) {
      checker_->fence(64);
      touch(64, tile(100), atomic, 90);
    }
  }
  // Data go from one warp to another through an atomic between two fences.
  void hand_over(int value) {
    store(0, tile(1), value, 1);
    checker_->fence(0);
    touch(0, tile(0), atomic, 2);
    touch(32, tile(0), atomic, 3);
    checker_->fence(32);
    touch(32, tile(1), read, 4);
    checker_->block_barrier();
  }
  // A write that changes the memory, as the kernel would after announcing it.
  void store(unsigned thread, int* address, int value, int line, AccessKind kind = write) {
    touch(thread, address, kind, line);
    *address = value;
  }
  std::vector<Mistake> found() const { return checker_->mistakes(); }
  // "race 3-5; out of bounds 7"
  std::string summary() const {
    std::string all;
    for (const Mistake& m : found()) {
      const auto line = [](const void* code) {
        return std::to_string(reinterpret_cast<std::uintptr_t>(code) - 0x1000);
      };
      all += (all.empty() ? "" : "; ") + std::string(name_of(m.kind)) + " " + line(m.code);
      if (m.other != nullptr) all += "-" + line(m.other);
    }
    return all;
  }
  bool says(const std::string& words_of_text) const {
    const std::vector<Mistake> all = found();
    return std::any_of(all.begin(), all.end(),
                       [&](const Mistake& m) { return m.text.find(words_of_text) != std::string::npos; });
  }

  // Opened, as a kernel's access would have opened it.
  int* global(std::size_t i) {
    warplab::emulator::open_for_device(data_);
    return data_ + i;
  }
  int* tile(std::size_t i) { return shared_.data() + i; }
  int* dynamic(std::size_t i) { return shared_.data() + 1024 + i; }

  int* data_ = nullptr;
  alignas(256) std::array<int, 4096> shared_{};
  Checker::SharedWindow window_;
  Checker::Setup setup_;
  std::unique_ptr<Checker> checker_;
};

TEST_F(LensChecker, AReadOfWhatAnotherWarpWroteNeedsABarrier) {
  begin(0);
  store(0, tile(5), 1, 1);
  touch(40, tile(5), read, 2);
  EXPECT_EQ(summary(), "race 2-1");
  EXPECT_TRUE(says("thread (40,0,0) reads 4 bytes")) << found()[0].text;
  EXPECT_TRUE(says("thread (0,0,0) writes at {other}, with no __syncthreads()")) << found()[0].text;
}

TEST_F(LensChecker, OfOnePlaceTheThreadsThatAreFarthestApartAreTold) {
  begin(0);
  store(0, tile(5), 1, 1);
  touch(1, tile(5), read, 2);
  EXPECT_TRUE(says("no __syncwarp()")) << found()[0].text;
  store(0, tile(6), 1, 1);
  touch(40, tile(6), read, 2);
  store(0, tile(7), 1, 1);
  touch(1, tile(7), read, 2);
  EXPECT_EQ(summary(), "race 2-1");
  EXPECT_EQ(found()[0].times, 3u);
  EXPECT_TRUE(says("thread (40,0,0) reads 4 bytes")) << found()[0].text;
  EXPECT_TRUE(says("no __syncthreads()")) << found()[0].text;
}

TEST_F(LensChecker, ABarrierOrders) {
  begin(0);
  store(0, tile(5), 1, 1);
  checker_->block_barrier();
  touch(40, tile(5), read, 2);
  touch(41, tile(5), read, 2);
  checker_->block_barrier();
  store(7, tile(5), 2, 3);
  EXPECT_EQ(summary(), "");
}

TEST_F(LensChecker, AMissingSecondBarrierIsSeenAtTheWrite) {
  begin(0);
  store(0, tile(5), 1, 1);
  checker_->block_barrier();
  for (unsigned t = 0; t < 128; ++t) touch(t, tile(5), read, 2);
  store(0, tile(5), 2, 1);
  EXPECT_EQ(summary(), "race 1-2");
  EXPECT_TRUE(says("in a loop that uses memory again, a second one"));
}

TEST_F(LensChecker, TheOnlyReaderThatIsTheWriterIsNoRaceAndAnyOtherIs) {
  for (unsigned writer : {0u, 31u, 32u, 127u}) {
    restart();
    begin(0);
    checker_->block_barrier();
    *tile(9) = 0;
    for (unsigned t = 0; t < 128; ++t) touch(t, tile(9), read, 1);
    store(writer, tile(9), 1, 2);
    EXPECT_EQ(summary().substr(0, 8), "race 2-1") << writer;
  }
}

TEST_F(LensChecker, NeighbouringBytesOfAWordAreApart) {
  begin(0);
  char* const bytes = reinterpret_cast<char*>(tile(0));
  for (unsigned t = 0; t < 8; ++t) touch(32 * (t % 4), bytes + t % 4, write, 1, 1), bytes[t % 4] = 1;
  EXPECT_EQ(summary(), "");
  touch(0, bytes + 1, read, 2, 1);
  EXPECT_EQ(summary(), "race 2-1");
  restart();
  begin(0);
  for (unsigned t = 0; t < 4; ++t) touch(32 * t, bytes + t, write, 1, 1), bytes[t] = 2;
  touch(96, bytes, read, 3);
  EXPECT_EQ(summary(), "race 3-1") << "a whole word is read that four threads wrote";
  checker_->block_barrier();
  store(5, tile(0), 7, 4);
  checker_->block_barrier();
  for (unsigned t = 0; t < 4; ++t) touch(32 * t, bytes + t, write, 5, 1), bytes[t] = 3;
  EXPECT_EQ(summary(), "race 3-1");
}

TEST_F(LensChecker, LanesOfAWarpNeedSyncwarp) {
  begin(0);
  store(0, tile(1), 1, 1);
  touch(1, tile(1), read, 2);
  EXPECT_EQ(summary(), "race 2-1");
  EXPECT_TRUE(says("__syncwarp()"));
}

TEST_F(LensChecker, SyncwarpOrdersItsLanesAlone) {
  begin(0);
  store(0, tile(1), 1, 1);
  checker_->warp_barrier(0, 0xffffffffu);
  touch(1, tile(1), read, 2);
  EXPECT_EQ(summary(), "");
  touch(32, tile(1), read, 3);
  EXPECT_EQ(summary(), "race 3-1");
}

TEST_F(LensChecker, SyncwarpOfSomeLanesOrdersThose) {
  begin(0);
  store(0, tile(1), 1, 1);
  checker_->warp_barrier(0, 0x3u);
  touch(1, tile(1), read, 2);
  EXPECT_EQ(summary(), "");
  checker_->warp_barrier(0, 0x6u);
  touch(2, tile(1), read, 3);
  EXPECT_EQ(summary(), "") << "lane 1 passes on what it knows of lane 0";
  touch(3, tile(1), read, 4);
  EXPECT_EQ(summary(), "race 4-1");
}

TEST_F(LensChecker, VolatileDoesNotReplaceSyncwarp) {
  begin(0);
  store(16, tile(16), 1, 1, volatile_write);
  touch(0, tile(16), volatile_read, 2);
  EXPECT_EQ(summary(), "race 2-1");
  EXPECT_TRUE(says("lock-step"));
}

TEST_F(LensChecker, AVolatileFlagBetweenWarpsIsNoRaceByItself) {
  begin(0);
  store(0, tile(16), 1, 1, volatile_write);
  touch(32, tile(16), volatile_read, 2);
  EXPECT_EQ(summary(), "");
}

TEST_F(LensChecker, TwoWritesAreARaceUnlessTheyWriteTheSame) {
  begin(0);
  store(0, tile(3), 7, 1);
  store(64, tile(3), 7, 1);
  touch(65, tile(100), write, 9);
  EXPECT_EQ(summary(), "");
  store(64, tile(4), 7, 2);
  store(0, tile(4), 8, 2);
  EXPECT_EQ(summary(), "race 2-2");
}

TEST_F(LensChecker, AtomicsCollideWithPlainAccessesOnly) {
  begin(0);
  *tile(2) = 0;
  for (unsigned t = 0; t < 128; ++t) touch(t, tile(2), atomic, 1);
  EXPECT_EQ(summary(), "");
  touch(5, tile(2), read, 2);
  touch(5, tile(1), write, 9);
  EXPECT_EQ(summary(), "race 2-1");
}

TEST_F(LensChecker, APlainReadBeforeACompareAndSwapThatExpectsItIsFine) {
  const int a = begin(0);
  for (unsigned thread = 0; thread < 2; ++thread) {
    touch(thread, global(0), read, 1);
    swap(thread, global(0), 0, 2);
  }
  checker_->end_block(a);
  begin(1);
  touch(0, global(0), read, 1);
  touch(0, global(8), read, 1);
  swap(0, global(8), 0, 3);
  swap(0, global(0), 0, 2);
  EXPECT_EQ(summary(), "");
}

TEST_F(LensChecker, APlainReadBeforeAnAtomicThatDoesNotLookAgainIsARace) {
  for (const bool swaps : {false, true}) {
    restart();
    const int a = begin(0);
    touch(0, global(0), atomic, 2);
    checker_->end_block(a);
    begin(1);
    touch(0, global(0), read, 1);
    if (swaps)
      swap(0, global(0), 7, 2);  // the read saw 0, so this succeeds whatever it saw
    else
      touch(0, global(0), atomic, 2);
    EXPECT_EQ(summary(), "race 1-2") << swaps;
  }
}

TEST_F(LensChecker, ALockWithFencesGuardsItsData) {
  for (unsigned b = 0; b < 4; ++b) {
    const int block = begin(b);
    touch(0, global(0), atomic, 1);
    touch(0, global(1), read, 2);
    store(0, global(1), static_cast<int>(b), 3);
    checker_->fence(0);
    touch(0, global(0), atomic, 4);
    checker_->end_block(block);
  }
  EXPECT_EQ(summary(), "");
}

TEST_F(LensChecker, ALockWithoutFenceIsARaceThatSaysSo) {
  for (unsigned b = 0; b < 2; ++b) {
    const int block = begin(b);
    touch(0, global(0), atomic, 1);
    touch(0, global(1), read, 2);
    store(0, global(1), static_cast<int>(b) + 5, 3);
    touch(0, global(0), atomic, 4);
    checker_->end_block(block);
  }
  ASSERT_FALSE(found().empty());
  EXPECT_EQ(found()[0].kind, warplab::lens::FindingKind::race);
  EXPECT_EQ(found()[0].through, at(4));
  EXPECT_TRUE(says("without a __threadfence() between {other}"));
}

TEST_F(LensChecker, TheLastBlockSeesWhatOtherBlocksWroteBeforeTheirFence) {
  for (unsigned b = 0; b < 4; ++b) {
    const int block = begin(b);
    for (unsigned t = 0; t < 128; ++t) store(t, global(128 * b + t), 1 + static_cast<int>(t), 1);
    checker_->block_barrier();
    checker_->fence(0);
    touch(0, global(1000), atomic, 2);
    checker_->block_barrier();
    if (b == 3)
      for (unsigned t = 0; t < 128; ++t)
        for (unsigned k = 0; k < 4; ++k) touch(t, global(128 * k + t), read, 3);
    checker_->end_block(block);
  }
  EXPECT_EQ(summary(), "");
}

TEST_F(LensChecker, AFenceCoversOnlyWhatItsThreadKnows) {
  const int first = begin(0);
  store(1, global(1), 1, 1);  // by another thread, and no barrier before the fence
  checker_->fence(0);
  touch(0, global(0), atomic, 2);
  checker_->end_block(first);
  begin(1);
  touch(0, global(0), atomic, 2);
  touch(0, global(1), read, 3);
  EXPECT_EQ(summary(), "race 3-1");
}

TEST_F(LensChecker, KnowledgeIsPassedOn) {
  const int first = begin(0);
  store(0, global(1), 1, 1);
  checker_->fence(0);
  store(0, global(2), 1, 2, volatile_write);
  checker_->end_block(first);
  const int second = begin(1);
  touch(5, global(2), volatile_read, 3);
  checker_->block_barrier();
  checker_->fence(9);
  store(9, global(3), 1, 4, volatile_write);
  checker_->end_block(second);
  begin(2);
  touch(7, global(3), volatile_read, 5);
  touch(7, global(1), read, 6);
  EXPECT_EQ(summary(), "");
  touch(8, global(1), read, 7);
  EXPECT_EQ(summary(), "race 7-1") << "another thread of the block has not looked at the flag";
}

TEST_F(LensChecker, BlocksAreNotOrderedByTheirBarriers) {
  const int first = begin(0);
  store(0, global(1), 1, 1);
  checker_->block_barrier();
  checker_->end_block(first);
  begin(1);
  touch(0, global(1), read, 2);
  EXPECT_EQ(summary(), "race 2-1");
  EXPECT_TRUE(says("blocks run in any order"));
  EXPECT_EQ(found()[0].other_block.x, 0u);
  EXPECT_EQ(found()[0].block.x, 1u);
}

TEST_F(LensChecker, AGridBarrierOrdersAllBlocks) {
  const int first = begin(0), second = begin(1);
  checker_->select_block(first);
  store(0, global(1), 1, 1);
  checker_->grid_barrier();
  checker_->select_block(second);
  touch(64, global(1), read, 2);
  EXPECT_EQ(summary(), "");
  store(64, global(2), 1, 3);
  checker_->select_block(first);
  touch(0, global(2), read, 4);
  EXPECT_EQ(summary(), "race 4-3");
}

TEST_F(LensChecker, ArrivingAndWaitingOrder) {
  begin(0);
  store(0, tile(8), 1, 1);
  checker_->release(0, tile(0));
  checker_->acquire(64, tile(0));
  touch(64, tile(8), read, 2);
  EXPECT_EQ(summary(), "");
  touch(65, tile(8), read, 3);
  EXPECT_EQ(summary(), "race 3-1");
}

TEST_F(LensChecker, AnAtomicInSharedMemoryHandsOverWhatAFenceStandsBefore) {
  begin(0);
  store(0, tile(0), 0, 9);
  store(0, tile(1), 0, 9);
  checker_->block_barrier();
  for (int turn = 0; turn < 3; ++turn) hand_over(turn);
  EXPECT_EQ(summary(), "");
}

TEST_F(LensChecker, MoreReleasesThanAreKeptMakeNoRaceWithinABlock) {
  begin(0);
  store(0, tile(0), 0, 9);
  store(0, tile(100), 0, 9);
  checker_->block_barrier();
  publish(499'000);
  hand_over(1);
  EXPECT_EQ(checker_->gap(), "");
  publish(2'000);
  for (int turn = 2; turn < 5; ++turn) hand_over(turn);
  EXPECT_EQ(summary(), "");
  EXPECT_EQ(checker_->gap(), "too many fences to follow them all: some races may be missing");
}

TEST_F(LensChecker, ReleasesOfEndedBlocksMakeRoomForThoseOfOthers) {
  for (unsigned b = 0; b < 3; ++b) {
    const int block = begin(b);
    store(0, tile(100), 0, 9);
    checker_->block_barrier();
    publish(300'000);
    checker_->end_block(block);
  }
  begin(3);
  store(0, tile(0), 0, 9);
  checker_->block_barrier();
  hand_over(1);
  EXPECT_EQ(summary(), "");
  store(0, tile(1), 2, 5);  // and no fence
  touch(0, tile(0), atomic, 6);
  touch(32, tile(0), atomic, 7);
  touch(32, tile(1), read, 8);
  EXPECT_EQ(summary(), "race 8-5");
}

TEST_F(LensChecker, SharedMemoryOfTheNextBlockIsOtherMemory) {
  const int first = begin(0);
  store(0, tile(8), 1, 1);
  checker_->fence(0);
  touch(0, tile(0), atomic, 2);
  checker_->end_block(first);
  begin(1);
  store(64, tile(8), 3, 3);
  EXPECT_EQ(summary().find("race"), std::string::npos);
}

TEST_F(LensChecker, OutOfBoundsSaysHowFar) {
  begin(0);
  touch(0, global(0) + words + 2, read, 1);
  touch(0, reinterpret_cast<char*>(global(0)) - 8, write, 2);
  touch(0, global(words - 2), read, 3, 16);
  touch(0, nullptr, read, 4);
  EXPECT_EQ(summary(), "out of bounds 1; out of bounds 2; out of bounds 3; out of bounds 4");
  const std::vector<Mistake> all = found();
  EXPECT_NE(all[0].text.find("4 bytes, 8 bytes past the end of a 4096-byte cudaMalloc"), std::string::npos)
      << all[0].text;
  EXPECT_NE(all[0].text.find("element 1026 where there are 1024"), std::string::npos) << all[0].text;
  EXPECT_NE(all[1].text.find("8 bytes before the start"), std::string::npos) << all[1].text;
  EXPECT_NE(all[2].text.find("16 bytes, the last 8 of them past the end"), std::string::npos) << all[2].text;
  EXPECT_NE(all[3].text.find("null pointer"), std::string::npos) << all[3].text;
}

TEST_F(LensChecker, TheSamePlaceIsCountedOnce) {
  begin(0);
  for (unsigned t = 0; t < 50; ++t) touch(t, global(0) + words + t, write, 1);
  ASSERT_EQ(found().size(), 1u);
  EXPECT_EQ(found()[0].times, 50u);
  EXPECT_EQ(found()[0].thread.x, 0u);
}

TEST_F(LensChecker, FreedMemoryAndHostMemoryAreCalledThat) {
  int* freed = nullptr;
  ASSERT_EQ(cudaMalloc(&freed, 256), cudaSuccess);
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  static int host;
  begin(0);
  touch(0, freed + 3, read, 1);
  touch(0, &host, write, 2);
  EXPECT_EQ(summary(), "use after free 1; host memory 2");
}

TEST_F(LensChecker, SharedMemoryHasEnds) {
  begin(0);
  touch(0, tile(256), write, 1);
  touch(0, dynamic(512), read, 2);
  touch(0, dynamic(0) - 1, read, 3);
  EXPECT_EQ(summary(), "out of bounds 1; out of bounds 2; out of bounds 3");
  const std::vector<Mistake> all = found();
  EXPECT_NE(all[0].text.find("__shared__ variables"), std::string::npos) << all[0].text;
  EXPECT_NE(all[1].text.find("bytes just past the end of the 2048 bytes of dynamic shared memory"),
            std::string::npos)
      << all[1].text;
  EXPECT_NE(all[2].text.find("4 bytes before the start"), std::string::npos) << all[2].text;
}

TEST_F(LensChecker, WhatLiesBetweenSharedVariablesIsOutOfBounds) {
  begin(0);
  checker_->shared_variable(tile(0), 128, "tile");
  checker_->shared_variable(tile(64), 64, "sums");
  store(0, tile(31), 1, 1);
  store(0, tile(64), 1, 2);
  EXPECT_EQ(summary(), "");
  touch(0, tile(32), write, 3);
  EXPECT_EQ(summary(), "out of bounds 3");
  EXPECT_TRUE(says("just past the end of the 128-byte __shared__ variable 'tile'")) << found()[0].text;
}

TEST_F(LensChecker, StaticSharedMemoryGrows) {
  begin(0);
  checker_->grow_static_shared(2048);
  store(0, tile(400), 1, 1);
  EXPECT_EQ(summary(), "");
}

TEST_F(LensChecker, MisalignedAccessesAreErrors) {
  begin(0);
  touch(0, reinterpret_cast<char*>(global(0)) + 2, read, 1);
  touch(0, global(1), read, 2, 8);
  touch(0, global(4), read, 3, 16);
  checker_->access(0, global(1), 8, read, at(4), 4);  // two floats of a struct, copied at once
  checker_->access(0, global(1), 12, read, at(5));
  EXPECT_EQ(summary(), "misaligned 1; misaligned 2");
}

TEST_F(LensChecker, FreshMemoryIsUninitialisedUntilItIsWritten) {
  int* fresh = nullptr;
  ASSERT_EQ(cudaMalloc(&fresh, 256), cudaSuccess);
  warplab::emulator::open_for_device(fresh);
  begin(0);
  touch(0, fresh + 1, read, 1);
  store(0, fresh + 2, 5, 2);
  touch(0, fresh + 2, read, 3);
  touch(0, fresh + 3, write, 4);  // of the very pattern
  touch(0, fresh + 3, read, 5);
  touch(0, fresh + 6, atomic, 6);
  touch(0, tile(0), read, 7);
  EXPECT_EQ(summary(), "uninitialised read 1; uninitialised read 6; uninitialised read 7");
  cudaFree(fresh);
}

TEST_F(LensChecker, PaddingMayBeCopied) {
  struct Padded {
    char c;
    int i;
  };
  Padded* fresh = nullptr;
  ASSERT_EQ(cudaMalloc(&fresh, 16 * sizeof(Padded)), cudaSuccess);
  warplab::emulator::open_for_device(fresh);
  fresh[0].c = 1;
  fresh[0].i = 2;
  begin(0);
  touch(0, &fresh[0], read, 1, 8);
  EXPECT_EQ(summary(), "");
  touch(0, &fresh[1], read, 2, 8);
  EXPECT_EQ(summary(), "uninitialised read 2");
  cudaFree(fresh);
}

TEST_F(LensChecker, AByteWithThePatternsValueIsNotFresh) {
  auto* const bytes = reinterpret_cast<unsigned char*>(global(0));
  bytes[8] = 0xFB;
  bytes[9] = 0xFF;
  begin(0);
  touch(0, bytes + 8, read, 1, 1);
  touch(0, bytes + 9, read, 2, 1);
  touch(0, bytes + 8, read, 3, 2);
  EXPECT_EQ(summary(), "");
}

TEST_F(LensChecker, AReadTooEarlyIsARaceOnly) {
  begin(0);
  touch(0, tile(40), read, 1);
  store(40, tile(40), 1, 2);
  EXPECT_EQ(summary(), "race 2-1");
}

TEST_F(LensChecker, MemoryIsBoundedAndTheGapIsStated) {
  setup_.memory_limit = 4 << 20;
  restart();
  int* large = nullptr;
  ASSERT_EQ(cudaMalloc(&large, 16 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemset(large, 0, 16 << 20), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(checker_->gap(), "");
  begin(0);
  warplab::emulator::open_for_device(large);
  for (unsigned i = 0; i < 100'000; ++i) touch(0, large + 40 * i, read, 1);
  EXPECT_NE(checker_->gap().find("% of the accesses to global memory were not checked"), std::string::npos);
  EXPECT_EQ(summary(), "");
  touch(0, large + (4 << 20), read, 2);
  EXPECT_EQ(summary(), "out of bounds 2") << "bounds are checked everywhere";
  cudaFree(large);
}

TEST_F(LensChecker, BlocksThatNobodySeesMayOrderThoseThatAreSeen) {
  setup_.all_blocks = false;
  restart();
  const int first = begin(0);
  store(0, global(1), 1, 1);
  checker_->fence(0);
  store(0, global(2), 1, 2, volatile_write);
  checker_->end_block(first);
  begin(5);
  touch(0, global(3), volatile_read, 3);  // set by a block in between
  touch(0, global(1), read, 4);
  EXPECT_EQ(summary(), "");
}

}  // namespace
