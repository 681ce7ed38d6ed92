// The reductions of a warp in one instruction.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const unsigned lane = threadIdx.x % 32, all = __activemask();
  const unsigned sum = __reduce_add_sync(all, 1u), least = __reduce_min_sync(all, lane), most =
      __reduce_max_sync(all, lane);
  const unsigned both = __reduce_and_sync(all, 1u), any = __reduce_or_sync(all, lane), odd =
      __reduce_xor_sync(all, 0u);
  if (i < n && sum == most - least + 1 && both == 1 && any < 32 && odd == 0) c[i] = a[i] + b[i];
