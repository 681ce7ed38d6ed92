#pragma once

#include <cudnn.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "peer_device.hpp"

// cuDNN's convolutions: how they are described, and which is the fastest.

inline void check(cudnnStatus_t status, const char* call) {
  if (status != CUDNN_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed: " + cudnnGetErrorString(status));
}
#define CUDNN_CHECK(call) check(call, #call)

/// cuDNN's descriptions of a convolution without padding: (batch, 1, height, width)
/// by (filters, 1, side, side).
struct CudnnLayer {
  cudnnTensorDescriptor_t in, out;
  cudnnFilterDescriptor_t weights;
  cudnnConvolutionDescriptor_t operation;

  CudnnLayer(cudnnTensorFormat_t layout, int batch, int height, int width, int filters, int side) {
    CUDNN_CHECK(cudnnCreateTensorDescriptor(&in));
    CUDNN_CHECK(cudnnCreateTensorDescriptor(&out));
    CUDNN_CHECK(cudnnCreateFilterDescriptor(&weights));
    CUDNN_CHECK(cudnnCreateConvolutionDescriptor(&operation));
    CUDNN_CHECK(cudnnSetTensor4dDescriptor(in, layout, CUDNN_DATA_HALF, batch, 1, height + side - 1,
                                           width + side - 1));
    CUDNN_CHECK(cudnnSetTensor4dDescriptor(out, layout, CUDNN_DATA_HALF, batch, filters, height, width));
    CUDNN_CHECK(cudnnSetFilter4dDescriptor(weights, CUDNN_DATA_HALF, layout, filters, 1, side, side));
    CUDNN_CHECK(cudnnSetConvolution2dDescriptor(operation, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                                CUDNN_DATA_FLOAT));
  }
  CudnnLayer(const CudnnLayer&) = delete;
  CudnnLayer& operator=(const CudnnLayer&) = delete;
  ~CudnnLayer() {
    cudnnDestroyConvolutionDescriptor(operation);
    cudnnDestroyFilterDescriptor(weights);
    cudnnDestroyTensorDescriptor(out);
    cudnnDestroyTensorDescriptor(in);
  }
  /// Bytes of workspace, or the largest number where the algorithm does not take this shape.
  std::size_t workspace(cudnnHandle_t handle, cudnnConvolutionFwdAlgo_t of, cudnnMathType_t math) const {
    std::size_t bytes = 0;
    CUDNN_CHECK(cudnnSetConvolutionMathType(operation, math));
    const bool taken = cudnnGetConvolutionForwardWorkspaceSize(handle, in, weights, operation, out, of,
                                                               &bytes) == CUDNN_STATUS_SUCCESS;
    return taken ? bytes : ~std::size_t{0};
  }
};

/// One of the ways in which cuDNN can convolve.
struct CudnnChoice {
  cudnnTensorFormat_t layout;
  cudnnConvolutionFwdAlgo_t algorithm;
  cudnnMathType_t math;
};

/// Bytes that an algorithm may have for itself: half of what is free, 4 GB at most.
inline std::size_t max_cudnn_workspace() {
  std::size_t free = 0, total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return std::min(free / 2, std::size_t{4} << 30);
}

/// The fastest layout and algorithm, tried on a part of the image: on all of it some would take many seconds.
inline CudnnChoice choose_cudnn(cudnnHandle_t handle, int batch, int height, int width, int filters, int side,
                                void* in, const void* weights, void* out, PeerMemory& memory) {
  CudnnChoice best{CUDNN_TENSOR_NCHW, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, CUDNN_TENSOR_OP_MATH};
  float best_ms = 1e30f;
  const std::size_t most = max_cudnn_workspace();
  const int max_pixels = side <= 31 ? 1024 : 512;  // across and down
  for (const cudnnTensorFormat_t layout : {CUDNN_TENSOR_NCHW, CUDNN_TENSOR_NHWC}) {
    const CudnnLayer part(layout, batch, std::min(height, max_pixels), std::min(width, max_pixels), filters,
                          side);
    CUDNN_CHECK(cudnnSetConvolutionMathType(part.operation, CUDNN_TENSOR_OP_MATH));
    const CudnnLayer whole(layout, batch, height, width, filters, side);
    std::array<cudnnConvolutionFwdAlgoPerf_t, CUDNN_CONVOLUTION_FWD_ALGO_COUNT> tried;
    int count = 0;
    if (cudnnFindConvolutionForwardAlgorithmEx(handle, part.in, in, part.weights, weights, part.operation,
                                               part.out, out, static_cast<int>(tried.size()), &count,
                                               tried.data(), memory.get(most), most) != CUDNN_STATUS_SUCCESS)
      continue;
    for (int i = 0; i < count; ++i)
      if (tried[i].status == CUDNN_STATUS_SUCCESS && tried[i].time > 0 && tried[i].time < best_ms &&
          whole.workspace(handle, tried[i].algo, tried[i].mathType) <= most)
        best = {layout, tried[i].algo, tried[i].mathType}, best_ms = tried[i].time;
  }
  return best;
}
