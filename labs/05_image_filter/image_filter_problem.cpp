// Lab 05's problem: images of all shapes, filters and borders, an oracle that rounds as the
// rungs do, and the published picture.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "common/host/bad_input.hpp"
#include "common/host/parallel.hpp"
#include "common/host/random.hpp"
#include "common/io/filter_file.hpp"
#include "common/io/scene.hpp"
#include "harness/problem/image_problem.hpp"
#include "harness/rung/backend.hpp"
#include "reference/image_filter.hpp"

namespace warplab {
namespace {

constexpr const char* filter_names[] = {"mean", "sharpen", "random"};
enum Filter { mean, sharpen, from_file };  // "random" is what a filter from a file is like
constexpr FilterLimits file_limits{127, 1000000, "mean, sharpen and a file of numbers"};
constexpr std::int64_t odd_width = 5999;  // vectors of 16 bytes do not divide its rows
constexpr int max_radius = file_limits.side / 2;

Case image(std::int64_t width, std::int64_t height, DType dtype = DType::u8, Border border = Border::clamp,
           Filter filter = mean, int channels = 1, int radius = 1) {
  Case c;
  c.size = {{"width", width}, {"height", height}};
  c.dtype = dtype;
  c.set_param("border", static_cast<int>(border), border_names[static_cast<int>(border)]);
  c.set_param("filter", filter, filter_names[filter]);
  c.set_param("channels", channels);
  c.set_param("radius", radius);
  return c;
}

/// A case's numbers, checked.
struct Shape {
  std::int64_t width, height;
  int channels, radius;
  Filter filter;
  Border border;

  explicit Shape(const Case& c)
      : width(whole_parameter("width", static_cast<double>(c.extent("width")), 0, 1 << 28)),
        height(whole_parameter("height", static_cast<double>(c.extent("height")), 0, 1 << 28)),
        channels(whole_parameter("channels", c.param("channels", 1), 1, 4)),
        radius(whole_parameter("radius", c.param("radius", 1), 0, max_radius)),
        filter(static_cast<Filter>(whole_parameter("filter", c.param("filter", mean), mean, from_file))),
        border(static_cast<Border>(whole_parameter("border", c.param("border", 1), 0, 3))) {
    if (filter != from_file && radius != 1)
      throw std::invalid_argument("the mean and sharpen filters are 3x3: their radius is 1");
    if (c.dtype != DType::u8 && c.dtype != DType::f32)
      throw std::invalid_argument("images are of uint8 or float");
  }
  std::int64_t pixels() const { return width * height; }
  int side() const { return 2 * radius + 1; }
  std::vector<std::int64_t> extents() const { return {height, width, channels}; }
  reference::FilterShape of_reference() const {
    return {width, height, channels, radius, static_cast<reference::Beyond>(border)};
  }
};

/// The coefficients of a case: of a filter "from a file" without a file, random ones of about 3 in all.
HostArray filter_of(const Case& c, const Shape& shape) {
  HostArray filter(DType::f32, {shape.side(), shape.side()});
  const std::span<float> to = filter.as<float>();
  if (shape.filter == mean) {
    std::ranges::fill(to, 1.0f / 9);
  } else if (shape.filter == sharpen) {
    std::ranges::copy(std::vector<float>{0, -1, 0, -1, 5, -1, 0, -1, 0}, to.begin());
  } else {
    fill_random(filter, c.seed + 17, -0.5, 1.0);
    for (float& f : to) f *= 6.0f / static_cast<float>(to.size());
  }
  return filter;
}

/// The sum of the coefficients' magnitudes.
double gain_of(const HostArray& filter) {
  double sum = 0;
  for (const float f : filter.as<float>()) sum += std::fabs(f);
  return sum;
}

/// What tests a filter hardest: squares of 8x8 pixels that are black, white, either at random, or noise.
HostArray test_pattern(const Shape& shape, std::uint64_t seed) {
  HostArray image(DType::u8, shape.extents());
  fill_random(image, seed);
  const std::span<std::uint8_t> to = image.as<std::uint8_t>();
  const std::int64_t row = shape.width * shape.channels;
  parallel_ranges(shape.height, [&](std::int64_t begin, std::int64_t end, unsigned) {
    for (std::int64_t y = begin; y < end; ++y)
      for (std::int64_t x = 0; x < shape.width; ++x) {
        const auto kind = random_bits(seed + 1, static_cast<std::uint64_t>((y / 8 << 32) + x / 8)) % 4;
        for (std::int64_t i = y * row + x * shape.channels; i < y * row + (x + 1) * shape.channels; ++i) {
          std::uint8_t& byte = to[static_cast<std::size_t>(i)];
          byte = kind == 0 ? 0 : kind == 1 ? 255 : kind == 2 ? (byte & 1 ? 255 : 0) : byte;
        }
      }
  });
  return image;
}

class ImageFilterProblem : public ImageProblem {
 public:
  std::string lab() const override { return "image_filter"; }
  std::string title() const override { return "Image filter: halos, borders and bytes"; }

