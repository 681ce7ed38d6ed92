#include "common/io/npy.hpp"

#include "common/host/bad_input.hpp"
#include "common/host/random.hpp"
#include "scratch_folder.hpp"

namespace warplab {
namespace {

using namespace std::string_literals;
using ::testing::Test;

/// A version 1 file with this header and data.
std::string npy(const std::string& dictionary, const std::string& data) {
  const std::string header = dictionary + "\n";
  return "\x93NUMPY\x01\x00"s + static_cast<char>(header.size() & 0xFF) +
         static_cast<char>(header.size() >> 8) + header + data;
}

constexpr const char* two_ints = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
const std::string eight_bytes = "\x01\x00\x00\x00\xFE\xFF\xFF\xFF"s;

class Npy : public Test {
 protected:
  /// The complaint about a file with this content, without the file's name, which it must begin with.
  std::string complaint(const std::string& content) {
    const auto path = folder_.write("x.npy", content);
    const std::string text = message_of<BadInput>([&] { read_npy(path); });
    EXPECT_EQ(text.rfind(path.string() + ": ", 0), 0u) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text.substr(std::min(text.size(), path.string().size() + 2));
  }
  ScratchFolder folder_;
};

TEST_F(Npy, RoundTripsEveryTypeAndShape) {
  for (DType dtype : all_dtypes)
    for (const std::vector<std::int64_t>& shape :
         std::vector<std::vector<std::int64_t>>{{}, {0}, {1}, {7}, {3, 5}, {0, 4}, {2, 3, 4}}) {
      if (dtype == DType::bf16) continue;
      HostArray array(dtype, shape);
      fill_random(array, 3);
      write_npy(folder_ / "x.npy", array);
      const HostArray read = read_npy(folder_ / "x.npy");
      EXPECT_EQ(read.dtype(), dtype);
      EXPECT_EQ(read.shape(), shape);
      EXPECT_TRUE(
          std::equal(read.bytes().begin(), read.bytes().end(), array.bytes().begin(), array.bytes().end()));
    }
}

TEST_F(Npy, RefusesToWriteBfloat16) {
  try {
    write_npy(folder_ / "x.npy", HostArray(DType::bf16, {2}));
    FAIL();
  } catch (const BadInput& refused) {
    EXPECT_NE(std::string(refused.what()).find("NumPy has no bfloat16"), std::string::npos);
  }
}

TEST_F(Npy, WritesWhatNumPyWrites) {
  HostArray array(DType::i32, {2});
  array.as<int>()[0] = 1;
  array.as<int>()[1] = -2;
  write_npy(folder_ / "x.npy", array);
  const std::string dictionary = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
  const std::string padded = dictionary + std::string(118 - dictionary.size() - 1, ' ') + "\n";
  EXPECT_EQ(content_of(folder_ / "x.npy"), "\x93NUMPY\x01\x00\x76\x00"s + padded + eight_bytes);
}

TEST_F(Npy, ReadsVersion2) {
  const std::string header = std::string(two_ints) + "\n";
  folder_.write("x.npy", "\x93NUMPY\x02\x00"s + static_cast<char>(header.size()) + "\x00\x00\x00"s + header +
                             eight_bytes);
  EXPECT_EQ(read_npy(folder_ / "x.npy").as<int>()[1], -2);
}

TEST_F(Npy, TurnsFortranOrderIntoRows) {
  // [[1, 2, 3], [4, 5, 6]] stored by columns.
  folder_.write("x.npy",
                npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", "\x01\x04\x02\x05\x03\x06"));
  const HostArray array = read_npy(folder_ / "x.npy");
  EXPECT_EQ(array.shape(), (std::vector<std::int64_t>{2, 3}));
  const std::vector<std::uint8_t> rows(array.as<std::uint8_t>().begin(), array.as<std::uint8_t>().end());
  EXPECT_EQ(rows, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Npy, TurnsFortranOrderOfThreeDimensionsIntoRows) {
  std::string data;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) data += static_cast<char>(12 * i + 4 * j + k);
  folder_.write("x.npy", npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4)}", data));
  const HostArray array = read_npy(folder_ / "x.npy");
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(array.as<std::uint8_t>()[i], i);
}

TEST_F(Npy, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(message_of<BadInput>([&] { read_npy(folder_ / "none.npy"); }),
            (folder_ / "none.npy").string() + ": there is no such file");
  EXPECT_NE(complaint("").find("is not a .npy file"), std::string::npos);
  EXPECT_NE(complaint("PK\x03\x04 a zip file").find("is not a .npy file"), std::string::npos);
  EXPECT_EQ(complaint("\x93NUMPY\x01"), "is cut off within its header");
  EXPECT_EQ(complaint(npy(two_ints, eight_bytes).substr(0, 40)), "is cut off within its header");
  EXPECT_EQ(complaint("\x93NUMPY\x07\x00\x10\x00"s), "has .npy version 7; known are 1 to 3");
  EXPECT_NE(complaint("\x93NUMPY\x02\x00\xFF\xFF\xFF\x7F{"s).find("claims a header of 2147483647 bytes"),
            std::string::npos);
}

TEST_F(Npy, SaysWhatIsWrongWithTheAmountOfData) {
  EXPECT_EQ(complaint(npy(two_ints, eight_bytes.substr(1))),
            "is cut off: shape (2,) of int takes 8 bytes, and it holds 7");
  EXPECT_EQ(complaint(npy(two_ints, eight_bytes + "x")),
            "has trailing data: shape (2,) of int takes 8 bytes, and it holds 9");
  EXPECT_EQ(complaint(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}", "")),
            "is cut off: shape (1000000000000,) of double takes 8000000000000 bytes, and it holds 0");
  EXPECT_NE(complaint(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000, 4000000000)}", ""))
                .find("larger than any memory"),
            std::string::npos);
}

TEST_F(Npy, SaysWhatIsWrongWithTheHeader) {
  const auto of = [&](const std::string& dictionary) { return complaint(npy(dictionary, eight_bytes)); };
  EXPECT_NE(of("").find("not a Python dictionary"), std::string::npos);
  EXPECT_NE(of("{'descr': '<i4'").find("not a Python dictionary"), std::string::npos);
  EXPECT_NE(of("{'descr': '<i4', 'shape': (2,)}").find("lacks descr, fortran_order or shape"),
            std::string::npos);
  EXPECT_NE(of("{'descr': '<c16', 'fortran_order': False, 'shape': (2,)}").find("'<c16' is none of"),
            std::string::npos);
  EXPECT_NE(of("{'descr': '>i4', 'fortran_order': False, 'shape': (2,)}").find("big-endian"),
            std::string::npos);
  EXPECT_NE(of("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2,)}").find("structure"),
            std::string::npos);
  EXPECT_NE(of("{'descr': '<i4', 'fortran_order': 0, 'shape': (2,)}").find("neither True nor False"),
            std::string::npos);
  EXPECT_NE(of("{'descr': '<i4', 'fortran_order': False, 'shape': (-2,)}").find("not a tuple of sizes"),
            std::string::npos);
  EXPECT_NE(of("{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}")
                .find("not a tuple of sizes"),
            std::string::npos);
  EXPECT_NE(
      of("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), 'evil': 1}").find("unexpected key 'evil'"),
      std::string::npos);
  EXPECT_NE(of(std::string(two_ints) + " 1").find("goes on after"), std::string::npos);
}

TEST_F(Npy, RefusesAFolderThatIsNotThere) {
  EXPECT_NE(message_of<BadInput>([&] {
              write_npy(folder_ / "none/x.npy", HostArray(DType::f32, {1}));
            }).find("No such file"),
            std::string::npos);
}

}  // namespace
}  // namespace warplab
