#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace {

using warplab::emulator::enqueue;

// What has run, in order: each queued operation appends its letter.
class HostStreams : public ::testing::Test {
 protected:
  ~HostStreams() override { EXPECT_EQ(cudaDeviceReset(), cudaSuccess); }

  void queue(cudaStream_t stream, char letter) {
    ASSERT_EQ(enqueue(stream,
                      [this, letter] {
                        ran += letter;
                        return cudaSuccess;
                      }),
              cudaSuccess);
  }
  static cudaStream_t make_stream(unsigned flags = cudaStreamDefault) {
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess);
    return stream;
  }
  static cudaEvent_t make_event(unsigned flags = cudaEventDefault) {
    cudaEvent_t event = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&event, flags), cudaSuccess);
    return event;
  }
  bool comes_before(char first, char second) const { return ran.find(first) < ran.find(second); }

  std::string ran;
};

TEST_F(HostStreams, NothingRunsBeforeTheHostWaits) {
  queue(nullptr, 'a');
  EXPECT_EQ(ran, "");
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(ran, "a");
}

TEST_F(HostStreams, AStreamKeepsItsOrder) {
  const cudaStream_t stream = make_stream();
  for (char letter = 'a'; letter <= 'z'; ++letter) queue(stream, letter);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(ran, "abcdefghijklmnopqrstuvwxyz");
}

TEST_F(HostStreams, OnlyWhatTheWaitNeedsRuns) {
  const cudaStream_t one = make_stream(), two = make_stream();
  queue(one, 'a');
  queue(two, 'b');
  EXPECT_EQ(cudaStreamSynchronize(two), cudaSuccess);
  EXPECT_EQ(ran, "b");
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(ran, "ba");
}

TEST_F(HostStreams, UnorderedStreamsInterleaveDifferently) {
  std::set<std::string> orders;
  const cudaStream_t one = make_stream(), two = make_stream();
  for (int i = 0; i < 50; ++i) {
    ran.clear();
    for (char letter : {'a', 'b', 'c'}) queue(one, letter);
    for (char letter : {'x', 'y', 'z'}) queue(two, letter);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_TRUE(comes_before('a', 'b') && comes_before('b', 'c') && comes_before('x', 'y') &&
                comes_before('y', 'z'));
    orders.insert(ran);
  }
  EXPECT_GT(orders.size(), 5u);
}

