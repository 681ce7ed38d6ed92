#pragma once

#include "warplab_emulator/user_macros_aside.inc"

#define CURAND_H_  // programs ask by it whether the header is included

// The host side of cuRAND: generators of the kinds XORWOW and Philox4x32-10, whose numbers are those of
// cuRAND 10 bit by bit, normal numbers up to the last bits of the C library's functions. They fill device
// memory in the generator's stream, or host memory at once where curandCreateGeneratorHost made them.

#include <cstddef>

#include "cuda_runtime_api.h"

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)

enum curandStatus : int {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999,
};
using curandStatus_t = curandStatus;

enum curandRngType : int {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,  ///< XORWOW
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204,
};
using curandRngType_t = curandRngType;

enum curandOrdering : int {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201,
};
using curandOrdering_t = curandOrdering;

using curandGenerator_t = struct curandGenerator_st*;

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int* version);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
/// The position in the sequence of 32-bit numbers where the generator goes on.
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);

// Each writes `count` numbers. Uniform ones lie in (0, 1]. Normal ones of XORWOW come in pairs: an odd count
// is refused.
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, std::size_t count);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, std::size_t count);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, std::size_t count);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, std::size_t count,
                                    float mean, float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, std::size_t count,
                                          double mean, double deviation);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, std::size_t count,
                                       float mean, float deviation);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, std::size_t count,
                                             double mean, double deviation);

#include "warplab_emulator/user_macros_back.inc"
