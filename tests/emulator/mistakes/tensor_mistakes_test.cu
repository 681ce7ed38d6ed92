// What the emulator says of mistakes with tensor maps, boxes and wgmma: each report names the line.

#include <cuda.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

class TensorMistakes : public ::testing::Test {
 protected:
  ~TensorMistakes() override { cudaDeviceReset(); }

  /// Waits for the device, and expects that it failed with this error and a report of these words and line.
  void expect(cudaError_t error, int line, const std::string& words) {
    EXPECT_EQ(cudaDeviceSynchronize(), error);
    const std::string report = testing::internal::GetCapturedStderr();
    EXPECT_NE(report.find("tensor_mistakes_test.cu:" + std::to_string(line)), std::string::npos) << report;
    EXPECT_NE(report.find(words), std::string::npos) << report;
  }
  static void listen() { testing::internal::CaptureStderr(); }

  /// A matrix of 64 columns of int, and boxes of 32 columns and 8 rows.
  CUtensorMap map_of(void* matrix, cuuint64_t rows) {
    const cuuint64_t extent[] = {64, rows}, stride[] = {256};
    const cuuint32_t box[] = {32, 8}, every[] = {1, 1};
    CUtensorMap map;
    EXPECT_EQ(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, extent, stride, box,
                                     every, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                     CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
              CUDA_SUCCESS);
    return map;
  }
};

constexpr unsigned box_bytes = 1024;

__device__ unsigned address_of(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// --- Boxes ---

/// What a kernel does wrong.
struct BoxMistake {
  unsigned expected = box_bytes, offset = 0;
  int col = 0;
  bool begins_barrier = true;
};

constexpr int line_of_load = __LINE__ + 3;
__device__ void load_box(unsigned to, const CUtensorMap* map, int col, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
      "0}], [%2];" ::"r"(to),
      "l"(map), "r"(barrier), "r"(col)
      : "memory");
}
constexpr int line_of_wait = __LINE__ + 3;
__device__ void await_box(unsigned barrier) {
  asm volatile(
      "{\n.reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra "
      "again;\n}" ::"r"(barrier)
      : "memory");
}

__global__ void read_box(const __grid_constant__ CUtensorMap map, const CUtensorMap* other,
                         BoxMistake mistake) {
  __shared__ __align__(1024) unsigned char box[box_bytes + 64];
  __shared__ std::uint64_t barrier;
  if (mistake.begins_barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&barrier)));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&barrier)),
                 "r"(mistake.expected)
                 : "memory");
  }
  load_box(address_of(box) + mistake.offset, other != nullptr ? other : &map, mistake.col,
           address_of(&barrier));
  await_box(address_of(&barrier));
}

TEST_F(TensorMistakes, AMapThatWasNotEncoded) {
  listen();
  read_box<<<1, 1>>>(CUtensorMap{}, nullptr, {});
  expect(cudaErrorIllegalInstruction, line_of_load, "has not been encoded");
}

TEST_F(TensorMistakes, AMapInGlobalMemoryThatNobodyWrote) {
  CUtensorMap* map = nullptr;
  ASSERT_EQ(cudaMalloc(&map, sizeof *map), cudaSuccess);
  listen();
  read_box<<<1, 1>>>(CUtensorMap{}, map, {});
  expect(cudaErrorIllegalInstruction, line_of_load, "has not been encoded");
}

TEST_F(TensorMistakes, AMapThatIsNotAligned) {
  DeviceArray<CUtensorMap> maps(2);
  listen();
  const auto* const inside = reinterpret_cast<const CUtensorMap*>(reinterpret_cast<char*>(maps.data()) + 32);
  read_box<<<1, 1>>>(CUtensorMap{}, inside, {});
  expect(cudaErrorMisalignedAddress, line_of_load, "not a multiple of 64");
}

TEST_F(TensorMistakes, ADestinationThatIsNotAligned) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  read_box<<<1, 1>>>(map_of(matrix.data(), 8), nullptr, {.offset = 64});
  expect(cudaErrorMisalignedAddress, line_of_load, "must be a multiple of 128 bytes");
}