TEST_F(HostStreams, AnEventOrdersTwoStreams) {
  const cudaStream_t one = make_stream(), two = make_stream();
  const cudaEvent_t event = make_event();
  for (int i = 0; i < 50; ++i) {
    ran.clear();
    queue(one, 'a');
    ASSERT_EQ(cudaEventRecord(event, one), cudaSuccess);
    queue(one, 'z');
    ASSERT_EQ(cudaStreamWaitEvent(two, event), cudaSuccess);
    queue(two, 'b');
    ASSERT_EQ(cudaStreamSynchronize(two), cudaSuccess);
    ASSERT_EQ(ran, "ab");  // what comes after the event was not needed
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
}

TEST_F(HostStreams, AnEventThatWasNotRecordedOrdersNothing) {
  const cudaStream_t stream = make_stream();
  const cudaEvent_t event = make_event();
  EXPECT_EQ(cudaStreamWaitEvent(stream, event), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
}

TEST_F(HostStreams, TheLegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
  const cudaStream_t blocking = make_stream(), free_running = make_stream(cudaStreamNonBlocking);
  for (int i = 0; i < 30; ++i) {
    ran.clear();
    queue(blocking, 'a');
    queue(free_running, 'x');
    queue(nullptr, 'b');
    queue(blocking, 'c');
    ASSERT_EQ(cudaStreamSynchronize(blocking), cudaSuccess);
    ASSERT_EQ(ran, "abc");  // the non-blocking stream was not needed
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(ran, "abcx");
  }
}

TEST_F(HostStreams, ABlockingCopyWaitsForBlockingStreamsOnly) {
  const cudaStream_t blocking = make_stream(), free_running = make_stream(cudaStreamNonBlocking);
  int *d = nullptr, h = 0;
  ASSERT_EQ(cudaMalloc(&d, sizeof(int)), cudaSuccess);
  queue(blocking, 'a');
  queue(free_running, 'x');
  ASSERT_EQ(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(ran, "a");
}

TEST_F(HostStreams, EveryHostThreadHasItsOwnPerThreadStream) {
  queue(cudaStreamPerThread, 'a');
  std::thread([&] {
    queue(cudaStreamPerThread, 'b');
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    EXPECT_EQ(ran, "b");
  }).join();
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(ran, "ba");
}

TEST_F(HostStreams, QueriesMakeProgressAndSayNotReadyUntilDone) {
  queue(nullptr, 'a');
  queue(nullptr, 'b');
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  EXPECT_EQ(ran, "a");
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess);
  EXPECT_EQ(ran, "ab");
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "which is an answer, not an error";

  const cudaEvent_t event = make_event();
  queue(nullptr, 'c');
  ASSERT_EQ(cudaEventRecord(event), cudaSuccess);
  int polls = 0;
  while (cudaEventQuery(event) == cudaErrorNotReady) ++polls;
  EXPECT_EQ(polls, 2);
  EXPECT_EQ(ran, "abc");
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(HostStreams, AFullQueueRunsItsOldestWork) {
  for (int i = 0; i < 1024; ++i) queue(nullptr, 'a');
  EXPECT_EQ(ran.size(), 0u);
  queue(nullptr, 'b');
  EXPECT_EQ(ran, std::string(512, 'a'));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(ran.size(), 1025u);
}

TEST_F(HostStreams, ADestroyedStreamFinishesItsWorkButTakesNoMore) {
  const cudaStream_t stream = make_stream();
  queue(stream, 'a');
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(enqueue(stream, [] { return cudaSuccess; }), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(ran, "a");
  cudaGetLastError();
}

TEST_F(HostStreams, EventsTimeTheWorkBetweenThem) {
  const cudaEvent_t start = make_event(), stop = make_event(), untimed = make_event(cudaEventDisableTiming);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
  ASSERT_EQ(enqueue(nullptr,
                    [] {
                      std::this_thread::sleep_for(std::chrono::milliseconds(20));
                      return cudaSuccess;
                    }),
            cudaSuccess);
  ASSERT_EQ(cudaEventRecord(stop), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaErrorNotReady);
  ASSERT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaSuccess);
  EXPECT_GE(ms, 20.f);
  EXPECT_LT(ms, 5000.f);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(start), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(start), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_F(HostStreams, AnEventHasTheTimeOfItsLastRecord) {
  const cudaStream_t slow = make_stream(), fast = make_stream();
  const cudaEvent_t start = make_event(), event = make_event();
  const auto sleep = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return cudaSuccess;
  };
  ASSERT_EQ(enqueue(slow, sleep), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, slow), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(start, fast), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, fast), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(event), cudaSuccess);
  float before = -1, after = -2;
  ASSERT_EQ(cudaEventElapsedTime(&before, start, event), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(slow), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&after, start, event), cudaSuccess);
  EXPECT_EQ(after, before) << "the older record came later";
  cudaEvent_t shared = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&shared, cudaEventInterprocess), cudaErrorInvalidValue)
      << "such events have no times";
  cudaGetLastError();
}

struct Noted {
  std::string* ran;
  cudaError_t inner = cudaSuccess;
};

TEST_F(HostStreams, HostFunctionsRunInOrderAndMayNotUseCuda) {
  Noted noted{&ran};
  queue(nullptr, 'a');
  ASSERT_EQ(cudaLaunchHostFunc(
                nullptr,
                [](void* data) {
                  auto& n = *static_cast<Noted*>(data);
                  *n.ran += 'h';
                  n.inner = cudaDeviceSynchronize();
                },
                &noted),
            cudaSuccess);
  ASSERT_EQ(
      cudaStreamAddCallback(
          nullptr, [](cudaStream_t, cudaError_t, void* data) { *static_cast<Noted*>(data)->ran += 'c'; },
          &noted, 0),
      cudaSuccess);
  queue(nullptr, 'b');
  EXPECT_EQ(ran, "");
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(ran, "ahcb");
  EXPECT_EQ(noted.inner, cudaErrorNotPermitted);
  cudaGetLastError();
}

