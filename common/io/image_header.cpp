#include "common/io/image_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "common/host/bad_input.hpp"

namespace warplab {
namespace {

using Format = ImageHeader::Format;
using namespace std::string_view_literals;

// The most bytes of image that one byte of file can stand for.
constexpr double deflate_expansion = 1032;  // a match of 258 bytes in two bits
constexpr double jpeg_expansion = 1536;     // two bits and less for a block of 8 x 8, three channels

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  return table;
}();

/// One file's bytes, and its complaints.
class Examiner {
 public:
  Examiner(const std::string& name, std::span<const unsigned char> file) : name_(name), file_(file) {}

  ImageHeader examine() {
    if (file_.empty()) fail("is empty");
    if (begins("\x89PNG\r\n\x1A\n"sv)) return png();
    if (begins("\xFF\xD8\xFF"sv)) return jpeg();
    if (file_.size() > 2 && file_[0] == 'P' && file_[1] >= '1' && file_[1] <= '6' && is_space(file_[2]))
      return pnm();
    refuse_other_kinds();
    for (std::string_view start : {"\x89PNG\r\n\x1A\n"sv, "\xFF\xD8\xFF"sv, "P5\n"sv, "P6\n"sv})
      if (file_.size() < start.size() && text(0, file_.size()) == start.substr(0, file_.size())) cut_off();
    fail(fmt::format("is not an image of a kind that is read here ({})", readable_image_kinds));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw BadInput(name_ + ": " + what); }
  [[noreturn]] void cut_off() const { fail("is cut off within its header"); }
  static bool is_space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  unsigned u8(std::size_t at) const { return at < file_.size() ? file_[at] : (cut_off(), 0u); }
  unsigned u16be(std::size_t at) const { return u8(at) << 8 | u8(at + 1); }
  std::uint32_t u32be(std::size_t at) const { return u16be(at) << 16 | u16be(at + 2); }
  std::string_view text(std::size_t at, std::size_t length) const {
    return {reinterpret_cast<const char*>(file_.data()) + at, length};
  }
  bool begins(std::string_view start) const {
    return file_.size() >= start.size() && text(0, start.size()) == start;
  }
  std::string pixels(const ImageHeader& h) const { return fmt::format("{} x {} pixels", h.width, h.height); }

  void check_size(const ImageHeader& h) const {
    if (h.width <= 0 || h.height <= 0) fail(fmt::format("has no pixels ({} x {})", h.width, h.height));
    if (h.width > largest_image_side || h.height > largest_image_side)
      fail(fmt::format("claims {}; at most {} per side are read", pixels(h), largest_image_side));
    if (h.bytes() > largest_image_bytes)
      fail(fmt::format("claims {} of {} bytes; an image of at most 1 GiB is read", pixels(h), h.channels));
  }
  /// For data that are compressed: `bytes` of the file from `at` may hold `factor` times as many.
  void check_expansion(const ImageHeader& h, double raw, double held, double factor) const {
    if (raw > held * factor)
      fail(fmt::format("claims {}, which cannot be in the {:.0f} bytes that it holds of them", pixels(h),
                       held));
  }
  /// For data that are not: the pixels take `wanted` bytes from `at`.
  void check_held(const ImageHeader& h, double at, double wanted) const {
    const double held = std::max(0.0, static_cast<double>(file_.size()) - at);
    if (held < wanted)
      fail(fmt::format("is cut off: {} take {:.0f} bytes, and it holds {:.0f}", pixels(h), wanted, held));
  }