TEST_F(TensorMistakes, ABoxThatBeginsWithin16Bytes) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  read_box<<<1, 1>>>(map_of(matrix.data(), 8), nullptr, {.col = -1});
  expect(cudaErrorIllegalInstruction, line_of_load,
         "the box begins at -1 in the innermost dimension, which is -4 bytes");
}

TEST_F(TensorMistakes, ADestinationWhereTheBoxHasNoRoom) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  read_box<<<1, 1>>>(map_of(matrix.data(), 8), nullptr, {.offset = 128});
  expect(cudaErrorIllegalAddress, line_of_load, "do not fit into the block's shared memory");
}

TEST_F(TensorMistakes, ATensorThatIsLargerThanItsMemory) {
  DeviceArray<int> matrix(64 * 4);
  listen();
  read_box<<<1, 1>>>(map_of(matrix.data(), 8), nullptr, {});
  expect(cudaErrorIllegalAddress, line_of_load, "past the end of a 1024-byte cudaMalloc");
}

TEST_F(TensorMistakes, ABarrierThatNobodyBegan) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  read_box<<<1, 1>>>(map_of(matrix.data(), 8), nullptr, {.begins_barrier = false});
  expect(cudaErrorLaunchFailure, line_of_load, "the barrier has not been initialised");
}

TEST_F(TensorMistakes, MoreBytesThanTheBarrierExpects) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  read_box<<<1, 1>>>(map_of(matrix.data(), 8), nullptr, {.expected = box_bytes / 2});
  expect(cudaErrorLaunchFailure, line_of_load, "512 bytes more come to the barrier than its phase expects");
}

TEST_F(TensorMistakes, FewerBytesThanTheBarrierExpects) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  read_box<<<1, 1>>>(map_of(matrix.data(), 8), nullptr, {.expected = box_bytes + 16});
  expect(cudaErrorLaunchFailure, line_of_wait, "16 bytes that were announced");
}

__global__ void read_box_of_other_rank(const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(128) unsigned char box[box_bytes];
  asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %1}];" ::"l"(&map), "r"(0));
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %1, %1}], [%2];" ::"l"(&map),
      "r"(0), "r"(address_of(box))
      : "memory");
}
constexpr int line_of_other_rank = __LINE__ - 4;

TEST_F(TensorMistakes, AnInstructionForOtherDimensions) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  read_box_of_other_rank<<<1, 1>>>(map_of(matrix.data(), 8));
  expect(cudaErrorIllegalInstruction, line_of_other_rank,
         "encoded for 2 dimensions, the instruction is for 3");
}

__global__ void reduce_box(const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(128) unsigned char box[box_bytes];
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.inc.tile.bulk_group [%0, {%1, %1}], [%2];" ::"l"(
          &map),
      "r"(0), "r"(address_of(box))
      : "memory");
}
constexpr int line_of_reduction = __LINE__ - 5;

TEST_F(TensorMistakes, AReductionThatTheTypeDoesNotHave) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  reduce_box<<<1, 1>>>(map_of(matrix.data(), 8));
  expect(cudaErrorIllegalInstruction, line_of_reduction, "no such reduction");
}

__global__ void store_box(const __grid_constant__ CUtensorMap map, int col, int row) {
  __shared__ __align__(128) unsigned char box[box_bytes];
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
               "r"(col), "r"(row), "r"(address_of(box))
               : "memory");
}
constexpr int line_of_store = __LINE__ - 4;

TEST_F(TensorMistakes, AStoredBoxThatBeginsWithin16Bytes) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  store_box<<<1, 1>>>(map_of(matrix.data(), 8), 5, 0);
  expect(cudaErrorIllegalInstruction, line_of_store,
         "the box begins at 5 in the innermost dimension, which is 20 bytes");
}

TEST_F(TensorMistakes, AStoredBoxThatBeginsBeforeTheTensor) {
  DeviceArray<int> matrix(64 * 8);
  listen();
  store_box<<<1, 1>>>(map_of(matrix.data(), 8), 0, -3);
  expect(cudaErrorIllegalInstruction, line_of_store,
         "the box begins at -3 in dimension 1, before the tensor");
}

// --- The encoder ---

