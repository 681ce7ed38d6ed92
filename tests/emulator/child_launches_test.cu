// Launches from kernels. Ordinary CUDA: a GPU gives the same results (compiled with -rdc=true).

#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

__global__ void add(int* x, int n, int value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] += value;
}

template <class T>
__global__ void scale(T* x, int n, T by) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] *= by;
}

__device__ void launch_both(int* x, int n) {
  add<<<(n + 63) / 64, 64>>>(x, n, 3);
  scale<int><<<(n + 63) / 64, 64>>>(x, n, 10);
}

// A block's launches into the null stream run one after another.
__global__ void add_then_scale(int* x, int n) {
  if (threadIdx.x == 0) launch_both(x, n);
  __syncthreads();
  if (threadIdx.x == 1) add<<<(n + 63) / 64, 64>>>(x, n, 1);
}

TEST(ChildLaunches, ABlocksNullStreamKeepsTheirOrder) {
  const DeviceArray<int> x(1000);
  add_then_scale<<<1, 32>>>(x.data(), 1000);
  EXPECT_EQ(x.host(), std::vector<int>(1000, 31));
}

// Every thread of every block launches a child of its own.
__global__ void one_each(int* x) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  add<<<1, 1>>>(x + i, 1, i);
}

TEST(ChildLaunches, EveryThreadOfEveryBlockMayLaunch) {
  const DeviceArray<int> x(256);
  one_each<<<8, 32>>>(x.data());
  const std::vector<int> result = x.host();
  for (int i = 0; i < 256; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], i);
}

// Memory that a kernel allocates is there for its children and for later kernels, until a kernel frees it.
struct Kept {
  int* values;
  cudaError_t error;
};
__global__ void allocate_kept(Kept* kept) {
  kept->error = cudaMalloc((void**)&kept->values, 64 * sizeof(int));
  if (kept->error != cudaSuccess) return;
  for (int i = 0; i < 64; ++i) kept->values[i] = i;
  scale<int><<<2, 32>>>(kept->values, 64, 3);
}
__global__ void read_kept(const Kept* kept, int* x) { x[threadIdx.x] = kept->values[threadIdx.x]; }
__global__ void free_here(void* memory, cudaError_t* error) { *error = cudaFree(memory); }

TEST(ChildLaunches, AKernelAllocatesMemoryAndAnotherFreesIt) {
  const DeviceArray<Kept> kept(1);
  const DeviceArray<int> x(64);
  allocate_kept<<<1, 1>>>(kept.data());
  read_kept<<<1, 64>>>(kept.data(), x.data());
  ASSERT_EQ(kept.host()[0].error, cudaSuccess);
  EXPECT_EQ(x.host()[20], 60);
  const DeviceArray<cudaError_t> error(1);
  free_here<<<1, 1>>>(kept.host()[0].values, error.data());
  EXPECT_EQ(error.host()[0], cudaSuccess);
}

// Work of the host that follows in the stream waits for the children too.
TEST(ChildLaunches, TheParentIsCompleteWhenItsChildrenAre) {
  const DeviceArray<int> x(512);
  add_then_scale<<<1, 32>>>(x.data(), 512);
  scale<int><<<8, 64>>>(x.data(), 512, 2);
  EXPECT_EQ(x.host(), std::vector<int>(512, 62));
}

// Each grid launches two more until the depth is reached.
__global__ void grow(int* leaves, int depth) {
  if (depth == 0) {
    atomicAdd(leaves, 1);
    return;
  }
  grow<<<1, 1, 0, cudaStreamFireAndForget>>>(leaves, depth - 1);
  grow<<<1, 1>>>(leaves, depth - 1);
}

TEST(ChildLaunches, ChildrenHaveChildren) {
  const DeviceArray<int> leaves(1);
  grow<<<1, 1>>>(leaves.data(), 7);
  EXPECT_EQ(leaves.host()[0], 128);
}

__global__ void count(int* counter) { atomicAdd(counter, 1); }
__global__ void keep(const int* counter, int* seen) { *seen = *counter; }
__global__ void nested_count(int* counter) { count<<<1, 32>>>(counter); }

__global__ void fork_and_join(int* counter, int* seen) {
  if (threadIdx.x == 0) keep<<<1, 1, 0, cudaStreamTailLaunch>>>(counter, seen);
  nested_count<<<1, 1, 0, cudaStreamFireAndForget>>>(counter);
}

TEST(ChildLaunches, ATailLaunchComesAfterAllOtherDescendants) {
  const DeviceArray<int> counter(1), seen(1);
  fork_and_join<<<1, 16>>>(counter.data(), seen.data());
  EXPECT_EQ(seen.host()[0], 16 * 32);
}

