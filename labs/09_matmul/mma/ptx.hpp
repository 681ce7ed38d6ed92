#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

// The PTX instructions that lab 09 feeds Tensor Cores with. Device code; compute capability 8.0 and later.
// Source: PTX ISA, "Warp-level matrix instructions" and "cp.async".

/// The address of shared memory as PTX takes it.
__device__ inline unsigned matmul_shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Starts to copy `bytes` bytes, at most 16, and fills the rest of 16 with zeros. @pre multiples of 16 bytes
__device__ inline void matmul_copy_async(unsigned to, const void* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
/// Starts to copy 16 bytes. @pre multiples of 16 bytes
__device__ inline void matmul_copy_async(unsigned to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
/// Ends a group of copies.
__device__ inline void matmul_copies_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most `groups` groups of this thread's copies are under way.
template <int groups>
__device__ inline void matmul_copies_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
}

/// Loads four matrices of 8x8 elements. Lane 8 i + r brings the address of row r of matrix i, and gets its
/// elements (lane / 4, 2 (lane % 4)) and the next.
__device__ inline void matmul_ldmatrix(unsigned (&words)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(row)
               : "memory");
}
/// The same with every matrix transposed.
__device__ inline void matmul_ldmatrix_transposed(unsigned (&words)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(row)
               : "memory");
}

/// sums (16, 8) += a (16, 16) b (16, 8), by all lanes of a warp. A lane's sums are of rows lane / 4 and the
/// eighth below, columns 2 (lane % 4) and the next.
template <class T>
__device__ void matmul_mma(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1);
template <>
__device__ inline void matmul_mma<__half>(float (&sums)[4], const unsigned (&a)[4], unsigned b0,
                                          unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
template <>
__device__ inline void matmul_mma<__nv_bfloat16>(float (&sums)[4], const unsigned (&a)[4], unsigned b0,
                                                 unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