namespace {

/// Arguments of the encoder that are right.
struct Arguments {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  cuuint32_t rank = 2;
  std::uintptr_t address = 1 << 20;
  cuuint64_t extent[5] = {100, 100, 1, 1, 1}, stride[4] = {208, 20800, 20800, 20800};
  cuuint32_t box[5] = {64, 8, 1, 1, 1}, element_stride[5] = {1, 1, 1, 1, 1};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  CUresult encode() const {
    CUtensorMap map;
    return cuTensorMapEncodeTiled(&map, type, rank, reinterpret_cast<void*>(address), extent, stride, box,
                                  element_stride, interleave, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  }
};

/// Expects that what `change` does to right arguments breaks a rule, and what is said.
template <class Change>
void expect_refusal(Change change, const std::string& words, CUresult result = CUDA_ERROR_INVALID_VALUE) {
  Arguments arguments;
  change(arguments);
  testing::internal::CaptureStderr();
  EXPECT_EQ(arguments.encode(), result) << words;
  const std::string report = testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("cuTensorMapEncodeTiled: "), std::string::npos) << words;
  EXPECT_NE(report.find(words), std::string::npos) << report;
}

}  // namespace

TEST(TensorMapEncoder, TakesWhatFollowsTheRules) { EXPECT_EQ(Arguments{}.encode(), CUDA_SUCCESS); }

TEST(TensorMapEncoder, SaysWhichRuleIsBroken) {
  expect_refusal([](Arguments& a) { a.rank = 0; }, "the rank is 0");
  expect_refusal([](Arguments& a) { a.rank = 6; }, "the rank is 6");
  expect_refusal([](Arguments& a) { a.address += 8; }, "not a multiple of 16");
  expect_refusal([](Arguments& a) { a.extent[1] = 0; }, "globalDim[1] is 0");
  expect_refusal([](Arguments& a) { a.extent[0] = (1ull << 32) + 1; }, "globalDim[0] is 4294967297");
  expect_refusal([](Arguments& a) { a.stride[0] = 200; }, "globalStrides[0] is 200 bytes");
  expect_refusal([](Arguments& a) { a.stride[0] = 1ull << 40; }, "globalStrides[0] is 1099511627776 bytes");
  expect_refusal([](Arguments& a) { a.box[1] = 257; }, "boxDim[1] is 257");
  expect_refusal([](Arguments& a) { a.box[0] = 0; }, "boxDim[0] is 0");
  expect_refusal([](Arguments& a) { a.box[0] = 60; }, "120 bytes; the bytes must be a multiple of 16");
  expect_refusal([](Arguments& a) { a.box[0] = 72; }, "a swizzle of 128 bytes takes no longer lines");
  expect_refusal([](Arguments& a) { a.element_stride[1] = 9; }, "elementStrides[1] is 9");
  expect_refusal([](Arguments& a) { a.type = static_cast<CUtensorMapDataType>(99); },
                 "99 is not a data type");
  expect_refusal(
      [](Arguments& a) {
        a.type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
        a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
      },
      "only tensors of floating-point numbers");
  expect_refusal([](Arguments& a) { a.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; }, "no interleaved tensors",
                 CUDA_ERROR_NOT_SUPPORTED);
}

TEST(TensorMapEncoder, TheRuntimeFindsItAndNothingThatIsNotOffered) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  EXPECT_EQ(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found),
            cudaSuccess);
  EXPECT_EQ(found, cudaDriverEntryPointSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&cuTensorMapEncodeTiled));
  EXPECT_EQ(
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 11000, cudaEnableDefault, &found),
      cudaSuccess);
  EXPECT_EQ(found, cudaDriverEntryPointVersionNotSufficent);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuModuleLoad", &function, cudaEnableDefault, &found), cudaSuccess);
  EXPECT_EQ(found, cudaDriverEntryPointSymbolNotFound);
  EXPECT_EQ(function, nullptr);
}

// --- wgmma ---

struct WgmmaMistake {
  bool fences = true, commits = true, waits = true, some_return = false, descriptors_differ = false,
       generic_pointer = false;
  unsigned leading = 128;
};

constexpr int line_of_product = __LINE__ + 2;
__device__ void multiply(float (&d)[4], std::uint64_t a, std::uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(b));
}

