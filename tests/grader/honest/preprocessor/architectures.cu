// Code that asks for the architecture.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
#ifndef __CUDACC_VER_MAJOR__
#error "the version is missing"
#endif
#if CUDART_VERSION < 11000
#error "an old toolkit"
#endif
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 300
  if (i < n) c[i] = a[i] + b[i];
  #else
  #error "an old architecture"
  #endif
