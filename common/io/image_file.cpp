#include "common/io/image_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include "common/host/bad_input.hpp"
#include "common/host/host_memory.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/image_header.hpp"

namespace {

/// What the decoder of this thread may allocate at once: a small file must not expand without end.
thread_local std::size_t decoder_limit = 0;
thread_local bool decoder_limited = false;

void* decoder_reallocate(void* old, std::size_t bytes) {
  if (bytes <= decoder_limit) return std::realloc(old, bytes);
  decoder_limited = true;
  return nullptr;
}

}  // namespace

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_MALLOC(bytes) decoder_reallocate(nullptr, bytes)
#define STBI_REALLOC(old, bytes) decoder_reallocate(old, bytes)
#define STBI_FREE(old) std::free(old)
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
// System headers: the compiler does not warn of what is in them, but it does of what is not used.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace warplab {
namespace {

constexpr int jpeg_quality = 95;
constexpr std::int64_t largest_jpeg_side = 65535;

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

template <std::size_t n>
bool contains(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

constexpr std::string_view written[] = {".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".pnm"};
constexpr std::string_view other_images[] = {".bmp", ".tga", ".gif", ".tif", ".tiff", ".webp", ".psd",
                                             ".hdr", ".pic", ".pbm", ".pam", ".pfm",  ".avif", ".heic"};

/// How much memory is free. For a small request the system is not asked.
double free_bytes(double wanted) {
  constexpr double little = 64 << 20;
  return wanted < little ? little : available_host_bytes();
}

std::vector<unsigned char> bytes_of(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) throw BadInput(path + ": is a folder, not an image");
  if (!std::filesystem::exists(status)) throw BadInput(path + ": there is no such file");
  if (!std::filesystem::is_regular_file(status)) throw BadInput(path + ": is not an ordinary file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (!file || error) throw BadInput(path + ": cannot be read");
  // A file may be somewhat larger than its pixels, but not without end.
  if (static_cast<double>(size) > std::min(2 * largest_image_bytes, free_bytes(static_cast<double>(size))))
    throw BadInput(
        fmt::format("{}: its {} bytes are more than an image that is read here takes", path, size));
  std::vector<unsigned char> content(size);
  file.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(file.gcount()) != size)
    throw BadInput(path + ": cannot be read to its end");
  return content;
}

/// A file's bytes as stb_image takes them. It replaces what is missing by zeros; this notices.
struct Source {
  std::span<const unsigned char> file;
  std::size_t at = 0;
  bool past_end = false;

  static int read(void* self, char* to, int length) {
    Source& s = *static_cast<Source*>(self);
    const std::size_t count = std::min(static_cast<std::size_t>(length), s.file.size() - s.at);
    if (count == 0 && length > 0) s.past_end = true;
    std::copy_n(s.file.data() + s.at, count, to);
    s.at += count;
    return static_cast<int>(count);
  }
  static void skip(void* self, int length) {
    Source& s = *static_cast<Source*>(self);
    s.at += std::min(static_cast<std::size_t>(std::max(length, 0)), s.file.size() - s.at);
  }
  static int eof(void* self) {
    const Source& s = *static_cast<Source*>(self);
    return s.at == s.file.size();
  }
};

HostArray decode(const std::string& path, const ImageHeader& header, std::span<const unsigned char> file) {
  // The greatest block that a decoder needs: the file itself, doubled as it is gathered, or all pixels of a
  // channel in 16 bits, each side rounded up to a JPEG's blocks.
  decoder_limit =
      (1 << 20) + 2 * file.size() +
      static_cast<std::size_t>(header.width + 64) * static_cast<std::size_t>(header.height + 64) * 8;
  decoder_limited = false;
  Source source{file};
  const stbi_io_callbacks callbacks{Source::read, Source::skip, Source::eof};
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, decltype(&std::free)> pixels(
      stbi_load_from_callbacks(&callbacks, &source, &width, &height, &channels, 0), std::free);
  if (source.past_end) throw BadInput(path + ": is cut off");
  if (!pixels && decoder_limited)
    throw BadInput(fmt::format("{}: is damaged: its data expand to more than {} x {} pixels", path,
                               header.width, header.height));
  if (!pixels)
    throw BadInput(fmt::format("{}: is damaged or of a rare kind ({})", path, stbi_failure_reason()));
  if (width != header.width || height != header.height)
    throw BadInput(path + ": is damaged: it contradicts itself about its size");
  HostArray image(DType::u8, {height, width, channels});
  std::memcpy(image.bytes().data(), pixels.get(), image.size_bytes());
  return image;
}

HostArray samples_of_pnm(const std::string& path, const ImageHeader& header,
                         std::span<const unsigned char> file) {
  HostArray image(DType::u8, {header.height, header.width, header.channels});
  const auto to = image.as<std::uint8_t>();
  std::memcpy(to.data(), file.data() + header.data, to.size());
  if (header.maximum == 255) return image;
  for (std::uint8_t& sample : to) {
    if (sample > header.maximum)
      throw BadInput(fmt::format("{}: is damaged: it has a sample of {}, and its header says at most {}",
                                 path, sample, header.maximum));
    sample = static_cast<std::uint8_t>((sample * 255 + header.maximum / 2) / header.maximum);
  }
  return image;
}

void append(void* content, void* data, int size) {
  static_cast<std::string*>(content)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

std::string as_pnm(std::span<const std::uint8_t> pixels, std::int64_t width, std::int64_t height,
                   int channels, bool colour) {
  std::string content = fmt::format("P{}\n{} {}\n255\n", colour ? 6 : 5, width, height);
  if (colour == (channels == 3))
    return content.append(reinterpret_cast<const char*>(pixels.data()), pixels.size());
  content.reserve(content.size() + 3 * pixels.size());
  for (std::uint8_t grey : pixels) content.append(3, static_cast<char>(grey));
  return content;
}

struct ImageShape {
  std::int64_t height, width;
  int channels;
};

ImageShape shape_of(const HostArray& image) {
  std::vector<std::int64_t> shape = image.shape();
  if (shape.size() == 2) shape.push_back(1);
  if (image.dtype() != DType::u8 || shape.size() != 3 || shape[2] < 1 || shape[2] > 4)
    throw std::invalid_argument(
        "an image is uint8 of shape (height, width) or (height, width, 1 to 4 channels)");
  return {shape[0], shape[1], static_cast<int>(shape[2])};
}

}  // namespace

bool is_image_path(const std::string& path) {
  return contains(written, ending_of(path)) || contains(other_images, ending_of(path));
}

void check_image_path(const std::string& path) {
  if (!contains(written, ending_of(path)))
    throw BadInput(path + ": the name must end in .png, .jpg, .pgm, .ppm or .pnm");
}

HostArray read_image(const std::string& path) try {
  const std::vector<unsigned char> file = bytes_of(path);
  const ImageHeader header = read_image_header(path, file);
  // The decoded image, the decoder's own copy, and what it works on.
  if (const double wanted = 3 * header.bytes(), free = free_bytes(wanted); wanted > free)
    throw BadInput(
        fmt::format("{}: decoding {} x {} pixels takes {:.1f} GB of memory, and {:.1f} GB are free", path,
                    header.width, header.height, wanted / 1e9, free / 1e9));
  return header.format == ImageHeader::Format::pnm ? samples_of_pnm(path, header, file)
                                                   : decode(path, header, file);
} catch (const std::bad_alloc&) {
  throw BadInput(path + ": does not fit in memory");
}

std::string png_of(const HostArray& image) {
  const auto [height, width, channels] = shape_of(image);
  std::string content;
  if (!stbi_write_png_to_func(append, &content, static_cast<int>(width), static_cast<int>(height), channels,
                              image.as<std::uint8_t>().data(), 0))
    throw std::bad_alloc();
  return content;
}

void write_image(const std::string& path, const HostArray& image) try {
  check_image_path(path);
  const auto [height, width, channels] = shape_of(image);
  const std::string ending = ending_of(path);
  const bool png = ending == ".png", jpeg = ending == ".jpg" || ending == ".jpeg";
  if (image.count() == 0)
    throw BadInput(fmt::format("{}: an image of {} x {} pixels cannot be written", path, width, height));
  if (channels % 2 == 0 && !png)
    throw BadInput(fmt::format("{}: {} has no alpha channel; choose a name that ends in .png", path, ending));
  if (ending == ".pgm" && channels == 3)
    throw BadInput(path + ": .pgm holds no colour; choose a name that ends in .ppm or .png");
  if (jpeg && std::max(width, height) > largest_jpeg_side)
    throw BadInput(
        fmt::format("{}: {} x {} pixels are too many for JPEG, which holds at most {} per side; "
                    "choose a name that ends in .png",
                    path, width, height, largest_jpeg_side));
  if (image.count() > static_cast<std::int64_t>(largest_image_bytes) ||
      std::max(width, height) > largest_image_side)
    throw BadInput(
        fmt::format("{}: {} x {} pixels are more than can be written: 1 GiB", path, width, height));

  const auto pixels = image.as<std::uint8_t>();
  std::string content;
  if (png) {
    content = png_of(image);
  } else if (jpeg) {
    if (!stbi_write_jpg_to_func(append, &content, static_cast<int>(width), static_cast<int>(height), channels,
                                pixels.data(), jpeg_quality))
      throw std::bad_alloc();
  } else {
    content = as_pnm(pixels, width, height, channels, ending == ".ppm" || channels == 3);
  }
  write_file_atomically(path, content);
} catch (const std::bad_alloc&) {
  throw BadInput(path + ": there is no memory to write it");
}

}  // namespace warplab
