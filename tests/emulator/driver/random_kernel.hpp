#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace warplab::test {

/// Writes kernels of random statements that are right: without races, and with barriers and warp functions
/// where all threads come to them. What a thread computes depends on nothing but its number and arguments.
class RandomKernel {
 public:
  /// Another kernel for each number.
  explicit RandomKernel(std::uint64_t seed) : random_(seed) {}

  /// `__global__ void NAME(unsigned* out, unsigned n, unsigned m)`, for blocks of 64 threads.
  std::string text(const std::string& name);

  /// Device functions and types that the kernels use.
  static std::string declarations();

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  std::string one_of(const std::vector<std::string>& words) { return words[below(words.size())]; }
  std::string variable() { return one_of(variables_); }
  /// Of a value that may be another one in each thread; or that is the same in all threads of a block.
  std::string value(int depth = 0);
  std::string same_value(int depth = 0);
  void put(const std::string& line) { text_ += std::string(2 * indent_, ' ') + line + "\n"; }
  void declare(bool same);
  void statement();
  void change();
  void change_by_reference();
  void branch_of_threads();
  void exchange();
  void exchange_of_block();
  void branch_of_block();
  /// Statements in braces, whose variables end with them.
  void block();

  std::mt19937_64 random_;
  std::string text_;
  std::vector<std::string> variables_;
  std::size_t indent_ = 1, names_ = 0, loops_ = 0;
  /// What keeps a kernel, or most kernels, from being run by regions: some have it, most have not.
  bool has_lambdas_ = false, has_references_ = false, has_conditions_ = false, has_commas_ = false;
};

}  // namespace warplab::test