__global__ void product(WgmmaMistake mistake, float* out) {
  __shared__ __align__(128) unsigned char tile[2048];
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) tile[i] = 0;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (mistake.some_return && threadIdx.x >= 96) return;
  // Groups of 8 lines are 128 bytes apart, the other half of k 1024 bytes for A.
  const std::uint64_t base = (address_of(tile) & 0x3ffff) >> 4 | std::uint64_t{128 >> 4} << 32;
  std::uint64_t a = base | std::uint64_t{1024 >> 4} << 16;
  if (mistake.generic_pointer) {  // beyond what 1 KiB of dynamic memory can be taken for
    extern __shared__ __align__(1024) unsigned char dynamic[];
    a = (reinterpret_cast<std::uint64_t>(dynamic) & 0x3ffff) >> 4 | std::uint64_t{1024 >> 4} << 16;
  }
  std::uint64_t b = base | std::uint64_t{mistake.leading >> 4} << 16;
  if (mistake.descriptors_differ && threadIdx.x == 77) b += 1;
  float d[4] = {};
  if (mistake.fences) asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  multiply(d, a, b);
  if (mistake.commits) asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  if (mistake.waits) asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  if (out != nullptr) out[threadIdx.x] = d[0] + d[3];
}

TEST_F(TensorMistakes, AProductThatIsRightIsNotReported) {
  DeviceArray<float> out(128);
  product<<<1, 128>>>({}, out.data());
  EXPECT_EQ(out.host(), std::vector<float>(128));
}

TEST_F(TensorMistakes, AWarpgroupThatLacksAWarp) {
  listen();
  product<<<1, 96>>>({}, nullptr);
  expect(cudaErrorIllegalInstruction, line_of_product,
         "warps 0 to 3 are not all there in a block of 96 threads");
}

TEST_F(TensorMistakes, AWarpThatReturnsBeforeTheProduct) {
  listen();
  product<<<1, 128>>>({.some_return = true}, nullptr);
  expect(cudaErrorIllegalInstruction, line_of_product,
         "threads of warp 3, in the same warpgroup, have returned");
}

TEST_F(TensorMistakes, AProductWithoutAFenceBefore) {
  listen();
  product<<<1, 128>>>({.fences = false}, nullptr);
  expect(cudaErrorIllegalInstruction, line_of_product, "there is no wgmma.fence.sync.aligned before");
}

TEST_F(TensorMistakes, AProductThatIsNotCommitted) {
  listen();
  product<<<1, 128>>>({.commits = false}, nullptr);
  expect(cudaErrorIllegalInstruction, line_of_product, "wgmma.commit_group.sync.aligned");
}

TEST_F(TensorMistakes, AProductThatNobodyWaitsFor) {
  listen();
  product<<<1, 128>>>({.waits = false}, nullptr);
  expect(cudaErrorIllegalInstruction, line_of_product, "may still be running");
}

TEST_F(TensorMistakes, ADescriptorOfAGenericPointer) {
  listen();
  product<<<1, 128, 16>>>({.generic_pointer = true}, nullptr);
  expect(static_cast<cudaError_t>(717), line_of_product, "the low bits of a generic pointer");
}

TEST_F(TensorMistakes, DescriptorsThatAreNotTheSame) {
  listen();
  product<<<1, 128>>>({.descriptors_differ = true}, nullptr);
  expect(cudaErrorIllegalInstruction, line_of_product, "give different descriptors");
}

TEST_F(TensorMistakes, ADescriptorThatLeadsOutOfSharedMemory) {
  listen();
  product<<<1, 128>>>({.leading = 4096}, nullptr);
  expect(static_cast<cudaError_t>(717), line_of_product,
         "the descriptor of B leads outside the block's shared memory");
}

__global__ void different_products(std::uint64_t a) {
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if (threadIdx.x < 64) {
    multiply(d, a, a);
  } else {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(a));
  }
}

TEST_F(TensorMistakes, WarpsOfOneWarpgroupAtDifferentProducts) {
  listen();
  different_products<<<1, 128>>>(0);
  expect(cudaErrorIllegalInstruction, line_of_product, "all 128 must execute the same wgmma");
}

__global__ void too_few_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 20;"); }
constexpr int line_of_registers = __LINE__ - 1;

TEST_F(TensorMistakes, ANumberOfRegistersThatIsNotAllowed) {
  listen();
  too_few_registers<<<1, 128>>>();
  expect(cudaErrorIllegalInstruction, line_of_registers, "20 registers");
}
