# 1 "p.cu"
__device__ int lane() { int r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__global__ void k(int* out) { asm("add.s32 %0, %1, %2;" : "=r"(*out) : "r"(lane()), "n"(3) : "memory"); }
int main() { k<<<1, 32>>>(nullptr); }