  ImageHeader png() {
    ImageHeader h{Format::png, 0, 0, 0};
    double held = 0, bits = 0;
    unsigned depth = 0;
    for (std::size_t at = 8;;) {
      if (file_.size() - at < 12) fail("is cut off after a chunk");
      const std::uint32_t length = u32be(at);
      const std::string_view type = text(at + 4, 4);
      for (char c : type)
        if ((c | 0x20) < 'a' || (c | 0x20) > 'z') fail("is damaged: a chunk has no name");
      if (file_.size() - at - 12 < length) fail(fmt::format("is cut off within its chunk {}", type));
      if (at == 8) {
        if (type != "IHDR" || length != 13) fail("is damaged: it does not begin with its header");
      }
      std::uint32_t crc = ~0u;
      for (unsigned char byte : file_.subspan(at + 4, length + 4))
        crc = crc_table[(crc ^ byte) & 0xFF] ^ (crc >> 8);
      if (~crc != u32be(at + 8 + length))
        fail(fmt::format("is damaged: the sum of its chunk {} is wrong", type));
      if (at == 8) {
        constexpr int channels_of[] = {1, 0, 3, 3, 2, 0, 4};
        const unsigned colour = u8(25);
        depth = u8(24);
        h.width = u32be(16);
        h.height = u32be(20);
        h.channels = colour < 7 ? channels_of[colour] : 0;
        if (depth == 16 && h.channels) fail("has 16 bits per channel; save it with 8");
        const bool small = depth == 1 || depth == 2 || depth == 4;
        if (!h.channels || (depth != 8 && !(small && (colour == 0 || colour == 3))))
          fail(fmt::format("is damaged: colour type {} with {} bits does not exist", colour, depth));
        bits = colour == 3 ? depth : static_cast<double>(depth) * h.channels;
      }
      // Transparency adds an alpha channel.
      if (type == "tRNS" && h.channels % 2) ++h.channels;
      if (type == "IDAT") held += length;
      at += 12 + length;
      if (type == "IEND") break;
    }
    check_size(h);
    check_expansion(h, static_cast<double>(h.width) * static_cast<double>(h.height) * bits / 8, held,
                    deflate_expansion);
    return h;
  }

  ImageHeader jpeg() {
    ImageHeader h{Format::jpeg, 0, 0, 0};
    bool scanned = false;
    for (std::size_t at = 2;;) {
      if (scanned && at + 1 >= file_.size()) fail("is cut off");
      if (u8(at) != 0xFF) fail("is damaged: a marker is missing in its header");
      const unsigned marker = u8(at + 1);
      if (marker == 0xFF || marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7)) {  // filling, no content
        at += marker == 0xFF ? 1 : 2;
        continue;
      }
      if ((marker == 0xD9 || marker == 0xDA) && !h.channels) fail("is damaged: it has no frame header");
      if (marker == 0xD9) return h;
      if (scanned && at + 3 >= file_.size()) fail("is cut off");
      const std::size_t length = std::max(2u, u16be(at + 2));
      if (marker == 0xC4) check_huffman_tables(at + 4, at + 2 + length);
      const bool frame =
          marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
      if (frame) frame_header(marker, at, h);
      at += 2 + length;
      if (marker != 0xDA) continue;
      // The pixels, up to a marker that is neither a restart nor a stuffed 0.
      scanned = true;
      while (at + 1 < file_.size() && (file_[at] != 0xFF || file_[at + 1] == 0 || file_[at + 1] == 0xFF ||
                                       (file_[at + 1] >= 0xD0 && file_[at + 1] <= 0xD7)))
        ++at;
    }
  }
  void frame_header(unsigned marker, std::size_t at, ImageHeader& h) const {
    if (h.channels) fail("is damaged: it has two frame headers");
    if (marker > 0xC2)
      fail("is a lossless, hierarchical or arithmetic-coded JPEG; save it as baseline or progressive");
    if (u8(at + 4) != 8) fail(fmt::format("has {} bits per channel; save it with 8", u8(at + 4)));
    h.height = u16be(at + 5);
    h.width = u16be(at + 7);
    h.channels = static_cast<int>(u8(at + 9));
    if (h.channels == 4) fail("is a CMYK JPEG (four components); save it as RGB");
    if (h.channels != 1 && h.channels != 3)
      fail(fmt::format("has {} components; grey has 1 and colour 3", h.channels));
    check_size(h);
    check_expansion(h, h.bytes(), static_cast<double>(file_.size()), jpeg_expansion);
  }
  /// stb_image 2.27 and older write past their tables if these hold more codes than there are bytes.
  void check_huffman_tables(std::size_t at, std::size_t end) const {
    while (at + 17 <= end) {
      std::size_t codes = 0;
      for (std::size_t length = 1; length <= 16; ++length) codes += u8(at + length);
      if (codes > 256) fail(fmt::format("is damaged: a Huffman table has {} codes", codes));
      at += 17 + codes;
    }
  }

