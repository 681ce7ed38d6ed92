// A variable in constant memory, which is filled by its address.
// clang-format off
//! solves conv1d/constant
//! of
  CUDA_CHECK(cudaMemcpyToSymbolAsync(conv1d_constant_filter, filter, m * sizeof(T), 0,
                                     cudaMemcpyDeviceToDevice, stream));
//! becomes
  void* place = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(&place, conv1d_constant_filter));
  CUDA_CHECK(cudaMemcpyAsync(place, filter, m * sizeof(T), cudaMemcpyDeviceToDevice, stream));
