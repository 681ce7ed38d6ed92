// What clangd reads before a .cu (.clangd): CUDA's words as clang spells them, and the emulator's headers for
// everything else. No compiler reads this.
#pragma once

#define __device__ __attribute__((device))
#include <new>  // of clang's own, which gives the device functions of its own
#undef __device__

// Before the emulator's headers include them, whose functions a kernel may call.
#include <atomic>
#include <bit>
#include <cassert>
#include <cfenv>
#include <cmath>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define __constinit constinit  // g++ has this word in C++17, too

#pragma clang force_cuda_host_device begin
#include "cooperative_groups.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_pipeline.h"
#include "cuda_runtime.h"
#include "mma.h"
#pragma clang force_cuda_host_device end

#undef __host__
#undef __device__
#define __host__ __attribute__((host))
#define __device__ __attribute__((host)) __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__  // clang takes no alignas after the attribute
#define __constant__
#define __managed__
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

// Beside the C library's, which are the host's.
__attribute__((device)) float sqrtf(float);
__attribute__((device)) float expf(float);
__attribute__((device)) float logf(float);
__attribute__((device)) float sinf(float);
__attribute__((device)) float cosf(float);
__attribute__((device)) float fabsf(float);
__attribute__((device)) float floorf(float);
__attribute__((device)) float ceilf(float);
__attribute__((device)) float fmaxf(float, float);
__attribute__((device)) float fminf(float, float);

extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared = 0,
                                     cudaStream_t stream = nullptr);
