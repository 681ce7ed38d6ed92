// Lab 06's problem: grey images of all shapes, gradients that are exact in float, and what the published
// picture looks like.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "common/host/bad_input.hpp"
#include "common/host/parallel.hpp"
#include "common/host/random.hpp"
#include "common/io/scene.hpp"
#include "harness/problem/image_problem.hpp"
#include "reference/sobel.hpp"

namespace warplab {
namespace {

constexpr int largest_extent = 1 << 30;

std::int64_t checked_extent(const Case& c, const char* name) {
  return whole_parameter(name, static_cast<double>(c.extent(name)), 0, largest_extent);
}

std::vector<std::int64_t> shape_of(const Case& c) {
  return {checked_extent(c, "height"), checked_extent(c, "width")};
}

bool wants_angle(const Case& c) { return c.param("orientation", 0) != 0; }

/// A colour as ITU-R BT.601 weighs it for grey.
double luma(double red, double green, double blue) { return 0.299 * red + 0.587 * green + 0.114 * blue; }

/// (height, width, channels) as (height, width); alpha is left out.
HostArray to_grey(const HostArray& image) {
  const std::int64_t channels = image.shape().at(2);
  HostArray grey(image.dtype(), {image.shape()[0], image.shape()[1]});
  dispatch<unsigned char, float>(image.dtype(), [&]<class T>() {
    const std::span<const T> from = image.as<T>();
    const std::span<T> to = grey.as<T>();
    for (std::size_t i = 0; i < to.size(); ++i) {
      const T* const pixel = &from[i * static_cast<std::size_t>(channels)];
      const double level = channels < 3 ? pixel[0] : luma(pixel[0], pixel[1], pixel[2]);
      to[i] = std::is_same_v<T, float> ? static_cast<T>(level) : static_cast<T>(std::nearbyint(level));
    }
  });
  return grey;
}

/// The angle as a hue (red to the right, then through yellow, green and blue as it turns downwards and back)
/// and the magnitude as its brightness.
HostArray orientation_picture(const HostArray& magnitude, const HostArray& angle) {
  HostArray picture(DType::u8, {magnitude.shape()[0], magnitude.shape()[1], 3});
  const HostArray brightness = to_bytes(magnitude);
  const std::span<std::uint8_t> to = picture.as<std::uint8_t>();
  for (std::size_t i = 0; i < brightness.as<std::uint8_t>().size(); ++i) {
    const double hue = angle.as<float>()[i] / (2 * std::numbers::pi) * 6;  // -3 to 3; 0 is red
    for (int channel = 0; channel < 3; ++channel) {
      const double from_peak =
          std::fabs(std::remainder(hue - 2 * channel, 6));  // red, green, blue at 0, 2, 4
      to[3 * i + static_cast<std::size_t>(channel)] = static_cast<std::uint8_t>(
          std::lrint(std::clamp(2 - from_peak, 0.0, 1.0) * brightness.as<std::uint8_t>()[i]));
    }
  }
  return picture;
}

/// What tests the filter hardest: squares of 8x8 pixels that are black, white, either at random, or noise. So
/// there are flat places (no direction), edges that saturate, and everything between.
HostArray test_pattern(const std::vector<std::int64_t>& shape, std::uint64_t seed) {
  HostArray image(DType::u8, shape);
  fill_random(image, seed);
  const std::span<std::uint8_t> levels = image.as<std::uint8_t>();
  const std::int64_t width = shape[1];
  parallel_ranges(shape[0], [&](std::int64_t begin, std::int64_t end, unsigned) {
    for (std::int64_t i = begin * width; i < end * width; ++i) {
      const auto square = static_cast<std::uint64_t>((i / width / 8 << 32) + i % width / 8);
      const auto kind = random_bits(seed + 1, square) % 4;
      std::uint8_t& level = levels[static_cast<std::size_t>(i)];
      level = kind == 0 ? 0 : kind == 1 ? 255 : kind == 2 ? (level & 1 ? 255 : 0) : level;
    }
  });
  return image;
}

class SobelProblem : public ImageProblem {
 public:
  std::string lab() const override { return "sobel"; }
  std::string title() const override { return "Sobel filter: fusing kernels, and arithmetic on bytes"; }