__global__ void append(int* list, int value) { list[++list[0]] = value; }
__global__ void append_and_follow(int* list, int value) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, value + 1);
  append<<<1, 1>>>(list, value);
}
__global__ void several_tails(int* list) {
  append_and_follow<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 20);
  append_and_follow<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 30);
  append<<<1, 1>>>(list, 10);
}

TEST(ChildLaunches, TailLaunchesRunInOrderEachWithItsOwn) {
  const DeviceArray<int> list(8);
  several_tails<<<1, 1>>>(list.data());
  EXPECT_EQ(list.host(), (std::vector<int>{5, 10, 20, 21, 30, 31, 0, 0}));
}

__global__ void two_streams(int* a, int* b, int n) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  add<<<1, 64, 0, stream>>>(a, n, 5);
  add<<<1, 64>>>(b, n, 5);
  scale<int><<<1, 64, 0, stream>>>(a, n, 3);
  scale<int><<<1, 64>>>(b, n, 4);
  cudaStreamDestroy(stream);
}

TEST(ChildLaunches, StreamsMadeInAKernelKeepTheirOrder) {
  const DeviceArray<int> a(64), b(64);
  two_streams<<<1, 1>>>(a.data(), b.data(), 64);
  EXPECT_EQ(a.host(), std::vector<int>(64, 15));
  EXPECT_EQ(b.host(), std::vector<int>(64, 20));
}

// What the parent wrote before the launch is there for the child, dynamic shared memory is the child's own.
__global__ void sum_block(const int* in, int* out) {
  extern __shared__ int partial[];
  partial[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = partial[0];
}
__global__ void fill_and_sum(int* scratch, int* out) {
  __shared__ int bias;
  if (threadIdx.x == 0) bias = 100;
  __syncthreads();
  scratch[threadIdx.x] = static_cast<int>(threadIdx.x) + bias;
  __syncthreads();
  if (threadIdx.x == 0) sum_block<<<1, blockDim.x, blockDim.x * sizeof(int)>>>(scratch, out);
}

TEST(ChildLaunches, ChildrenSeeWhatTheirParentWrote) {
  const DeviceArray<int> scratch(128), out(1);
  fill_and_sum<<<1, 128>>>(scratch.data(), out.data());
  EXPECT_EQ(out.host()[0], 128 * 127 / 2 + 128 * 100);
}

__global__ void impossible_launch(int* errors) {
  count<<<1, 2048>>>(errors);
  errors[1] = cudaPeekAtLastError();
  errors[2] = cudaGetLastError();
  errors[3] = cudaGetLastError();
  count<<<1, 4>>>(errors);
}

TEST(ChildLaunches, ALaunchThatIsRefusedTellsTheThreadThatMadeIt) {
  const DeviceArray<int> errors(4);
  impossible_launch<<<1, 1>>>(errors.data());
  EXPECT_EQ(errors.host(),
            (std::vector<int>{4, cudaErrorInvalidConfiguration, cudaErrorInvalidConfiguration, cudaSuccess}));
}

__global__ void nest(int depth, int* deepest, int* error) {
  *deepest = depth;
  if (depth < 60) nest<<<1, 1>>>(depth + 1, deepest, error);
  if (const cudaError_t refused = cudaGetLastError()) *error = refused;
}

TEST(ChildLaunches, GridsNestDeep) {
  const DeviceArray<int> deepest(1), error(1);
  nest<<<1, 1>>>(0, deepest.data(), error.data());
  EXPECT_EQ(error.host()[0], cudaSuccess);
  EXPECT_EQ(deepest.host()[0], 60);
}

__global__ void into_own_stream(int* x, int n) {
  add<<<1, 64, 0, cudaStreamPerThread>>>(x, n, 7);
  scale<int><<<1, 64, 0, cudaStreamPerThread>>>(x, n, 2);
}

TEST(ChildLaunches, AThreadHasAStreamOfItsOwn) {
  const DeviceArray<int> x(64);
  into_own_stream<<<1, 1>>>(x.data(), 64);
  EXPECT_EQ(x.host(), std::vector<int>(64, 14));
}

// A tail launch takes its parent's place: a loop of them goes as deep as it likes.
__global__ void count_down(int left, int* steps) {
  ++*steps;
  if (left > 0) count_down<<<1, 1, 0, cudaStreamTailLaunch>>>(left - 1, steps);
}

TEST(ChildLaunches, TailLaunchesMakeALoop) {
  const DeviceArray<int> steps(1);
  count_down<<<1, 1>>>(500, steps.data());
  EXPECT_EQ(steps.host()[0], 501);
}
