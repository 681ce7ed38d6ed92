#include "harness/problem/image_problem.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "common/host/bad_input.hpp"
#include "common/host/poison.hpp"
#include "common/io/array_file.hpp"
#include "common/io/image_file.hpp"
#include "harness/console/flag_values.hpp"

namespace warplab {

std::string ImageProblem::input_help() const {
  return "An image (PNG, JPEG, PNM) or a .npy file in place of the built-in scene";
}

std::string ImageProblem::output_help() const {
  return "Write the result of the last rung to this image (PNG, JPEG, PNM), .npy or .csv file";
}

HostArray ImageProblem::read_input(const std::string& path, std::optional<DType> dtype) const {
  const std::string ending = std::filesystem::path(path).extension();
  if (ending != ".npy" && ending != ".csv") {  // an image, whatever its name: its first bytes say which kind
    HostArray image = read_image(path);
    return dtype == DType::f32 ? to_float(image) : image;
  }
  const HostArray array = read_array(path, dtype);
  std::vector<std::int64_t> shape = array.shape();
  if (shape.size() == 2) shape.push_back(1);
  if (shape.size() != 3 || shape[2] < 1 || shape[2] > max_channels())
    throw BadInput("--input " + path +
                   " holds no image: its shape must be (height, width) or (height, width, 1 to " +
                   std::to_string(max_channels()) + ")");
  if (array.dtype() != DType::u8 && array.dtype() != DType::f32)
    throw BadInput("--input " + path + " holds " + std::string(name_of(array.dtype())) +
                   "; images are of uint8 or float");
  if (array.dtype() == DType::f32 &&
      std::ranges::any_of(array.as<float>(), [](float value) { return !std::isfinite(value); }))
    throw BadInput("--input " + path + " holds numbers that are not finite");
  HostArray image(array.dtype(), shape);
  std::ranges::copy(array.bytes(), image.bytes().begin());
  return image;
}

void ImageProblem::adopt_input(Case& c, const HostArray& input) const {
  c.size = {{"width", input.shape().at(1)}, {"height", input.shape().at(0)}};
  if (input.shape().size() > 2) c.set_param("channels", static_cast<double>(input.shape().at(2)));
  c.dtype = input.dtype();
  if (c.dtype != DType::f32) return;
  double brightest = 0;
  for (const float level : input.as<float>()) brightest = std::max(brightest, std::fabs(double{level}));
  c.set_param("brightest", brightest);
}

void ImageProblem::write_output(const std::string& path, const std::vector<HostArray>& outputs) const {
  if (is_image_path(path))
    write_image(path, to_bytes(outputs.at(0)));
  else
    ProblemCommandLine::write_output(path, outputs);
}

void ImageProblem::check_output_path(const std::string& path) const {
  if (is_image_path(path))
    check_image_path(path);
  else
    ProblemCommandLine::check_output_path(path);
}

void ImageProblem::set_border(Case& c, Border border) {
  c.set_param("border", static_cast<int>(border), border_names[static_cast<int>(border)]);
}

void ImageProblem::configure_channels(Case& c, const std::map<std::string, std::string>& given,
                                      const Replacements& inputs) const {
  const auto channels = given.find("channels");
  if (channels == given.end()) return;
  const auto number = parse_number("--channels", channels->second, 1, max_channels());
  if (inputs.contains(0) && number != inputs.at(0).shape().at(2))
    throw BadInput("--channels " + channels->second + " does not go with --input, whose pixels have " +
                   std::to_string(inputs.at(0).shape().at(2)));
  c.set_param("channels", static_cast<double>(number));
}

void ImageProblem::configure_border(Case& c, const std::map<std::string, std::string>& given) {
  if (const auto border = given.find("border"); border != given.end())
    set_border(c, static_cast<Border>(parse_choice("--border", border->second, border_names)));
}

Border ImageProblem::border_of(const Case& c) {
  return static_cast<Border>(whole_parameter("border", c.param("border", 1), 0, 3));
}

HostArray ImageProblem::untouched_output(DType dtype, const std::vector<std::int64_t>& shape,
                                         std::int64_t radius, unsigned char level) {
  HostArray image(dtype, shape);
  fill_poison(image.bytes());
  const std::int64_t height = shape.at(0), width = shape.at(1), channels = shape.size() > 2 ? shape[2] : 1;
  dispatch<unsigned char, float>(dtype, [&]<class T>() {
    const std::span<T> to = image.as<T>();
    for (std::int64_t y = 0, i = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x, i += channels)
        if (x < radius || x >= width - radius || y < radius || y >= height - radius)
          std::fill_n(to.begin() + i, channels, static_cast<T>(level));
  });
  return image;
}

int whole_parameter(const char* name, double value, int low, int high) {
  if (!(value >= low && value <= high) || value != std::floor(value))
    throw std::invalid_argument(std::string(name) + " must be " + std::to_string(low) + " to " +
                                std::to_string(high));
  return static_cast<int>(value);
}

HostArray to_float(const HostArray& bytes) {
  HostArray image(DType::f32, bytes.shape());
  std::ranges::copy(bytes.as<std::uint8_t>(), image.as<float>().begin());
  return image;
}

HostArray to_bytes(const HostArray& image) {
  if (image.dtype() == DType::u8) return image;
  HostArray bytes(DType::u8, image.shape());
  std::ranges::transform(image.as<float>(), bytes.as<std::uint8_t>().begin(), [](float value) {
    return static_cast<std::uint8_t>(std::lrint(std::clamp(value, 0.0f, 255.0f)));
  });
  return bytes;
}

}  // namespace warplab
