// fuzz_NAME [--mutants N] [--seed S] FILE|FOLDER...: hands each file to the target, and N changed copies in
// all, as many of each file, at least one. They follow from S: without it from WARPLAB_FUZZ_SEED in the
// environment, or else from the day.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "common/io/file_content.hpp"
#include "tests/common/today.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace warplab::fuzz {

namespace fs = std::filesystem;

InputFile::InputFile(std::string_view content) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  if (write(descriptor_, content.data(), content.size()) != static_cast<ssize_t>(content.size()))
    throw std::system_error(errno, std::generic_category(), "write");
}
InputFile::~InputFile() { close(descriptor_); }

namespace {

/// @return whether the reader took it
bool answered(std::string_view input) {
  try {
    take(input);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

/// A few changes of the kinds that find most: bits, bytes, limits of numbers, pieces cut or doubled.
std::string changed(std::string text, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return n ? static_cast<std::size_t>(random() % n) : 0; };
  static constexpr const char* limits[] = {"-1", "0", "65536", "4294967296", "9223372036854775808", "1e999"};
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = below(text.size()), length = std::min(1 + below(32), text.size() - at);
    switch (text.empty() ? 5 : below(7)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text[at] = static_cast<char>(random());
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text.insert(at, limits[below(std::size(limits))]);
        break;
      default:
        for (std::size_t i = at; i < at + std::min<std::size_t>(length, 8); ++i)
          text[i] = static_cast<char>(random() % 2 ? 0xff : 0);
    }
  }
  return text;
}

std::vector<fs::path> files_of(const std::vector<fs::path>& places) {
  std::vector<fs::path> files;
  for (const fs::path& place : places) {
    if (!fs::is_directory(place)) files.push_back(place);
    if (fs::is_directory(place))
      for (const auto& entry : fs::recursive_directory_iterator(place))
        if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

int replay(const std::vector<fs::path>& files, long mutants, std::uint64_t seed) {
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  std::size_t tried = 0, taken = 0;
  const auto count = static_cast<long>(std::max<std::size_t>(files.size(), 1));
  const long each = (mutants + count - 1) / count;
  for (const fs::path& file : files) {
    const std::string content = file_content(file);
    const std::uint64_t number = static_cast<std::uint64_t>(&file - files.data());
    taken += answered(content);
    ++tried;
    for (long i = 0; i < each; ++i) {
      std::seed_seq numbers{seed, seed >> 32, number, static_cast<std::uint64_t>(i)};
      std::mt19937_64 random(numbers);
      const std::string text = changed(content, random);
      // Kept until it is answered: if this process dies of it, here is what it died of.
      if (const char* const keep = std::getenv("WARPLAB_FUZZ_KEEP")) {
        std::FILE* const out = std::fopen(keep, "wb");
        if (out) std::fwrite(text.data(), 1, text.size(), out);
        if (out) std::fclose(out);
      }
      taken += answered(text);
      ++tried;
    }
  }
  std::printf("%zu inputs answered, of which %zu were taken\n", tried, taken);
  return tried > 0 && taken > 0 ? 0 : 1;
}

}  // namespace
}  // namespace warplab::fuzz

#ifdef __AFL_FUZZ_TESTCASE_LEN
__AFL_FUZZ_INIT();

/// Without a file to read: answers what afl-fuzz puts into memory that it shares, many inputs per process.
int serve_afl_fuzz() {
  const unsigned char* const input = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(1000))
    warplab::fuzz::answered(
        {reinterpret_cast<const char*>(input), static_cast<std::size_t>(__AFL_FUZZ_TESTCASE_LEN)});
  return 0;
}
#endif

int main(int argc, char** argv) {
  using namespace warplab::fuzz;
#ifdef __AFL_FUZZ_TESTCASE_LEN
  if (argc == 1) return serve_afl_fuzz();
#endif
  long mutants = 0;
  std::uint64_t seed = warplab::todays_seed("WARPLAB_FUZZ_SEED");
  std::vector<fs::path> places;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--mutants") == 0 && i + 1 < argc)
      mutants = std::atol(argv[++i]);
    else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
      seed = std::strtoull(argv[++i], nullptr, 10);
    else
      places.emplace_back(argv[i]);
  return replay(files_of(places), mutants, seed);
}
