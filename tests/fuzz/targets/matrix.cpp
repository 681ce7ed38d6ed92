#include "common/io/csv.hpp"
#include "common/io/filter_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"

// Both are tables of numbers, read differently.
void warplab::fuzz::take(std::string_view input) {
  const InputFile file(input);
  try {
    read_filter(file.path(), FilterLimits{31, 1 << 20, "a file"});
  } catch (const std::runtime_error&) {
  }
  for (const DType dtype : {DType::u8, DType::i32, DType::f32}) read_csv(file.path(), dtype);
}
