// The programs of the labs about signals and images, from outside: what they make of files that are not as
// they should be.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <set>

#include "common/io/image_file.hpp"
#include "common/io/npy.hpp"
#include "common/io/scene.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

using namespace std::string_literals;
using ::testing::Test;

struct Outcome {
  int code = -1;
  std::string output, error;
};

/// Runs `programs` in a folder of their own, in which every test makes its files.
class ImagePrograms : public Test {
 protected:
  static bool built(const std::string& lab) { return std::filesystem::exists(program(lab)); }
  static std::string program(const std::string& lab) { return WARPLAB_BINARY_DIR "/bin/" + lab; }

  Outcome run(const std::string& lab, const std::string& arguments) const {
    const ScratchFolder said;
    const std::string command = "cd '" + folder_.path().string() + "' && '" + program(lab) + "' " +
                                arguments + " >'" + (said / "output").string() + "' 2>'" +
                                (said / "error").string() + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(said / "output"),
            content_of(said / "error")};
  }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.insert(entry.path().filename().string());
    return names;
  }

  /// The program ends with code 2 and one sentence that says this, and leaves the folder as it was.
  void refuses(const std::string& lab, const std::string& arguments, const std::string& sentence) const {
    const std::set<std::string> before = files();
    const Outcome outcome = run(lab, arguments);
    SCOPED_TRACE(lab + " " + arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.error;
    EXPECT_EQ(outcome.error.rfind(lab + ": ", 0), 0u) << outcome.error;
    EXPECT_EQ(outcome.error.find('\n'), outcome.error.size() - 1) << "one sentence: " << outcome.error;
    EXPECT_NE(outcome.error.find(sentence), std::string::npos) << outcome.error;
    EXPECT_EQ(files(), before) << "nothing is left behind, finished or not";
  }

  /// The program ends well. @return false where its rung is still to be written, and so gives no output
  bool accepts(const std::string& lab, const std::string& arguments) const {
    const Outcome outcome = run(lab, arguments);
    if (outcome.output.find("to do") != std::string::npos) return false;
    EXPECT_EQ(outcome.code, 0) << lab << " " << arguments << ": " << outcome.output << outcome.error;
    return outcome.code == 0;
  }

  HostArray image(const std::string& name, std::int64_t width, std::int64_t height, int channels) const {
    const HostArray scene = photograph_like_scene(width, height, channels, 1);
    write_image((folder_ / name).string(), scene);
    return scene;
  }
  HostArray numbers(const std::string& name, const std::vector<float>& values) const {
    HostArray array(DType::f32, {static_cast<std::int64_t>(values.size())});
    std::copy(values.begin(), values.end(), array.as<float>().begin());
    write_npy(folder_ / name, array);
    return array;
  }

  ScratchFolder folder_;
};

const std::string jpeg_of_four_components =
    "\xFF\xD8\xFF\xC0\x00\x14\x08\x00\x08\x00\x08\x04"s + std::string(40, '\x11');

class ImageLab : public ImagePrograms, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (!built(GetParam())) GTEST_SKIP() << "this tree has no lab " << GetParam();
  }
};

TEST_P(ImageLab, RefusesInputsThatAreNoWholeImage) {
  image("whole.png", 40, 30, 1);
  const std::string whole = content_of(folder_ / "whole.png");
  folder_.write("cut.png", whole.substr(0, whole.size() / 2));
  folder_.write("empty.png", "");
  folder_.write("text.png", "hello\n");
  folder_.write("huge.ppm", "P6\n60000 60000\n255\n");
  folder_.write("liar.pgm", "P5\n3000 3000\n255\nabc");
  folder_.write("sixteen.pgm", "P5\n1 1\n65535\nab");
  folder_.write("cmyk.jpg", jpeg_of_four_components);
  folder_.write("moving.gif", "GIF89a" + std::string(40, '\0'));
  std::filesystem::create_directory(folder_ / "folder.png");
  const std::pair<const char*, const char*> bad[] = {
      {"none.png", "there is no such file"},
      {"folder.png", "is a folder, not an image"},
      {"cut.png", "is cut off within its chunk IDAT"},
      {"empty.png", "is empty"},
      {"text.png", "is not an image of a kind that is read here"},
      {"huge.ppm", "claims 60000 x 60000 pixels of 3 bytes; an image of at most 1 GiB is read"},
      {"liar.pgm", "is cut off: 3000 x 3000 pixels take 9000000 bytes, and it holds 3"},
      {"sixteen.pgm", "has 16 bits per channel; save it with 8"},
      {"cmyk.jpg", "is a CMYK JPEG (four components); save it as RGB"},
      {"moving.gif", "is a GIF, which is not read here; convert it to"},
  };
  for (const auto& [file, sentence] : bad) refuses(GetParam(), "--input "s + file, file + ": "s + sentence);
}

