// Local variables with names that the emulator has for other things.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const int current_block = static_cast<int>(blockIdx.x), dynamic_shared = 0, static_shared = 0,
      lens_of_warp = 1;
  const int emulator = 0, current_indices = 0, init_barrier = 0, device_fault = 0, place_shared = 0,
      exchange = 0;
  const int lane = threadIdx.x % 32, yield = 0, block_barrier = 0, in_kernel = 0, Launch = 0, Site = 0,
      warplab_ = 0;
  const std::int64_t own = current_block * std::int64_t{blockDim.x} + threadIdx.x + dynamic_shared +
      static_shared +
                           emulator + current_indices + init_barrier + device_fault + place_shared +
                               exchange + yield +
                           block_barrier + in_kernel + Launch + Site + warplab_;
  if (own < n && lens_of_warp && lane >= 0) c[i] = a[i] + b[i];
