// std::cout and std::cerr that were left in the launcher.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <iostream>
#include <iomanip>
#include <string>
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  std::cout << "blocks: " << blocks.x << ' ' << std::setw(4) << 1.5 << std::endl;
  std::cerr << std::string("n is ") << n << "\n";
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
