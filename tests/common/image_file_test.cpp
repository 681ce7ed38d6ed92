#include "common/io/image_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cmath>

#include "common/host/bad_input.hpp"
#include "common/host/random.hpp"
#include "common/io/scene.hpp"
#include "scratch_folder.hpp"

namespace warplab {
namespace {

using namespace std::string_literals;
using ::testing::Test;

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (; bytes-- > 0; value >>= 8) text += static_cast<char>(value & 0xFF);
  return text;
}
std::string big(std::uint64_t value, int bytes) {
  const std::string text = little(value, bytes);
  return {text.rbegin(), text.rend()};
}

std::string png_chunk(const std::string& type, const std::string& data) {
  std::uint32_t crc = ~0u;
  for (char c : type + data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? 0xEDB88320u ^ (crc >> 1) : crc >> 1;
  }
  return big(data.size(), 4) + type + data + big(~crc, 4);
}

const std::string png_signature = "\x89PNG\r\n\x1A\n";
const std::string png_end = png_chunk("IEND", "");

std::string png_header(std::uint32_t width, std::uint32_t height, int depth, int colour) {
  return png_chunk("IHDR", big(width, 4) + big(height, 4) + static_cast<char>(depth) +
                               static_cast<char>(colour) + "\0\0\0"s);
}

/// A zlib stream that holds these bytes as they are.
std::string stored(const std::string& raw) {
  std::uint32_t a = 1, b = 0;
  for (unsigned char c : raw) b = (b + (a = (a + c) % 65521)) % 65521;
  return "\x78\x01\x01" + little(raw.size(), 2) + little(~raw.size(), 2) + raw + big(b << 16 | a, 4);
}

std::string png(const std::string& header, const std::string& rows, const std::string& more = "") {
  return png_signature + header + more + png_chunk("IDAT", stored(rows)) + png_end;
}

std::string jpeg_header(int marker, int depth, int height, int width, int components) {
  return "\xFF\xD8\xFF"s + static_cast<char>(marker) + big(8 + 3 * static_cast<unsigned>(components), 2) +
         static_cast<char>(depth) + big(static_cast<unsigned>(height), 2) +
         big(static_cast<unsigned>(width), 2) + static_cast<char>(components);
}

HostArray pixels_of(std::int64_t height, std::int64_t width, int channels, std::uint64_t seed = 1) {
  HostArray image(DType::u8, {height, width, channels});
  fill_random(image, seed, 0, 255);
  return image;
}

std::vector<int> values_of(const HostArray& image) {
  return {image.as<std::uint8_t>().begin(), image.as<std::uint8_t>().end()};
}

const std::string no_kind = "is not an image of a kind that is read here (PNG, JPEG or binary PNM)";

class ImageFile : public Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  HostArray read(const std::string& content) { return read_image(folder_.write("image", content).string()); }
  /// The complaint about a file with this content, without the file's name, which it must begin with.
  std::string complaint(const std::string& content) {
    return without_name(path("image"), message_of<BadInput>([&] { read(content); }));
  }
  std::string refusal(const std::string& name, const HostArray& image) {
    return without_name(path(name), message_of<BadInput>([&] { write_image(path(name), image); }));
  }
  static std::string without_name(const std::string& name, const std::string& text) {
    EXPECT_EQ(text.rfind(name + ": ", 0), 0u) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text.substr(std::min(text.size(), name.size() + 2));
  }
  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  ScratchFolder folder_;
};

struct Form {
  const char* ending;
  std::vector<int> channels;
};
const Form lossless[] = {
    {".png", {1, 2, 3, 4}}, {".pgm", {1}}, {".ppm", {3}}, {".pnm", {1, 3}}, {".PNG", {3}}};

