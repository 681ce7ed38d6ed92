#include "common/io/npy.hpp"

#include <cctype>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "common/host/bad_input.hpp"
#include "common/host/index_text.hpp"
#include "common/io/atomic_file.hpp"

namespace warplab {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t largest_header = 64 * 1024;

std::string_view descriptor_of(DType dtype) {
  switch (dtype) {
    case DType::u8:
      return "|u1";
    case DType::i8:
      return "|i1";
    case DType::i32:
      return "<i4";
    case DType::i64:
      return "<i8";
    case DType::f16:
      return "<f2";
    case DType::bf16:
      return "";  // NumPy has none
    case DType::f32:
      return "<f4";
    case DType::f64:
      break;
  }
  return "<f8";
}

struct Header {
  DType dtype = DType::f64;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Reads the Python dictionary of a header. Each method throws BadInput.
class HeaderParser {
 public:
  HeaderParser(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  Header parse() {
    Header header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !descr) {
        header.dtype = dtype(string());
        descr = true;
      } else if (key == "fortran_order" && !order) {
        header.fortran_order = boolean();
        order = true;
      } else if (key == "shape" && !shape) {
        header.shape = tuple();
        shape = true;
      } else {
        fail("its header has an unexpected key '" + key + "'");
      }
      if (!accept(',') && peek() != '}') fail("its header is not a Python dictionary");
    }
    if (!descr || !order || !shape) fail("its header lacks descr, fortran_order or shape");
    skip();
    if (at_ != text_.size()) fail("its header goes on after the dictionary");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw BadInput(file_ + ": " + what); }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail("its header is not a Python dictionary");
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      fail("its header is not a Python dictionary, or the element type is a structure");
    const std::size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) fail("its header is not a Python dictionary");
    const std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }
  bool boolean() {
    skip();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}})
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return value;
      }
    fail("its fortran_order is neither True nor False");
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> extents;
    expect('(');
    while (!accept(')')) {
      skip();
      std::int64_t extent = -1;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
      if (error != std::errc() || extent < 0) fail("its shape is not a tuple of sizes");
      at_ = static_cast<std::size_t>(end - text_.data());
      extents.push_back(extent);
      if (extents.size() > 8) fail("its shape has more than 8 dimensions");
      if (!accept(',') && peek() != ')') fail("its shape is not a tuple of sizes");
    }
    return extents;
  }
  DType dtype(const std::string& descriptor) const {
    for (DType dtype : all_dtypes)
      if (!descriptor.empty() && descriptor == descriptor_of(dtype)) return dtype;
    if (descriptor == "<u1") return DType::u8;
    if (descriptor == "<i1") return DType::i8;
    if (!descriptor.empty() && descriptor[0] == '>')
      fail("its elements (" + descriptor + ") are big-endian; save them little-endian");
    fail("its element type '" + descriptor +
         "' is none of uint8, int8, int32, int64, float16, float32, float64");
  }

  std::string file_;
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Column-major elements into row-major order.
void to_row_major(std::span<const std::byte> from, const std::vector<std::int64_t>& shape,
                  std::size_t element, std::span<std::byte> to) {
  std::vector<std::size_t> stride(shape.size(), element);  // in `from`
  for (std::size_t d = 1; d < shape.size(); ++d)
    stride[d] = stride[d - 1] * static_cast<std::size_t>(shape[d - 1]);
  std::vector<std::int64_t> position;  // not sized at once: g++ 12 then warns, wrongly, of an invalid delete
  position.resize(shape.size());
  std::size_t source = 0;
  for (std::size_t target = 0; target < to.size(); target += element) {
    std::memcpy(to.data() + target, from.data() + source, element);
    for (std::size_t d = shape.size(); d-- > 0;) {
      source += stride[d];
      if (++position[d] < shape[d]) break;
      source -= stride[d] * static_cast<std::size_t>(shape[d]);
      position[d] = 0;
    }
  }
}

}  // namespace

HostArray read_npy(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw BadInput(name + ": there is no such file");
  const std::uintmax_t file_bytes = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (!file || error) throw BadInput(name + ": cannot be read");

  unsigned char start[12] = {};
  file.read(reinterpret_cast<char*>(start), 8);
  if (file.gcount() < 6 || std::memcmp(start, magic.data(), magic.size()) != 0)
    throw BadInput(name + ": is not a .npy file (it does not begin with \\x93NUMPY)");
  if (file.gcount() < 8) throw BadInput(name + ": is cut off within its header");
  const int version = start[6];
  if (version < 1 || version > 3)
    throw BadInput(name + ": has .npy version " + std::to_string(version) + "; known are 1 to 3");
  const int length_bytes = version == 1 ? 2 : 4;
  file.read(reinterpret_cast<char*>(start + 8), length_bytes);
  if (file.gcount() < length_bytes) throw BadInput(name + ": is cut off within its header");
  std::size_t header_bytes = 0;
  for (int i = length_bytes; i-- > 0;) header_bytes = header_bytes << 8 | start[8 + i];
  if (header_bytes > largest_header)
    throw BadInput(name + ": claims a header of " + std::to_string(header_bytes) +
                   " bytes, which is damaged or hostile");
  std::string text(header_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(header_bytes));
  if (static_cast<std::size_t>(file.gcount()) < header_bytes)
    throw BadInput(name + ": is cut off within its header");
  const Header header = HeaderParser(name, text).parse();

  // Before anything is allocated: the shape must be what the file holds.
  std::uint64_t expected = size_of(header.dtype);
  for (std::int64_t extent : header.shape)
    if (__builtin_mul_overflow(expected, static_cast<std::uint64_t>(extent), &expected))
      throw BadInput(name + ": its shape " + shape_text(header.shape) + " is larger than any memory");
  const std::uint64_t held = file_bytes - (8 + static_cast<std::uint64_t>(length_bytes) + header_bytes);
  if (held != expected)
    throw BadInput(name + ": " + (held < expected ? "is cut off" : "has trailing data") + ": shape " +
                   shape_text(header.shape) + " of " + std::string(name_of(header.dtype)) + " takes " +
                   std::to_string(expected) + " bytes, and it holds " + std::to_string(held));
  HostArray array(header.dtype, header.shape);
  file.read(reinterpret_cast<char*>(array.bytes().data()), static_cast<std::streamsize>(expected));
  if (static_cast<std::uint64_t>(file.gcount()) != expected)
    throw BadInput(name + ": cannot be read to its end");
  if (!header.fortran_order || header.shape.size() < 2) return array;
  HostArray row_major(header.dtype, header.shape);
  to_row_major(array.bytes(), header.shape, size_of(header.dtype), row_major.bytes());
  return row_major;
}

void write_npy(const std::filesystem::path& path, const HostArray& array) {
  if (array.dtype() == DType::bf16)
    throw BadInput(path.string() + ": NumPy has no bfloat16; write a .csv file, or take another --dtype");
  std::string header = "{'descr': '" + std::string(descriptor_of(array.dtype())) +
                       "', 'fortran_order': False, 'shape': " + shape_text(array.shape()) + ", }";
  const std::size_t prefix = magic.size() + 4;
  header.append((64 - (prefix + header.size() + 1) % 64) % 64,
                ' ');  // so that the data begin at a multiple of 64
  header += '\n';
  std::string content(magic);
  content += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  content += header;
  content.append(reinterpret_cast<const char*>(array.bytes().data()), array.size_bytes());
  write_file_atomically(path, content);
}

}  // namespace warplab