TEST_P(ImageLab, RefusesOutputsThatCannotBeWritten) {
  image("whole.png", 8, 6, 1);
  const std::string with_input = "--input whole.png --output ";
  refuses(GetParam(), with_input + "nowhere/x.png", "cannot write nowhere/x.png: No such file or directory");
  refuses(GetParam(), with_input + "x.gif", "x.gif: the name must end in .png");
  refuses(GetParam(), with_input + "x.tga", "x.tga: the name must end in .png");
  refuses(GetParam(), "--input whole.png --pictures nowhere", "--pictures nowhere is not a folder");
  refuses(GetParam(), "--size 0x5 --output x.png", "x.png: ");
}

TEST_P(ImageLab, TakesAnImageOfOnePixel) {
  image("one.png", 1, 1, 1);
  if (!accepts(GetParam(), "--input one.png --output out.png")) GTEST_SKIP() << "no rung gave an output";
  EXPECT_EQ(read_image((folder_ / "out.png").string()).shape(), (std::vector<std::int64_t>{1, 1, 1}));
}

TEST_P(ImageLab, AnImageGoesThroughEveryKindOfFile) {
  image("in.png", 33, 21, 1);
  if (!accepts(GetParam(), "--input in.png --output out.png")) GTEST_SKIP() << "no rung gave an output";
  const HostArray once = read_image((folder_ / "out.png").string());
  EXPECT_EQ(once.shape(), (std::vector<std::int64_t>{21, 33, 1}));
  for (const char* kind : {"pnm", "pgm"}) {
    image("in."s + kind, 33, 21, 1);
    ASSERT_TRUE(accepts(GetParam(), "--input in."s + kind + " --output out." + kind));
    const HostArray again = read_image((folder_ / ("out."s + kind)).string());
    EXPECT_TRUE(
        std::equal(again.bytes().begin(), again.bytes().end(), once.bytes().begin(), once.bytes().end()))
        << kind;
  }
}

TEST_P(ImageLab, RefusesABorderThatThereIsNot) {
  refuses(GetParam(), "--border wrap",
          "--border wrap is unknown; accepted are untouched, clamp, zero, reflect");
}

INSTANTIATE_TEST_SUITE_P(Programs, ImageLab, ::testing::Values("image_filter", "sobel"),
                         [](const auto& lab) { return std::string(lab.param); });

TEST_F(ImagePrograms, ImageFilterRefusesFiltersThatAreNone) {
  if (!built("image_filter")) GTEST_SKIP() << "this tree has no lab image_filter";
  folder_.write("even.txt", "1 2\n3 4\n");
  folder_.write("flat.txt", "1 2 3\n");
  folder_.write("ragged.txt", "1 2 3\n1 2\n1 2 3\n");
  folder_.write("words.txt", "this is text\n");
  folder_.write("nan.txt", "1 2 nan\n4 5 6\n7 8 9\n");
  folder_.write("infinite.txt", "1 2 inf\n4 5 6\n7 8 9\n");
  folder_.write("large.txt", "1 2 1e40\n4 5 6\n7 8 9\n");
  folder_.write("empty.txt", "");
  const std::pair<const char*, const char*> bad[] = {
      {"none.txt", "cannot be read: No such file or directory"},
      {"even.txt", "holds 2x2 numbers; a filter's side is odd"},
      {"flat.txt", "holds 1x3 numbers; a filter has as many rows as columns"},
      {"ragged.txt", "has 2 numbers in row 2 and 3 in the rows before"},
      {"words.txt", "has 'this' in row 1, which is not a number"},
      {"nan.txt", "has 'nan' in row 1, which is not finite"},
      {"infinite.txt", "has 'inf' in row 1, which is not finite"},
      {"large.txt", "has '1e40' in row 1; coefficients may be -1000000 to 1000000"},
      {"empty.txt", "holds no numbers"},
  };
  for (const auto& [file, sentence] : bad)
    refuses("image_filter", "--size 9x9 --filter "s + file, "--filter "s + file + " " + sentence);
}