  const std::vector<Rung>& rungs() const override {
    using enum Rung::Access;
    static const std::vector<DType> both{DType::u8, DType::f32};
    static const std::vector<Rung> table{
        {"three_kernels",
         "gx, gy and the magnitude by a launch each, through memory",
         task,
         both,
         Extent3{16, 16, 1},
         {},
         true},
        {"fused", "one launch: both gradients stay in registers", task, both, Extent3{16, 16, 1}, {}, true},
        {"tiled", "a block's pixels and their halo in shared memory", task, both},
        {"vectorized", "16 bytes per thread down several rows; bytes are added by dot products", task, both},
        {.name = "npp", .idea = "NVIDIA's library of image filters", .dtypes = both, .peer_of = "NPP"},
    };
    return table;
  }

  // Rows of whole vectors of 16 bytes, so that the emulator counts the path that a GPU takes at its sizes.
  Case default_case(Backend where) const override {
    return where == Backend::cuda ? image(6000, 4000) : image(768, 512);
  }

  // The published picture, one as a camera takes it, and one as a wall shows it.
  std::vector<Case> default_cases(Backend where) const override {
    if (where == Backend::emulator) return {default_case(where)};
    std::vector<Case> cases;
    for (const DType dtype : {DType::u8, DType::f32})
      for (const auto& [width, height] : {std::pair{750, 499}, {6000, 4000}, {15360, 8640}})
        cases.push_back(image(width, height, dtype));
    for (const DType dtype : {DType::u8, DType::f32})
      cases.push_back(image(5999, 4000, dtype));  // rows that vectors of 16 bytes do not divide
    return cases;
  }

  std::vector<Case> public_cases(const Rung& rung) const override;

  // Float pixels are multiples of 1/256 below 256: all sums of the gradients are exact in float, so that the
  // sign of a gradient, and with it the angle, does not hang on rounding. Black and white stay flat.
  std::vector<HostArray> inputs(const Case& c) const override {
    const std::vector<std::int64_t> shape = shape_of(c);
    HostArray bytes(DType::u8, shape);
    if (c.param("noise", 0) != 0 || bytes.count() > max_pixels_looked_at)
      bytes = test_pattern(shape, c.seed);
    else
      std::ranges::copy(photograph_like_scene(shape[1], shape[0], 1, c.seed).bytes(), bytes.bytes().begin());
    std::vector<HostArray> in;
    in.push_back(c.dtype == DType::u8 ? std::move(bytes) : to_float(bytes));
    if (c.dtype == DType::f32) {
      std::uint64_t i = 0;
      for (float& level : in[0].as<float>()) {
        const auto fraction = static_cast<float>(random_bits(c.seed + 2, i++) % 256) / 256;
        if (level > 0 && level < 255) level += fraction;
      }
    }
    return in;
  }

