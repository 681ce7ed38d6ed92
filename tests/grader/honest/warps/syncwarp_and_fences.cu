// Fences and barriers where nothing needs them.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  __syncwarp();
  __threadfence_block();
  __threadfence();
  __syncthreads();
  const int many = __syncthreads_count(1);
  const int any = __syncthreads_or(1), all = __syncthreads_and(1);
  if (i < n && many > 0 && any && all) c[i] = a[i] + b[i];