TEST_F(ImagePrograms, ImageFilterKeepsColourAndAlpha) {
  if (!built("image_filter")) GTEST_SKIP() << "this tree has no lab image_filter";
  folder_.write("identity.txt", "0 0 0\n0 1 0\n0 0 0\n");
  for (int channels : {1, 2, 3, 4}) {
    const HostArray in = image("in.png", 19, 11, channels);
    if (!accepts("image_filter", "--input in.png --filter identity.txt --output out.png"))
      GTEST_SKIP() << "no rung gave an output";
    const HostArray out = read_image((folder_ / "out.png").string());
    ASSERT_EQ(out.shape(), in.shape());
    EXPECT_TRUE(std::equal(in.bytes().begin(), in.bytes().end(), out.bytes().begin(), out.bytes().end()))
        << channels;
  }
  image("colour.png", 5, 4, 3);
  image("alpha.png", 5, 4, 4);
  refuses("image_filter", "--input colour.png --output x.pgm", "x.pgm: .pgm holds no colour");
  refuses("image_filter", "--input alpha.png --output x.jpg", "x.jpg: .jpg has no alpha channel");
}

TEST_F(ImagePrograms, GaussianWritesAnImageForEachFilterAndAnyNumberOfChannels) {
  if (!built("gaussian")) GTEST_SKIP() << "this tree has no lab gaussian";
  const std::string rung = "--rung cuda_cores_float ";
  folder_.write("identity.txt", "0 0 0\n0 1 0\n0 0 0\n");
  folder_.write("left.txt", "0 0 0\n1 0 0\n0 0 0\n");
  const HostArray in = image("in.png", 19, 11, 3);
  if (!accepts("gaussian", rung + "--input in.png --filter identity.txt,left.txt --output out.png"))
    GTEST_SKIP() << "no rung gave an output";
  const HostArray same = read_image((folder_ / "out-1.png").string());
  EXPECT_TRUE(std::equal(in.bytes().begin(), in.bytes().end(), same.bytes().begin(), same.bytes().end()));
  EXPECT_EQ(read_image((folder_ / "out-2.png").string()).shape(), in.shape());
  HostArray spectrum(DType::u8, {4, 6, 7});  // seven channels, which no image file has
  std::ranges::fill(spectrum.as<std::uint8_t>(), std::uint8_t{93});
  write_npy(folder_ / "spectrum.npy", spectrum);
  ASSERT_TRUE(accepts("gaussian", rung + "--input spectrum.npy --filters 2 --output blurred.npy"));
  const HostArray blurred = read_npy(folder_ / "blurred.npy");
  EXPECT_EQ(blurred.shape(), (std::vector<std::int64_t>{2, 4, 6, 7}));
  EXPECT_EQ(blurred.as<std::uint8_t>()[100], 93);
}

