// 32 threads of one warp take turns with a lock. Does this program end?
//
// Before Volta a warp had one program counter. Where the 31 lanes without the lock ran first, they tried for
// ever, and the lane that would open the lock never had its turn. Since Volta each lane has its own program
// counter, and the program ends.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void take_turns(int* counter) {
  __shared__ int semaphore;
  if (threadIdx.x == 0) semaphore = 0;
  __syncthreads();  // waits for the lock to be open
  while (true) {
    if (atomicCAS(&semaphore, 0, 1) == 0) {
      *counter += 1;  // the critical section
      __threadfence_block();
      semaphore = 0;  // a plain store: the next thread's atomicCAS races with it
      break;
    }
  }
}

int main() {
  int *counter, host = 0;
  cudaMalloc(&counter, sizeof host);
  cudaMemset(counter, 0, sizeof host);
  take_turns<<<1, 32>>>(counter);
  const cudaError_t error = cudaMemcpy(&host, counter, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s: %d of 32 threads had their turn\n", cudaGetErrorString(error), host);
  cudaFree(counter);
}