  const std::vector<Rung>& rungs() const override {
    using enum Rung::Access;
    static const std::vector<DType> both{DType::u8, DType::f32};
    static const std::vector<Rung> table{
        {"global", "one thread per pixel; image and filter in global memory", task, both},
        {"constant", "the filter in constant memory: one word serves a warp", task, both},
        {"tiled", "a block's pixels and their halo in shared memory", task, both},
        {"vectorized", "16 bytes per thread, sums that slide down the rows, bytes added in pairs", task,
         both},
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
    return {image(750, 499),
            image(6000, 4000),
            image(odd_width, 4000),
            image(6000, 4000, DType::u8, Border::clamp, sharpen),
            image(odd_width, 4000, DType::u8, Border::clamp, sharpen),
            image(6000, 4000, DType::u8, Border::clamp, from_file),
            image(odd_width, 4000, DType::u8, Border::clamp, from_file),
            image(15360, 8640),
            image(15360, 8640, DType::u8, Border::clamp, sharpen),
            image(6000, 4000, DType::f32),
            image(odd_width, 4000, DType::f32),
            image(15360, 8640, DType::f32)};
  }

  // Other filters and rows make a difference to vectors of 16 bytes only.
  bool runs_by_itself(const Case& c, const Rung& rung) const override {
    const Shape shape(c);
    const bool plain = shape.filter == mean && c.dtype == DType::u8;
    const bool for_vectors = shape.filter == from_file || (shape.width == odd_width && !plain);
    return !for_vectors || rung.name == "vectorized" || !rung.peer_of.empty();
  }

  std::vector<Case> public_cases(const Rung& rung) const override;

  std::vector<HostArray> inputs(const Case& c) const override {
    const Shape shape(c);
    const bool noise = c.param("noise", 0) != 0 || shape.pixels() > max_pixels_looked_at;
    std::vector<HostArray> in;
    in.push_back(noise ? test_pattern(shape, c.seed)
                       : photograph_like_scene(shape.width, shape.height, shape.channels, c.seed));
    if (c.dtype == DType::f32) {
      in[0] = to_float(in[0]);
      std::uint64_t i = 0;
      if (noise)
        for (float& value : in[0].as<float>()) value += static_cast<float>(random_unit(c.seed + 2, i++));
    }
    in.push_back(filter_of(c, shape));
    return in;
  }

  ArrayNames array_names() const override { return {{"in", "filter"}, {"out"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override { return {{c.dtype, Shape(c).extents()}}; }

  // Grey where nothing may be written.
  std::optional<HostArray> initial_output(const Case& c, const std::vector<HostArray>&,
                                          std::size_t) const override {
    const Shape shape(c);
    if (shape.border != Border::untouched) return std::nullopt;
    return untouched_output(c.dtype, shape.extents(), shape.radius, 128);
  }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& inputs) const override {
    const Shape shape(c);
    std::vector<HostArray> out;
    out.push_back(initial_output(c, inputs, 0).value_or(HostArray(c.dtype, shape.extents())));
    dispatch<unsigned char, float>(c.dtype, [&]<class T>() {
      reference::image_filter(inputs.at(0).as<T>().data(), inputs.at(1).as<float>().data(),
                              out[0].as<T>().data(), shape.of_reference());
    });
    return out;
  }

  // A sum of k products in float, in any order, is off by at most k u S / (1 - k u) with u = 2^-24 and S the
  // sum of the products' magnitudes (Higham, "Accuracy and Stability", 3.1), and S is at most the filter's
  // gain times the brightest pixel; one rounding more is the oracle's own.
  //   uint8, mean: sums of bytes are whole numbers, and s / 9 is never closer to a half than 1/18, but the
  //   error is below 9 u 255 < 0.0002. Sharpen: whole numbers below 2^24 throughout, no rounding at all. So
  //   both are asked to be equal. uint8, other filters: a sum near a half may be rounded to the other side.
  //   Where the error reaches whole grey levels (coefficients in the thousands), as many more.
  Tolerance tolerance(const Case& c, std::size_t) const override {
    const Shape shape(c);
    if (c.dtype == DType::u8 && shape.filter != from_file) return {};
    const double terms = shape.side() * shape.side() + 1;
    const double gain = c.param("gain", 0) > 0 ? c.param("gain", 0) : gain_of(filter_of(c, shape));
    const double error = terms * 0x1p-24 / (1 - terms * 0x1p-24) * gain * c.param("brightest", 256);
    return c.dtype == DType::u8 ? Tolerance{.atol = std::floor(error) + 1} : Tolerance{.atol = error};
  }

  // Every pixel is read once and written once; alpha is not filtered.
  Cost cost(const Case& c) const override {
    const Shape shape(c);
    const double pixels = static_cast<double>(shape.pixels()), taps = shape.side() * shape.side();
    const int filtered = shape.channels % 2 == 0 ? shape.channels - 1 : shape.channels;
    return {.bytes = 2 * pixels * shape.channels * static_cast<double>(size_of(c.dtype)),
            .flops = 2 * taps * pixels * filtered};
  }

  // NPP wants the filter's coefficients in reverse order.
  std::size_t workspace_bytes(const Case& c, const Rung& rung) const override {
    const auto side = static_cast<std::size_t>(Shape(c).side());
    return rung.peer_of.empty() ? 0 : side * side * sizeof(float);
  }

  bool baseline(const Case& c, const std::vector<HostArray>& inputs, std::vector<HostArray>& outputs,
                int threads) const override {
    return dispatch<unsigned char, float>(c.dtype, [&]<class T>() {
      return reference::image_filter_baseline(inputs.at(0).as<T>().data(), inputs.at(1).as<float>().data(),
                                              outputs.at(0).as<T>().data(), Shape(c).of_reference(), threads);
    });
  }

  std::vector<LabOption> lab_options() const override {
    return {border_option(),
            {"filter", "mean, sharpen, random, or a file with the rows of an odd square filter"},
            {"channels", "Of the built-in picture: 1 to 4"}};
  }

  void configure(Case& c, const std::map<std::string, std::string>& given,
                 Replacements& inputs) const override {
    configure_border(c, given);
    configure_channels(c, given, inputs);
    if (const auto filter = given.find("filter"); filter != given.end())
      use_filter(c, filter->second, inputs);
  }

  std::vector<Picture> pictures(const Case& c, const std::vector<HostArray>& inputs,
                                const std::vector<HostArray>& outputs) const override {
    const Shape shape(c);
    if (shape.pixels() == 0 || shape.pixels() > max_pixels_looked_at) return {};
    const auto label = [&](const char* name) {
      for (const Parameter& p : c.params)
        if (p.name == name) return p.label;
      return std::string();
    };
    std::string size = std::to_string(shape.width) + "x" + std::to_string(shape.height);
    if (shape.channels > 1) size += "x" + std::to_string(shape.channels);
    if (c.dtype == DType::f32) size += "-float";
    return {{"scene-" + size, to_bytes(inputs.at(0))},
            {label("filter") + "-" + label("border") + "-" + size, to_bytes(outputs.at(0))}};
  }

 private:
  static void use_filter(Case& c, const std::string& text, Replacements& inputs) {
    const auto named = std::ranges::find(filter_names, text);
    if (named != std::end(filter_names)) {
      c.set_param("filter", static_cast<double>(named - std::begin(filter_names)), text);
      c.set_param("radius", 1);
      return;
    }
    const FilterFile file = read_filter(text, file_limits);
    HostArray filter(DType::f32, {file.side, file.side});
    std::ranges::transform(file.coefficients, filter.as<float>().begin(),
                           [](double coefficient) { return static_cast<float>(coefficient); });
    c.set_param("filter", from_file, filter_label(text));
    c.set_param("radius", file.side / 2);
    c.set_param("gain", gain_of(filter));
    inputs[1] = std::move(filter);
  }
};

std::vector<Case> ImageFilterProblem::public_cases(const Rung& rung) const {
  // Empty, single, rows and columns, smaller than the filter, one off the tiles (32, 8), the vectors (16
  // bytes) and the warps (512 bytes), a warp with one lane at work, primes, bands of rows and one more.
  static const std::int64_t sizes[][2] = {
      {0, 0},   {0, 5},   {5, 0},    {1, 1},   {1, 7},   {7, 1},     {2, 2},    {3, 3},   {4, 3},
      {15, 9},  {16, 16}, {17, 18},  {31, 7},  {32, 8},  {33, 9},    {64, 65},  {511, 2}, {512, 3},
      {513, 4}, {528, 5}, {1, 1021}, {997, 1}, {44, 67}, {127, 131}, {136, 33}, {640, 66}};
  constexpr Border borders[] = {Border::untouched, Border::clamp, Border::zero, Border::reflect};
  const bool npp = !rung.peer_of.empty();
  std::vector<Case> cases;
  const auto add = [&](Case c) {
    const Shape shape(c);
    const bool bordered = shape.border == Border::zero || shape.border == Border::reflect;
    const bool mean_of_bytes = shape.filter == mean && c.dtype == DType::u8;
    if (npp && (bordered || mean_of_bytes || shape.channels != 1)) return;  // what NPP does not have
    c.seed = 1 + cases.size();
    c.set_param("noise", 1);
    cases.push_back(c);
  };
  // All sizes, each with every number of channels and every border, in turn with the filters.
  std::size_t turn = 0;
  for (const auto& [width, height] : sizes)
    for (const DType dtype : rung.dtypes)
      for (int channels = 1; channels <= 4; ++channels) {
        const Filter filter = static_cast<Filter>((turn + turn / 4) % 3);
        add(image(width, height, dtype, borders[turn++ % 4], filter, channels));
      }
  // All combinations, where rows are whole vectors and where they are not.
  for (const auto& [width, height] : {std::pair{48, 19}, {37, 17}})
    for (const DType dtype : rung.dtypes)
      for (const Border border : borders)
        for (int channels = 1; channels <= 4; ++channels) {
          add(image(width, height, dtype, border, mean, channels));
          add(image(width, height, dtype, border, sharpen, channels));
          add(image(width, height, dtype, border, from_file, channels, 1));
        }
  // Filters of other sizes.
  for (const int radius : {0, 2, 3})
    for (const DType dtype : rung.dtypes)
      for (const Border border : borders) {
        add(image(53, 37, dtype, border, from_file, 1 + radius % 4, radius));
        add(image(4, 3, dtype, border, from_file, 4, radius));
      }
  add(image(33, 20, DType::u8, Border::reflect, from_file, 1, max_radius));
  // More blocks down than a graded grid has in y: of 16 rows with 1021 above, and of 32 here.
  for (const DType dtype : rung.dtypes) add(image(1, 2049, dtype, Border::clamp, from_file, 1, 2));
  // More blocks down than a grid may have in y. Sixteen million threads at a barrier are left to GPUs.
  if (rung.name == "vectorized")
    add(image(1, 65536 * 16 + 1));
  else if (rung.name != "tiled" || backend == Backend::cuda)
    add(image(1, 65536 * 8 + 1));
  return cases;
}

const ProblemRegistration<ImageFilterProblem> registration;

}  // namespace
}  // namespace warplab