TEST_F(ImagePrograms, GaussianSaysWhatItDoesNotTake) {
  if (!built("gaussian")) GTEST_SKIP() << "this tree has no lab gaussian";
  image("grey.png", 9, 9, 1);
  refuses("gaussian", "--input none.png", "none.png: there is no such file");
  refuses("gaussian", "--input grey.png --channels 3", "--channels 3 does not go with --input");
  refuses("gaussian", "--filter none.txt", "--filter none.txt cannot be read: No such file or directory");
  refuses("gaussian", "--filter-size 0", "--filter-size");
  refuses("gaussian", "--sigma nan", "--sigma is 'nan'");
  refuses("gaussian", "--balance 2", "--balance is '2'");
  refuses("gaussian", "--kind blur", "--kind blur is unknown; accepted are gaussian, mixed, random");
  const Outcome five = run("gaussian", "--size 9x9 --channels 5 --rung tiled --output five.png");
  EXPECT_EQ(five.code, 2);
  EXPECT_NE(five.error.find("--output five.png: an image file holds 1 to 4 channels, not 5"),
            std::string::npos);
  const Outcome many = run("gaussian", "--size 9x9 --filters 9 --rung wmma_intermediate");
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.output.find("filters is 9; it must be 1 to 8"), std::string::npos) << many.output;
  const Outcome half = run("gaussian", "--size 64x48 --filter-size 41 --rung cuda_cores");
  if (half.output.find("to do") != std::string::npos) return;
  EXPECT_EQ(half.code, 3);
  EXPECT_NE(half.output.find("half accumulation of 1681 products is off by up to"), std::string::npos)
      << half.output;
}

TEST_F(ImagePrograms, Conv1dTakesAFilterLongerThanTheSignal) {
  if (!built("conv1d")) GTEST_SKIP() << "this tree has no lab conv1d";
  numbers("signal.npy", {1, 2, 3});
  numbers("filter.npy", {1, 10, 100, 1000, 10000});
  if (!accepts("conv1d", "--input signal.npy --filter filter.npy --output out.npy"))
    GTEST_SKIP() << "no rung gave an output";
  // out[j] = sum of filter[i] * signal[j + i], and the signal is 0 beyond its end.
  const HostArray out = read_npy(folder_ / "out.npy");
  EXPECT_EQ(std::vector<float>(out.as<float>().begin(), out.as<float>().end()),
            (std::vector<float>{321, 32, 3}));
}

TEST_F(ImagePrograms, Conv1dRefusesSignalsAndFiltersThatAreNone) {
  if (!built("conv1d")) GTEST_SKIP() << "this tree has no lab conv1d";
  numbers("signal.npy", {1, 2, 3});
  numbers("nothing.npy", {});
  numbers("nan.npy", {1, NAN});
  folder_.write("words.csv", "1,2,x\n");
  folder_.write("cut.npy", content_of(folder_ / "signal.npy").substr(0, 130));
  image("picture.png", 3, 3, 1);
  refuses("conv1d", "--input none.npy", "none.npy: there is no such file");
  refuses("conv1d", "--input cut.npy", "cut.npy: is cut off");
  refuses("conv1d", "--input picture.png", "picture.png: the name must end in .npy or .csv");
  refuses("conv1d", "--input nan.npy", "not finite");
  refuses("conv1d", "--filter none.npy", "none.npy: there is no such file");
  refuses("conv1d", "--filter nothing.npy", "--filter nothing.npy is empty: a filter has 1 tap or more");
  refuses("conv1d", "--filter nan.npy", "--filter nan.npy holds numbers that are not finite");
  refuses("conv1d", "--filter words.csv", "words.csv: line 1 has 'x', which is not a number of type float");
  refuses("conv1d", "--input signal.npy --output nowhere/x.npy",
          "cannot write nowhere/x.npy: No such file or directory");
  refuses("conv1d", "--input signal.npy --output x.png", "x.png: the name must end in .npy or .csv");
}

TEST_F(ImagePrograms, GaussianNamesTheFileOfEachFilter) {
  if (!built("gaussian")) GTEST_SKIP() << "this tree has no lab gaussian";
  const Outcome outcome =
      run("gaussian", "--rung cuda_cores --size 20x10 --filters 2 --filter-size 3 --output g.png");
  if (outcome.output.find("to do") != std::string::npos) GTEST_SKIP() << "no rung gave an output";
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("written: g-1.png\nwritten: g-2.png\n"), std::string::npos) << outcome.output;
  EXPECT_EQ(files(), (std::set<std::string>{"g-1.png", "g-2.png"}));
}

}  // namespace
}  // namespace warplab