TEST_F(ImageFile, LosslessKindsRoundTripEveryPixel) {
  for (const Form& form : lossless)
    for (int channels : form.channels)
      for (const auto& [width, height] :
           std::vector<std::pair<int, int>>{{1, 1}, {2, 1}, {3, 2}, {5, 7}, {1, 97}, {640, 3}}) {
        const HostArray image = pixels_of(height, width, channels);
        write_image(path("x"s + form.ending), image);
        const HostArray back = read_image(path("x"s + form.ending));
        EXPECT_EQ(back.shape(), image.shape()) << form.ending;
        EXPECT_EQ(values_of(back), values_of(image)) << form.ending << ", " << width << " x " << height;
      }
}

TEST_F(ImageFile, JpegIsCloseToAPhotograph) {
  for (const char* name : {"x.jpg", "x.jpeg"})
    for (int channels : {1, 3}) {
      const HostArray image = photograph_like_scene(101, 67, channels, 1);
      write_image(path(name), image);
      const HostArray back = read_image(path(name));
      ASSERT_EQ(back.shape(), (std::vector<std::int64_t>{67, 101, 3})) << "grey is written as colour";
      const auto from = image.as<std::uint8_t>(), to = back.as<std::uint8_t>();
      double sum = 0;
      for (std::size_t i = 0; i < to.size(); ++i) sum += std::abs(to[i] - from[channels == 1 ? i / 3 : i]);
      EXPECT_LT(sum / static_cast<double>(to.size()), 4) << "levels, on average";
      EXPECT_GT(sum, 0) << "it does lose something";
    }
}

TEST_F(ImageFile, GreyInAPpmIsWrittenThreeTimes) {
  HostArray grey(DType::u8, {1, 2, 1});
  grey.as<std::uint8_t>()[1] = 200;
  write_image(path("x.ppm"), grey);
  EXPECT_EQ(content_of(path("x.ppm")), "P6\n2 1\n255\n\0\0\0\xC8\xC8\xC8"s);
}

TEST_F(ImageFile, WritesWhatTheFormatsSay) {
  HostArray image(DType::u8, {2, 1, 3});
  for (std::uint8_t i = 0; i < 6; ++i) image.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(10 * i + 1);
  write_image(path("x.pnm"), image);
  EXPECT_EQ(content_of(path("x.pnm")), "P6\n1 2\n255\n\x01\x0B\x15\x1F\x29\x33");
}

TEST_F(ImageFile, TwoDimensionsAreGrey) {
  HostArray grey(DType::u8, {1, 2});
  grey.as<std::uint8_t>()[0] = 7;
  write_image(path("x.pgm"), grey);
  EXPECT_EQ(content_of(path("x.pgm")), "P5\n2 1\n255\n\x07\0"s);
}

TEST_F(ImageFile, ReadsPng) {
  // Two pixels of four grey levels each: 0, 1, 2, 3 become 0, 85, 170, 255.
  EXPECT_EQ(values_of(read(png(png_header(4, 1, 2, 0), "\0\x1B"s))), (std::vector<int>{0, 85, 170, 255}));
  const std::string palette = png_chunk("PLTE", "\x01\x02\x03\xF1\xF2\xF3");
  const HostArray colours = read(png(png_header(2, 1, 8, 3), "\0\x01\x00"s, palette));
  EXPECT_EQ(values_of(colours), (std::vector<int>{0xF1, 0xF2, 0xF3, 1, 2, 3}));
  EXPECT_EQ(colours.shape(), (std::vector<std::int64_t>{1, 2, 3}));
  const HostArray transparent =
      read(png(png_header(2, 1, 8, 3), "\0\x01\x00"s, palette + png_chunk("tRNS", "\x80")));
  EXPECT_EQ(values_of(transparent), (std::vector<int>{0xF1, 0xF2, 0xF3, 255, 1, 2, 3, 0x80}));
}