  ArrayNames array_names() const override { return {{"in"}, {"out", "angle"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override {
    std::vector<ArraySpec> specs{{c.dtype, shape_of(c)}};
    if (wants_angle(c)) specs.push_back({DType::f32, shape_of(c)});
    return specs;
  }

  // Grey, and no direction, where nothing may be written.
  std::optional<HostArray> initial_output(const Case& c, const std::vector<HostArray>&,
                                          std::size_t i) const override {
    if (border_of(c) != Border::untouched) return std::nullopt;
    return untouched_output(outputs(c).at(i).dtype, shape_of(c), 1, i == 0 ? 128 : 0);
  }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& inputs) const override {
    std::vector<HostArray> out;
    for (const ArraySpec& spec : outputs(c))
      out.push_back(initial_output(c, inputs, out.size()).value_or(HostArray(spec.dtype, spec.shape)));
    const std::int64_t width = c.extent("width"), height = c.extent("height");
    dispatch<unsigned char, float>(c.dtype, [&]<class T>() {
      reference::sobel(inputs.at(0).as<T>().data(), out[0].as<T>().data(),
                       out.size() > 1 ? out[1].as<float>().data() : nullptr, width, height,
                       static_cast<reference::Beyond>(border_of(c)));
    });
    return out;
  }

  // uint8: equal. gx and gy are whole numbers, and the root of a whole number is never half-way between
  // two levels: the nearest to (k + 1/2)^2 = k^2 + k + 1/4 is 1/4 away, so its root is at least 1/(4(2k +
  // 1)) > 0.0004 from k + 1/2, hundreds of times what a root in float may be wrong by. float: gx and gy
  // are exact. With u = 2^-24, the squares, their sum, and a factor of 2 where there is one, are off by at
  // most 2 u relatively, which the root halves; the root itself and the oracle's last step round once
  // each: 3 u, and 4 u cover what is of second order. Other pixels than ours, of magnitude up to M, have
  // gradients with at most six roundings of at most 8 M u each, and both of them sqrt(2) times that.
  // angle: CUDA's atan2f is within 3 units in the last place (CUDA C++ Programming Guide), each at most 2
  // u of the value; the oracle rounds once.
  Tolerance tolerance(const Case& c, std::size_t i) const override {
    constexpr double u = 0x1p-24;
    if (i == 1) return {.atol = 0, .rtol = 7 * u};
    if (c.dtype == DType::u8) return {};
    return {.atol = 6 * 8 * std::numbers::sqrt2 * u * c.param("brightest", 0), .rtol = 4 * u};
  }

  // A pixel is read once, and its magnitude written once. By boxes of 2x2 pixels that neighbours share (see
  // the vectorized rung) it takes 4 additions, 2 squares, their sum, a factor and a root.
  Cost cost(const Case& c) const override {
    const double pixels =
        static_cast<double>(checked_extent(c, "width")) * static_cast<double>(checked_extent(c, "height"));
    const double angle = wants_angle(c) ? sizeof(float) : 0;
    return {.bytes = pixels * (2 * static_cast<double>(size_of(c.dtype)) + angle), .flops = 9 * pixels};
  }

  // three_kernels keeps both gradients there; NPP, for bytes, float magnitudes and 16-bit pixels.
  std::size_t workspace_bytes(const Case& c, const Rung& rung) const override {
    const auto width = static_cast<std::size_t>(checked_extent(c, "width")),
               height = static_cast<std::size_t>(checked_extent(c, "height"));
    if (rung.name == "three_kernels") return 2 * width * height * sizeof(float);
    return rung.name == "npp" && c.dtype == DType::u8 ? width * height * (sizeof(float) + sizeof(short)) : 0;
  }

  bool baseline(const Case& c, const std::vector<HostArray>& inputs, std::vector<HostArray>& outputs,
                int threads) const override {
    return dispatch<unsigned char, float>(c.dtype, [&]<class T>() {
      return reference::sobel_baseline(inputs.at(0).as<T>().data(), outputs.at(0).as<T>().data(),
                                       c.extent("width"), c.extent("height"),
                                       static_cast<reference::Beyond>(border_of(c)), threads);
    });
  }

  std::vector<LabOption> lab_options() const override {
    return {border_option(),
            {"orientation", "Also write the direction of each gradient, and a picture of it", false}};
  }

  void configure(Case& c, const std::map<std::string, std::string>& given,
                 Replacements& inputs) const override {
    configure_border(c, given);
    if (!given.contains("orientation")) return;
    if (inputs.contains(0) && inputs.at(0).dtype() == DType::f32)
      throw BadInput(
          "--orientation takes images of uint8: where float sums are rounded, the angle of a flat "
          "place is arbitrary");
    c.set_param("orientation", 1, "yes");
  }

  HostArray read_input(const std::string& path, std::optional<DType> dtype) const override {
    return to_grey(ImageProblem::read_input(path, dtype));
  }

  std::vector<Picture> pictures(const Case& c, const std::vector<HostArray>& inputs,
                                const std::vector<HostArray>& outputs) const override {
    const HostArray& magnitude = outputs.at(0);
    if (magnitude.count() == 0 || magnitude.count() > max_pixels_looked_at) return {};
    const std::string size = std::to_string(c.extent("width")) + "x" + std::to_string(c.extent("height")) +
                             (c.dtype == DType::f32 ? "-float" : "");
    const auto grey = [](const HostArray& image) {
      const HostArray bytes = to_bytes(image);
      HostArray picture(DType::u8, {bytes.shape()[0], bytes.shape()[1], 1});
      std::ranges::copy(bytes.bytes(), picture.bytes().begin());
      return picture;
    };
    const std::string border = border_names[static_cast<int>(border_of(c))];
    std::vector<Picture> pictures{{"scene-" + size, grey(inputs.at(0))},
                                  {"magnitude-" + border + "-" + size, grey(magnitude)}};
    if (outputs.size() > 1)
      pictures.push_back({"orientation-" + border + "-" + size, orientation_picture(magnitude, outputs[1])});
    return pictures;
  }

 private:
  static Case image(std::int64_t width, std::int64_t height, DType dtype = DType::u8,
                    Border border = Border::clamp) {
    Case c;
    c.size = {{"width", width}, {"height", height}};
    c.dtype = dtype;
    set_border(c, border);
    return c;
  }
};

std::vector<Case> SobelProblem::public_cases(const Rung& rung) const {
  // Empty, single, rows and columns, smaller than the filter, one off the tiles (32, 8), the vectors (16
  // bytes) and the blocks, primes, bands of rows and one more.
  static const std::int64_t sizes[][2] = {{0, 0},     {0, 5},    {5, 0},    {1, 1},    {1, 7},    {7, 1},
                                          {2, 2},     {3, 3},    {4, 3},    {4, 9},    {15, 9},   {16, 16},
                                          {17, 18},   {31, 7},   {32, 8},   {33, 9},   {48, 65},  {511, 2},
                                          {512, 3},   {513, 4},  {528, 5},  {1, 1021}, {997, 1},  {64, 67},
                                          {127, 131}, {136, 33}, {1040, 9}, {61, 96},  {2064, 10}};
  constexpr Border borders[] = {Border::untouched, Border::clamp, Border::zero, Border::reflect};
  const bool npp = !rung.peer_of.empty();  // has neither angles nor other borders
  std::vector<Case> cases;
  const auto add = [&](Case c, bool angle) {
    if (npp && (border_of(c) != Border::clamp || angle)) return;
    c.seed = 1 + cases.size();
    c.set_param("noise", 1);
    c.set_param("orientation", angle ? 1 : 0, angle ? "yes" : "no");  // tasks are chosen by it
    cases.push_back(c);
  };
  for (const auto& [width, height] : sizes)
    for (const DType dtype : rung.dtypes)
      for (const Border border : borders) {
        add(image(width, height, dtype, border), false);
        if (width < 70) add(image(width, height, dtype, border), true);
      }
  if (rung.takes_block)
    for (const Extent3 block : {Extent3{1, 1, 1}, Extent3{7, 9, 1}, Extent3{32, 8, 1}, Extent3{1024, 1, 1}}) {
      add(image(67, 29, DType::f32, Border::reflect), false);
      cases.back().block = block;
    }
  // More blocks down than a grid may have in y.
  const int rows_of_a_block = rung.name == "vectorized" ? 4 : rung.name == "tiled" ? 8 : 16;
  add(image(1, 65536 * rows_of_a_block + 1), false);
  return cases;
}

const ProblemRegistration<SobelProblem> registration;

}  // namespace
}  // namespace warplab