  ImageHeader pnm() {
    const char kind = static_cast<char>(file_[1]);
    if (kind == '1' || kind == '4')
      fail(fmt::format("is a PNM of one bit per pixel (P{}); save it as P5 (grey) or P6 (colour)", kind));
    if (kind == '2' || kind == '3')
      fail(fmt::format("is an ASCII PNM (P{}); save it as binary: P5 (grey) or P6 (colour)", kind));
    std::size_t at = 2;
    ImageHeader h{Format::pnm, 0, 0, kind == '5' ? 1 : 3};
    h.width = number(at);
    h.height = number(at);
    const std::int64_t maximum = number(at);
    if (!is_space(static_cast<unsigned char>(u8(at)))) fail("is damaged: its header does not end in a space");
    h.data = at + 1;
    if (maximum > 255 && maximum <= 65535) fail("has 16 bits per channel; save it with 8");
    if (maximum < 1 || maximum > 255)
      fail(fmt::format("is damaged: its greatest sample is {}, not 1 to 255", maximum));
    h.maximum = static_cast<int>(maximum);
    check_size(h);
    check_held(h, static_cast<double>(h.data), h.bytes());
    return h;
  }
  /// The next number of a PNM's header, after spaces and comments.
  std::int64_t number(std::size_t& at) const {
    for (; is_space(static_cast<unsigned char>(u8(at))) || u8(at) == '#'; ++at)
      if (u8(at) == '#')
        while (u8(at) != '\n' && u8(at) != '\r') ++at;
    const std::size_t begin = at;
    std::int64_t value = 0;
    for (; u8(at) >= '0' && u8(at) <= '9'; ++at) {
      value = value * 10 + (u8(at) - '0');
      if (at - begin > 10) fail("is damaged: a number in its header is too large");
    }
    if (at == begin) fail("is damaged: its header lacks a number");
    return value;
  }

  void refuse_other_kinds() const {
    const std::pair<std::string_view, const char*> kinds[] = {
        {"GIF8", "a GIF"},
        {"8BPS", "a Photoshop file"},
        {"#?RADIANCE", "a Radiance HDR"},
        {"#?RGBE", "a Radiance HDR"},
        {"\x53\x80\xF6\x34", "a Softimage PIC"},
        {"II*\0"sv, "a TIFF"},
        {"MM\0*"sv, "a TIFF"},
        {"P7\n", "a PAM"},
        {"PF\n", "a floating-point PFM"},
        {"Pf\n", "a floating-point PFM"},
        {"\x93NUMPY", "a NumPy array"},
        {"qoif", "a QOI"},
        {"\xFF\x0A", "a JPEG XL"},
        {"\0\0\0\x0CJXL "sv, "a JPEG XL"},
        {"\0\0\0\x0CjP  "sv, "a JPEG 2000"},
        {"v/1\x01", "an OpenEXR"},
    };
    const char* kind = nullptr;
    for (const auto& [start, what] : kinds)
      if (begins(start)) kind = what;
    if (begins("BM") && file_.size() >= 10 && text(6, 4) == "\0\0\0\0"sv) kind = "a BMP";
    if (begins("RIFF") && file_.size() >= 12 && text(8, 4) == "WEBP") kind = "a WebP";
    if (file_.size() >= 12 && text(4, 4) == "ftyp") kind = "an AVIF or HEIC";
    if (kind)
      fail(fmt::format("is {}, which is not read here; convert it to {}", kind, readable_image_kinds));
  }

  const std::string& name_;
  std::span<const unsigned char> file_;
};

}  // namespace

ImageHeader read_image_header(const std::string& name, std::span<const unsigned char> file) {
  return Examiner(name, file).examine();
}

}  // namespace warplab
