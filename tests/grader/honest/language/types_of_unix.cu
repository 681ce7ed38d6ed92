// Types such as uint and ushort.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const uint t = threadIdx.x;
  const ushort u = static_cast<ushort>(t);
  const size_t j = size_t(blockIdx.x) * blockDim.x + t;
  if (j < (size_t)n && u == (t & 0xffff)) c[j] = a[j] + b[j];
