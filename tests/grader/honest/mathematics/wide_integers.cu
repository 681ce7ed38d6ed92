// Integers of 128 bits.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const __int128 wide = static_cast<__int128>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned __int128 other = static_cast<unsigned __int128>(wide) * 3 / 3;
  if (i < n && wide % 7 < 7) c[static_cast<std::int64_t>(other)] = a[i] + b[i];
