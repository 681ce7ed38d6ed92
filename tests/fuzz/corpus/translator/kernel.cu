# 1 "k.cu"
__constant__ float weights[4];
template <class T>
__global__ void __launch_bounds__(128) scale(T* x, int n) {
  __shared__ T tile[32][33];
  extern __shared__ char more[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 4; ++k) tile[k][threadIdx.x % 32] = x[i] * weights[k];
  __syncthreads();
  x[i] = tile[0][0] ? tile[1][1] : 0;
}
void launch(float* x, int n, cudaStream_t s) { scale<float><<<dim3(n / 128, 1), 128, 64, s>>>(x, n); }
