// Launches on a stream that does not wait for others and that nobody waits for.
//! attacks vector_add/one_per_thread by threads that finish later
//! must be refused, judged, failed saying cudaStreamCreate|stream|it uses
#include "vector_add.hpp"

//! paste vector_add_kernel

template <class T>
void vector_add_one_per_thread(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid,
                               dim3 block, cudaStream_t stream) {
  if (n == 0) return;
  static cudaStream_t own = nullptr;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  const dim3 needed(static_cast<unsigned>((n + block.x - 1) / block.x));
  vector_add_one_per_thread_kernel<<<grid.value_or(needed), block, 0, own>>>(a, b, c, n);
  (void)stream;
}

//! paste vector_add_instances
