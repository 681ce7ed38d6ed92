// An index of 64 bits by two words of 32, whose carry goes from one asm to the next.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  unsigned low, high;
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;"
               : "=r"(low)
               : "r"(blockIdx.x), "r"(blockDim.x), "r"(threadIdx.x));
  asm volatile("madc.hi.u32 %0, %1, %2, 0;" : "=r"(high) : "r"(blockIdx.x), "r"(blockDim.x));
  const std::int64_t i = static_cast<std::int64_t>(static_cast<unsigned long long>(high) << 32 | low);
  if (i < n) c[i] = a[i] + b[i];
