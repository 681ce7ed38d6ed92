#include "common/io/csv.hpp"

#include "common/host/bad_input.hpp"
#include "common/host/random.hpp"
#include "scratch_folder.hpp"

namespace warplab {
namespace {

class Csv : public ::testing::Test {
 protected:
  std::string complaint(const std::string& content, DType dtype = DType::f64) {
    const auto path = folder_.write("m.csv", content);
    const std::string text = message_of<BadInput>([&] { read_csv(path, dtype); });
    EXPECT_EQ(text.rfind(path.string() + ": ", 0), 0u) << text;
    return text.substr(std::min(text.size(), path.string().size() + 2));
  }
  ScratchFolder folder_;
};

TEST_F(Csv, RoundTripsEveryType) {
  for (DType dtype : all_dtypes) {
    HostArray array(dtype, {4, 7});
    fill_random(array, 3);
    write_csv(folder_ / "m.csv", array);
    const HostArray read = read_csv(folder_ / "m.csv", dtype);
    EXPECT_EQ(read.shape(), array.shape());
    EXPECT_TRUE(
        std::equal(read.bytes().begin(), read.bytes().end(), array.bytes().begin(), array.bytes().end()))
        << name_of(dtype);
  }
}

TEST_F(Csv, ReadsWhatPeopleWrite) {
  const auto path = folder_.write("m.csv", "\xEF\xBB\xBF 1, -2.5 ,+3e2\r\n4,5,6\r\n\n");
  const HostArray array = read_csv(path, DType::f32);
  EXPECT_EQ(array.shape(), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(array.as<float>()[1], -2.5f);
  EXPECT_EQ(array.as<float>()[2], 300.0f);
  EXPECT_EQ(array.as<float>()[5], 6.0f);
}

TEST_F(Csv, SaysWhatIsWrong) {
  EXPECT_EQ(complaint(""), "holds no numbers");
  EXPECT_EQ(complaint("\n\n"), "holds no numbers");
  EXPECT_EQ(complaint("1,2\n3\n"), "line 2 has 1 fields, and the lines before it have 2");
  EXPECT_EQ(complaint("1,2\n3,x y\n"), "line 2 has 'x y', which is not a number of type double");
  EXPECT_EQ(complaint("1,2,\n"), "line 1 has an empty field");
  EXPECT_EQ(complaint("1\n\n2\n"), "line 3 follows an empty line");
  EXPECT_EQ(complaint("+-5\n"), "line 1 has '+-5', which is not a number of type double");
  EXPECT_EQ(complaint("1.5\n", DType::i32), "line 1 has '1.5', which is not a number of type int");
  EXPECT_EQ(complaint("3000000000\n", DType::i32), "line 1 has '3000000000', which does not fit in int");
  EXPECT_EQ(complaint("256\n", DType::u8), "line 1 has '256', which does not fit in uint8");
  EXPECT_EQ(message_of<BadInput>([&] { read_csv(folder_ / "none.csv", DType::f32); }),
            (folder_ / "none.csv").string() + ": there is no such file");
}

TEST_F(Csv, RefusesMoreThanTwoDimensions) {
  EXPECT_NE(message_of<BadInput>([&] {
              write_csv(folder_ / "m.csv", HostArray(DType::f32, {2, 2, 2}));
            }).find("write .npy"),
            std::string::npos);
}

}  // namespace
}  // namespace warplab
