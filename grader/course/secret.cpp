#include "grader/course/secret.hpp"

#include <sys/random.h>

#include <array>
#include <fstream>
#include <random>
#include <stdexcept>
#include <vector>

#include "common/host/bad_input.hpp"

namespace warplab {
namespace {

bool is_seed(const std::string& digits) {
  return digits.size() == 32 && digits.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Secret Secret::fresh() {
  std::array<unsigned char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the system gave no random numbers");
  std::string digits;
  for (const unsigned char byte : bytes) {
    digits += "0123456789abcdef"[byte / 16];
    digits += "0123456789abcdef"[byte % 16];
  }
  return Secret(digits);
}

Secret Secret::in_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string digits, more;
  if (!(in >> digits)) throw BadInput("cannot read a seed from " + file.string());
  if (in >> more || !is_seed(digits))
    throw BadInput(file.string() + " does not hold a seed: 32 hexadecimal digits (0 to 9, a to f)");
  return Secret(digits);
}

Secret::Secret(std::string digits) : digits_(std::move(digits)) {
  if (!is_seed(digits_))
    throw BadInput("the seed '" + digits_ + "' is not 32 hexadecimal digits (0 to 9, a to f)");
}

std::uint64_t Secret::number(std::string_view purpose) const {
  std::vector<std::uint32_t> words;
  for (const std::string_view text : {std::string_view(digits_), purpose})
    for (const char c : text) words.push_back(static_cast<unsigned char>(c));
  std::seed_seq sequence(words.begin(), words.end());
  return std::mt19937_64(sequence)();
}

}  // namespace warplab
