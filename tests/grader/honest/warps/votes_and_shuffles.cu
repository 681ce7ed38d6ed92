// Votes and shuffles of all kinds.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const unsigned all = __activemask(), lane = threadIdx.x & 31;
  const bool some = __any_sync(all, i < n), every = __all_sync(all, true);
  const unsigned ballot = __ballot_sync(all, i < n);
  const int first = __shfl_sync(all, int(threadIdx.x), __ffs(all) - 1), swapped = __shfl_xor_sync(all, 1,
      0), up = __shfl_up_sync(all, 1, 0), down = __shfl_down_sync(all, 1, 0);
  if (some && every && (ballot >> lane & 1) && first >= 0 && swapped + up + down == 3) c[i] = a[i] + b[i];
