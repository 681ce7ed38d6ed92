// Lists and texts of the host.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <string>
#include <vector>
#include <numeric>
#include <sstream>
#include <map>
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  std::vector<std::int64_t> sizes(4, n);
  sizes.push_back(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
  std::string text = "n is " + std::to_string(n);
  if (text.size() > sizes.size() * 100) return;
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
