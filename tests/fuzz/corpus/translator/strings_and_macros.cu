# 1 "s.cu"
const char* s = R"x(<<<)x" "\"__global__"; struct [[nodiscard]] A { int operator<(A) const; };
__device__ __managed__ int m;
__global__ void k() { [&](auto... v) { (m += ... += v); }(1, 2); }
