// A whole program whose size is an argument, and which resets the device at its end.
// clang-format off
//! solves first_program/saxpy
//! of
#include "first_program.hpp"
//! becomes
#include <cstdlib>
#include <vector>

#include "first_program.hpp"
//! of
int main() {
  const float x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {100, 100, 100, 100, 200, 200, 200, 200};
  float out[8] = {};
  const cudaError_t error = first_program_saxpy(2.0f, x, y, out, 8);
  std::printf("saxpy: %s\n", cudaGetErrorString(error));
  for (const float value : out) std::printf("%g ", value);
  std::printf("\n");
}
//! becomes
int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 8;
  const float a = argc > 2 ? static_cast<float>(std::strtod(argv[2], nullptr)) : 2.0f;
  std::vector<float> x(n, 1.0f), y(n, 2.0f), out(n);
  const cudaError_t error = first_program_saxpy(a, x.data(), y.data(), out.data(), n);
  std::printf("%s %g\n", cudaGetErrorString(error), out[0]);
  cudaDeviceReset();
  return error != cudaSuccess;
}