TEST_F(HostStreams, AFaultIsStickyAndDropsWhatWasQueued) {
  const cudaStream_t other = make_stream();
  queue(other, 'x');
  ASSERT_EQ(enqueue(nullptr, [] { return cudaErrorIllegalAddress; }), cudaSuccess);
  queue(nullptr, 'b');
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorIllegalAddress);
  int* d = nullptr;
  EXPECT_EQ(cudaMalloc(&d, 4), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(enqueue(nullptr, [] { return cudaSuccess; }), cudaErrorIllegalAddress);
  EXPECT_EQ(ran.find('b'), std::string::npos);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(ran.find('b'), std::string::npos);
  EXPECT_EQ(cudaMalloc(&d, 4), cudaSuccess);
}

TEST_F(HostStreams, HostThreadsMayUseTheDeviceAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> sums(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&sums, t] {
      cudaStream_t stream = nullptr;
      int *d = nullptr, h = 0;
      ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
      ASSERT_EQ(cudaMalloc(&d, sizeof(int)), cudaSuccess);
      for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(cudaMemcpyAsync(d, &i, sizeof i, cudaMemcpyHostToDevice, stream), cudaSuccess);
        ASSERT_EQ(cudaMemcpyAsync(&h, d, sizeof h, cudaMemcpyDeviceToHost, stream), cudaSuccess);
        sums[t] += h;
      }
      ASSERT_EQ(cudaFree(d), cudaSuccess);
      ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sums, std::vector<int>(4, 199 * 200 / 2));
}

TEST_F(HostStreams, WorkThatNobodyWaitedForIsLostWithAWarning) {
  EXPECT_EXIT(
      {
        queue(nullptr, 'a');
        std::exit(0);
      },
      testing::ExitedWithCode(0), "never waited for.*kernel launches: 1, copies: 0.*cudaDeviceSynchronize");
}

TEST_F(HostStreams, TheLensDoesNotSayThatLostWorkWasNeverAskedFor) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the environment is read once
  setenv("WARPLAB_LENS", "1", 1);
  EXPECT_EXIT(
      {
        void* memory = nullptr;
        cudaMalloc(&memory, 4);
        cudaMemset(memory, 0, 4);
        cudaDeviceSynchronize();  // the lens begins
        queue(nullptr, 'a');
        std::exit(0);
      },
      testing::ExitedWithCode(0), "no kernel of the program has run");
  unsetenv("WARPLAB_LENS");
}

TEST_F(HostStreams, FlagsAndPrioritiesAreKept) {
  cudaStream_t stream = nullptr;
  int least = 0, greatest = 0, priority = 0;
  unsigned flags = 0;
  ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 10), cudaSuccess);
  ASSERT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  ASSERT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  EXPECT_EQ(flags, static_cast<unsigned>(cudaStreamNonBlocking));
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 77), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_F(HostStreams, AccessPolicyWindowsAreCheckedHints) {
  const cudaStream_t stream = make_stream();
  cudaDeviceProp device{};
  ASSERT_EQ(cudaGetDeviceProperties(&device, 0), cudaSuccess);
  ASSERT_GT(device.accessPolicyMaxWindowSize, 0);
  cudaStreamAttrValue value{}, got{};
  value.accessPolicyWindow = {&value, 4096, 0.5f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
  const auto set = [&] {
    return cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
  };
  EXPECT_EQ(set(), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &got), cudaSuccess);
  EXPECT_EQ(got.accessPolicyWindow.num_bytes, 4096u);
  EXPECT_EQ(got.accessPolicyWindow.hitProp, cudaAccessPropertyPersisting);
  const cudaStream_t other = make_stream();
  EXPECT_EQ(cudaStreamCopyAttributes(other, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &got), cudaSuccess);
  EXPECT_EQ(got.accessPolicyWindow.hitRatio, 0.5f);
  value.accessPolicyWindow.hitRatio = 1.5f;
  EXPECT_EQ(set(), cudaErrorInvalidValue);
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.num_bytes = static_cast<std::size_t>(device.accessPolicyMaxWindowSize) + 1;
  EXPECT_EQ(set(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaStreamSetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &value),
            cudaErrorInvalidResourceHandle);
}

}  // namespace
