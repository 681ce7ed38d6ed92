// Filters in text files: what is read, and the sentence for each file that is refused.
#include <gtest/gtest.h>

#include <filesystem>

#include "common/host/bad_input.hpp"
#include "common/io/filter_file.hpp"
#include "scratch_folder.hpp"

namespace warplab {
namespace {

FilterFile read(const std::filesystem::path& file) {
  return read_filter(file.string(), {127, 1000000, "mean, sharpen and a file of numbers"});
}

/// The sentence that a filter's file is refused with; "" if it is accepted.
std::string refusal(const std::filesystem::path& file) {
  try {
    read(file);
    return "";
  } catch (const BadInput& error) {
    const std::string text = error.what(), start = "--filter " + file.string() + " ";
    EXPECT_EQ(text.rfind(start, 0), 0u) << text;
    return text.substr(std::min(text.size(), start.size()));
  }
}

TEST(FilterFile, ReadsNumbersSeparatedByBlanksOrCommas) {
  const ScratchFolder folder;
  const FilterFile filter = read(folder.write("f", "1, -2.5\t+3e0\r\n\n  4 5 6\n7,8,.5"));
  EXPECT_EQ(filter.side, 3);
  EXPECT_EQ(filter.coefficients, (std::vector<double>{1, -2.5, 3, 4, 5, 6, 7, 8, 0.5}));
  EXPECT_EQ(read(folder.write("one", "2")).side, 1);
  std::string row = "1";
  for (int i = 1; i < 127; ++i) row += " 1";
  std::string largest;
  for (int i = 0; i < 127; ++i) largest += row + "\n";
  EXPECT_EQ(read(folder.write("largest", largest)).side, 127);
}

TEST(FilterFile, RefusesWhatIsNoOddSquareOfNumbers) {
  const ScratchFolder folder;
  std::string too_wide;
  for (int i = 0; i < 129; ++i) {
    for (int j = 0; j < 129; ++j) too_wide += "1 ";
    too_wide += "\n";
  }
  const std::pair<std::string, std::string> cases[] = {
      {"", "holds no numbers"},
      {" \n\n", "holds no numbers"},
      {"1 2\n3 4", "holds 2x2 numbers; a filter's side is odd, so that it has a centre"},
      {"1 2 3", "holds 1x3 numbers; a filter has as many rows as columns"},
      {"1 2 3\n4 5\n6 7 8", "has 2 numbers in row 2 and 3 in the rows before"},
      {"1 2 3\n4 x 6\n7 8 9", "has 'x' in row 2, which is not a number"},
      {"1 2 3\n4 5 6\n7 8 9z", "has '9z' in row 3, which is not a number"},
      {"+", "has '+' in row 1, which is not a number"},
      {"+-1", "has '+-1' in row 1, which is not a number"},
      {"nan", "has 'nan' in row 1, which is not finite"},
      {"-inf", "has '-inf' in row 1, which is not finite"},
      {"1e999", "has '1e999' in row 1, which is out of range"},
      {"2000000", "has '2000000' in row 1; coefficients may be -1000000 to 1000000"},
      {std::string("1\0", 2), "has '1?' in row 1, which is not a number"},
      {too_wide, "holds 129x129 numbers; the largest filter is 127x127"},
      {std::string(127 * 127 * 64 + 1, ' '), "is larger than 1032256 bytes: that is not a filter"},
  };
  for (const auto& [content, why] : cases) EXPECT_EQ(refusal(folder.write("filter.txt", content)), why);
}

TEST(FilterFile, RefusesWhatCannotBeRead) {
  const ScratchFolder folder;
  const std::string accepted = "; accepted are mean, sharpen and a file of numbers";
  EXPECT_EQ(refusal(folder / "missing.txt"), "cannot be read: No such file or directory" + accepted);
  EXPECT_EQ(refusal(folder.path()), "cannot be read: Is a directory" + accepted);
}

}  // namespace
}  // namespace warplab