TEST_F(ImageFile, ReadsPnm) {
  EXPECT_EQ(values_of(read("P5 # a comment\n# another\n2\t1 255\n\x0A\x20")), (std::vector<int>{10, 32}));
  EXPECT_EQ(values_of(read("P6\n1 1\n255\n\x01\x02\x03")), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(values_of(read("P5\n4 1\n3\n\0\x01\x02\x03"s)), (std::vector<int>{0, 85, 170, 255}))
      << "stretched to 255";
}

TEST_F(ImageFile, EveryCutIsNoticed) {
  const std::pair<std::string, std::string> whole[] = {
      {"png", png(png_header(3, 2, 8, 0), "\0\x01\x02\x03\0\x04\x05\x06"s)},
      {"pgm", "P5\n3 2\n255\n\x01\x02\x03\x04\x05\x06"},
      {"ppm", "P6\n1 2\n255\n\x01\x02\x03\x04\x05\x06"},
      {"grey jpeg",
       (write_image(path("x.jpg"), photograph_like_scene(19, 13, 1, 1)), content_of(path("x.jpg")))},
      {"jpeg", (write_image(path("x.jpg"), photograph_like_scene(37, 21, 3, 1)), content_of(path("x.jpg")))},
  };
  for (const auto& [kind, content] : whole) {
    ASSERT_NO_THROW(read(content)) << kind;
    for (std::size_t length = 1; length < content.size();
         length += length < 90 || length + 40 > content.size() ? 1 : 5) {
      const std::string text = complaint(content.substr(0, length));
      EXPECT_NE(text.find("is cut off"), std::string::npos) << kind << " of " << length << " bytes: " << text;
    }
  }
}

TEST_F(ImageFile, SaysWhereAFileIsCutOff) {
  const std::string whole = png(png_header(3, 2, 8, 0), "\0\x01\x02\x03\0\x04\x05\x06"s);
  EXPECT_EQ(complaint(whole.substr(0, 5)), "is cut off within its header");
  EXPECT_EQ(complaint(whole.substr(0, 50)), "is cut off within its chunk IDAT");
  EXPECT_EQ(complaint(whole.substr(0, whole.size() - 12)), "is cut off after a chunk");
  EXPECT_EQ(complaint("P6\n100 50\n255\nabc"),
            "is cut off: 100 x 50 pixels take 15000 bytes, and it holds 3");
  write_image(path("x.jpg"), pixels_of(20, 20, 3));
  const std::string jpeg = content_of(path("x.jpg"));
  EXPECT_EQ(complaint(jpeg.substr(0, jpeg.size() - 100)), "is cut off");
  EXPECT_EQ(complaint(jpeg.substr(0, 30)), "is cut off within its header");
}

TEST_F(ImageFile, SaysWhatIsNoImage) {
  const auto of = [&](const std::string& name) {
    return without_name(path(name), message_of<BadInput>([&] { read_image(path(name)); }));
  };
  EXPECT_EQ(of("none.png"), "there is no such file");
  std::filesystem::create_directory(path("folder.png"));
  EXPECT_EQ(of("folder.png"), "is a folder, not an image");
  ASSERT_EQ(mkfifo(path("pipe.png").c_str(), 0600), 0);
  EXPECT_EQ(of("pipe.png"), "is not an ordinary file");
  EXPECT_EQ(complaint(""), "is empty");
  for (const std::string& text : {"hello, world\n"s, "1,2,3\n4,5,6\n"s, "P"s + "Z 1 1 255 "s,
                                  "BM is a text file"s, std::string(200, '\0')})
    EXPECT_EQ(complaint(text), no_kind) << text;
}

TEST_F(ImageFile, SaysWhichKindsAreNotRead) {
  const std::pair<std::string, const char*> kinds[] = {
      {"GIF89a\x01\x00\x01\x00"s, "a GIF"},
      {"8BPS\0\x01"s, "a Photoshop file"},
      {"#?RADIANCE\n", "a Radiance HDR"},
      {"\x53\x80\xF6\x34\0\0"s, "a Softimage PIC"},
      {"RIFF\x24\0\0\0WEBPVP8 "s, "a WebP"},
      {"II*\0\x08\0\0\0"s, "a TIFF"},
      {"MM\0*\0\0\0\x08"s, "a TIFF"},
      {"P7\nWIDTH 1\n", "a PAM"},
      {"BM\x46\0\0\0\0\0\0\0\x36\0\0\0"s, "a BMP"},
      {"PF\n1 1\n-1\n", "a floating-point PFM"},
      {"\0\0\0\x20"s + "ftypavif\0\0\0\0"s, "an AVIF or HEIC"},
  };
  for (const auto& [start, kind] : kinds)
    EXPECT_EQ(complaint(start + std::string(40, '\0')),
              "is "s + kind + ", which is not read here; convert it to PNG, JPEG or binary PNM");
  EXPECT_EQ(complaint("P2\n1 1\n255\n7\n"),
            "is an ASCII PNM (P2); save it as binary: P5 (grey) or P6 (colour)");
  EXPECT_EQ(complaint("P3\n1 1\n255\n7 7 7\n"),
            "is an ASCII PNM (P3); save it as binary: P5 (grey) or P6 (colour)");
  EXPECT_EQ(complaint("P4\n8 1\n\x55"),
            "is a PNM of one bit per pixel (P4); save it as P5 (grey) or P6 (colour)");
}

TEST_F(ImageFile, SaysWhichFormsAreNotRead) {
  const std::string sixteen = "has 16 bits per channel; save it with 8";
  for (int colour : {0, 2, 4, 6})
    EXPECT_EQ(complaint(png(png_header(1, 1, 16, colour), std::string(9, '\0'))), sixteen);
  EXPECT_EQ(complaint("P5\n1 1\n65535\n\x01\x02"), sixteen);
  EXPECT_EQ(complaint("P6\n1 1\n256\n\x01\x02\x01\x02\x01\x02"), sixteen);
  EXPECT_EQ(complaint(jpeg_header(0xC1, 12, 8, 8, 3)), "has 12 bits per channel; save it with 8");
  EXPECT_EQ(complaint(jpeg_header(0xC0, 8, 8, 8, 4)), "is a CMYK JPEG (four components); save it as RGB");
  EXPECT_EQ(complaint(jpeg_header(0xC0, 8, 8, 8, 2)), "has 2 components; grey has 1 and colour 3");
  EXPECT_EQ(complaint(jpeg_header(0xC3, 8, 8, 8, 3)),
            "is a lossless, hierarchical or arithmetic-coded JPEG; save it as baseline or progressive");
}

TEST_F(ImageFile, SaysWhatIsDamaged) {
  std::string flipped = png(png_header(3, 2, 8, 0), "\0\x01\x02\x03\0\x04\x05\x06"s);
  flipped[flipped.size() - 20] ^= 1;
  EXPECT_EQ(complaint(flipped), "is damaged: the sum of its chunk IDAT is wrong");
  EXPECT_EQ(complaint(png_signature + png_chunk("IDAT", "") + png_end),
            "is damaged: it does not begin with its header");
  EXPECT_EQ(complaint(png_signature + png_header(1, 1, 8, 5) + png_end),
            "is damaged: colour type 5 with 8 bits does not exist");
  EXPECT_EQ(complaint(png_signature + png_header(1, 1, 2, 2) + png_end),
            "is damaged: colour type 2 with 2 bits does not exist");
  EXPECT_EQ(complaint(png(png_header(9, 9, 8, 0), "\0\x01\x02\x03"s)),
            "is damaged or of a rare kind (not enough pixels)");
  EXPECT_EQ(complaint("\xFF\xD8\xFF\xD9" + std::string(50, '\0')), "is damaged: it has no frame header");
  EXPECT_EQ(complaint("\xFF\xD8\xFF\xE0\x00\x02hello"s), "is damaged: a marker is missing in its header");
  EXPECT_EQ(complaint("\xFF\xD8\xFF\xC4\x00\x15\x00\xFF\x03"s + std::string(40, '\0')),
            "is damaged: a Huffman table has 258 codes");
  EXPECT_EQ(complaint("P5\nx"), "is damaged: its header lacks a number");
  EXPECT_EQ(complaint("P5\n99999999999999999999 1\n255\n"),
            "is damaged: a number in its header is too large");
  EXPECT_EQ(complaint("P5\n1 1\n0\n\0"s), "is damaged: its greatest sample is 0, not 1 to 255");
  EXPECT_EQ(complaint("P5\n1 1\n100\n\x65"),
            "is damaged: it has a sample of 101, and its header says at most 100");
}

TEST_F(ImageFile, SaysWhichHaveNoPixels) {
  EXPECT_EQ(complaint(png(png_header(0, 5, 8, 0), "")), "has no pixels (0 x 5)");
  EXPECT_EQ(complaint(jpeg_header(0xC0, 8, 0, 8, 3)), "has no pixels (8 x 0)");
  EXPECT_EQ(complaint("P5\n0 7\n255\n"), "has no pixels (0 x 7)");
}

TEST_F(ImageFile, RefusesAHeaderThatPromisesTooMuchBeforeAnythingIsAllocated) {
  // More than the file can hold, however well it is compressed.
  EXPECT_EQ(complaint(png(png_header(20000, 20000, 8, 0), "\0\x01"s)),
            "claims 20000 x 20000 pixels, which cannot be in the 13 bytes that it holds of them");
  EXPECT_EQ(complaint(jpeg_header(0xC0, 8, 10000, 20000, 3)),
            "claims 20000 x 10000 pixels, which cannot be in the 12 bytes that it holds of them");
  // More than is read at all.
  EXPECT_EQ(complaint(png(png_header(2147483647, 2147483647, 8, 6), "")),
            "claims 2147483647 x 2147483647 pixels; at most 16777216 per side are read");
  EXPECT_EQ(complaint("P6\n60000 60000\n255\n"),
            "claims 60000 x 60000 pixels of 3 bytes; an image of at most 1 GiB is read");
  // A file of that size is not even read. This one takes no room on the disk.
  const int file = open(path("huge.png").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(ftruncate(file, std::int64_t{1} << 40), 0);
  close(file);
  EXPECT_EQ(without_name(path("huge.png"), message_of<BadInput>([&] { read_image(path("huge.png")); })),
            "its 1099511627776 bytes are more than an image that is read here takes");
}

TEST_F(ImageFile, RefusesDataThatExpandToMoreThanThePixels) {
  HostArray white(DType::u8, {2000, 2000, 1});
  write_image(path("x.png"), white);
  const std::string large = content_of(path("x.png"));
  const std::size_t data = large.find("IDAT") - 4, end = large.find("IEND") - 4;
  EXPECT_EQ(complaint(png_signature + png_header(4, 4, 8, 0) + large.substr(data, end - data) + png_end),
            "is damaged: its data expand to more than 4 x 4 pixels");
}

TEST_F(ImageFile, NoBitFlipDoesWorseThanBeingRefused) {
  write_image(path("x.jpg"), photograph_like_scene(29, 17, 3, 1));
  const std::string whole[] = {content_of(path("x.jpg")),
                               png(png_header(3, 2, 8, 0), "\0\x01\x02\x03\0\x04\x05\x06"s),
                               "P5\n3 2\n255\n\x01\x02\x03\x04\x05\x06"s};
  for (const std::string& content : whole)
    for (std::uint64_t trial = 0; trial < 200; ++trial) {
      std::string damaged = content;
      for (std::uint64_t flip = 0; flip < 1 + trial % 3; ++flip) {
        const std::uint64_t bits = random_bits(trial, flip);
        damaged[bits % damaged.size()] ^= static_cast<char>(1 << (bits >> 40) % 8);
      }
      try {
        EXPECT_GT(read(damaged).count(), 0);
      } catch (const BadInput& error) {
        without_name(path("image"), error.what());
      }
    }
}

TEST_F(ImageFile, RefusesWhatAKindCannotHold) {
  for (const char* ending : {".jpg", ".jpeg", ".pgm", ".ppm", ".pnm"})
    for (int channels : {2, 4})
      EXPECT_EQ(refusal("x"s + ending, pixels_of(2, 2, channels)),
                ending + " has no alpha channel; choose a name that ends in .png"s);
  EXPECT_EQ(refusal("x.pgm", pixels_of(2, 2, 3)),
            ".pgm holds no colour; choose a name that ends in .ppm or .png");
  EXPECT_EQ(refusal("x.jpg", pixels_of(1, 65536, 1)),
            "65536 x 1 pixels are too many for JPEG, which holds at most 65535 per side; choose a name that "
            "ends in .png");
  for (const char* ending : {".png", ".jpg", ".pgm", ".ppm", ".pnm"}) {
    EXPECT_EQ(refusal("x"s + ending, HostArray(DType::u8, {0, 7, 1})),
              "an image of 7 x 0 pixels cannot be written");
    EXPECT_EQ(refusal("x"s + ending, HostArray(DType::u8, {0, 0, 3})),
              "an image of 0 x 0 pixels cannot be written");
  }
  EXPECT_EQ(files(), 0u) << "nothing is left behind";
  for (const HostArray& other :
       {HostArray(DType::f32, {2, 2, 1}), HostArray(DType::u8, {2}), HostArray(DType::u8, {2, 2, 5})})
    EXPECT_EQ(message_of<std::invalid_argument>([&] { write_image(path("x.png"), other); }),
              "an image is uint8 of shape (height, width) or (height, width, 1 to 4 channels)");
}

TEST_F(ImageFile, KnowsEndings) {
  for (const char* name : {"a.png", "a.JPG", "b.c.jpeg", "a.pgm", "a.ppm", "a.pnm"}) {
    EXPECT_TRUE(is_image_path(name));
    EXPECT_NO_THROW(check_image_path(name));
  }
  EXPECT_TRUE(is_image_path("a.tga"));
  EXPECT_TRUE(is_image_path("a.bmp"));
  EXPECT_TRUE(is_image_path("a.gif")) << "so that its refusal says more than that the ending is wrong";
  for (const char* name : {"a.bmp", "a.tga", "a.gif", "a.npy", "png", "a", "", ".png"})
    EXPECT_EQ(message_of<BadInput>([&] { check_image_path(name); }),
              name + ": the name must end in .png, .jpg, .pgm, .ppm or .pnm"s);
  EXPECT_FALSE(is_image_path("a.npy"));
  EXPECT_FALSE(is_image_path("a.csv"));
}

TEST_F(ImageFile, LeavesNothingHalfWritten) {
  const HostArray image = pixels_of(3, 3, 3);
  EXPECT_EQ(message_of<BadInput>([&] { write_image(path("none/x.png"), image); }),
            "cannot write " + path("none/x.png") + ": No such file or directory");
  std::filesystem::create_directory(path("x.png"));
  EXPECT_EQ(message_of<BadInput>([&] { write_image(path("x.png"), image); }),
            "cannot write " + path("x.png") + ": Is a directory");
  EXPECT_EQ(files(), 1u);
  write_image(path("y.png"), image);
  const std::string before = content_of(path("y.png"));
  EXPECT_THROW(write_image(path("y.png"), HostArray(DType::u8, {0, 0, 1})), BadInput);
  EXPECT_EQ(content_of(path("y.png")), before) << "what was there stays";
  EXPECT_EQ(files(), 2u);
}

}  // namespace
}  // namespace warplab
