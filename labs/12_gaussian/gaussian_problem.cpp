// Lab 12's problem: images of all shapes with any number of channels, banks of filters, an oracle in double.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "common/host/bad_input.hpp"
#include "common/host/random.hpp"
#include "common/io/image_file.hpp"
#include "common/io/scene.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/image_problem.hpp"
#include "harness/rung/backend.hpp"
#include "problem/case.hpp"
#include "problem/filters.hpp"
#include "problem/workspace.hpp"

namespace warplab {
namespace {

using enum Pattern;
using Shape = GaussianShape;

HostArray picture_of(const Shape& shape, std::uint64_t seed, bool large) {
  HostArray image(DType::u8, shape.extents());
  const std::span<std::uint8_t> bytes = image.as<std::uint8_t>();
  switch (shape.pattern) {
    case scene:
      if (shape.channels <= 4 && !large)
        return photograph_like_scene(shape.width, shape.height, shape.channels, seed);
      [[fallthrough]];
    case noise:
      fill_random(image, seed);
      break;
    case white:
      std::ranges::fill(bytes, std::uint8_t{255});
      break;
    case checkerboard:
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto pixel = static_cast<std::int64_t>(i) / shape.channels;
        bytes[i] = (pixel / shape.width + pixel % shape.width) % 2 ? 255 : 0;
      }
      break;
    case point:
      if (!bytes.empty())
        bytes[static_cast<std::size_t>(((shape.height / 2) * shape.width + shape.width / 2) *
                                       shape.channels)] = 255;
      break;
  }
  return image;
}

bool is_hybrid(const Rung& rung) { return rung.name.starts_with("hybrid"); }

class GaussianProblem : public ImageProblem {
 public:
  std::string lab() const override { return "gaussian"; }
  std::string title() const override {
    return "Gaussian filters: CUDA cores, Tensor Cores, and the algorithm";
  }

  const std::vector<Rung>& rungs() const override;
  Case default_case(Backend where) const override {
    return where == Backend::cuda ? gaussian_case(6000, 4000, 4, 27, 8) : gaussian_case(96, 64, 4, 9, 2);
  }
  std::vector<Case> default_cases(Backend where) const override;
  bool runs_by_itself(const Case& c, const Rung& rung) const override;
  std::vector<Case> public_cases(const Rung& rung) const override;

  Case for_rung(const Case& c, const Rung& rung) const override {
    Case own = c;
    std::erase_if(own.params, [](const Parameter& p) { return p.of_rung; });
    if (is_hybrid(rung)) own.params.push_back({"balance", c.param("balance", 0.5), "", true});
    if (rung.name == "cuda_cores") own.params.push_back({"truncates", 1, "yes", true});
    return own;
  }

  std::vector<HostArray> inputs(const Case& c) const override {
    const Shape shape(c);
    std::vector<HostArray> in;
    in.push_back(picture_of(shape, c.seed, shape.pixels() > max_pixels_looked_at));
    // For a file's filters, which take their place, arrays of their shape.
    FilterSet set = shape.kind == FilterKind::file ? random_filters(shape.filters, shape.side, c.seed)
                                                   : filters_of(c, shape);
    if (shape.kind == FilterKind::file && c.param("separable", 0) != 0) {
      set.terms = 1;
      for (int i = 0; i < 2 * shape.filters; ++i) {
        const std::vector<double> factor = reference::gaussian_factor(shape.side, usual_sigma(shape.side));
        set.factors.insert(set.factors.end(), factor.begin(), factor.end());
      }
    }
    for (HostArray& array : arrays_of(set)) in.push_back(std::move(array));
    return in;
  }

  ArrayNames array_names() const override { return {{"in"}, {"out"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override {
    const Shape shape(c);
    return {{DType::u8, {shape.filters, shape.height, shape.width, shape.channels}}};
  }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& inputs) const override {
    const Shape shape(c);
    std::vector<HostArray> out;
    out.emplace_back(DType::u8, outputs(c)[0].shape);
    const unsigned char* const in = inputs.at(0).as<std::uint8_t>().data();
    const HostArray& exact = inputs.at(3);
    unsigned char* const to = out[0].as<std::uint8_t>().data();
    if (exact.shape().size() == 4)
      reference::gaussian_terms(in, exact.as<double>().data(), static_cast<int>(exact.shape()[1]), to,
                                shape.of_reference());
    else
      reference::gaussian_dense(in, exact.as<double>().data(), to, shape.of_reference());
    return out;
  }

  // In grey levels, for a filter of n taps whose |weights| sum to g: an image's sums are at most S = 255 g.
  //   weights: halves instead of reals: FilterErrors, times 255.
  //   sums: n roundings by at most 2^-24 S. Where they go either way, their sum is below 6 sqrt(n) 2^-24 S
  //     with probability 1 - 2 exp(-18) (Higham and Mary, "A New Approach to Probabilistic Rounding Error
  //     Analysis", 2019). Tensor Cores cut off, once in 16 taps: n / 16 * 2^-23 S, which also covers what
  //     goes one way in long sums of a surface that is even.
  //   two passes: the values between them may be rounded to half: 2^-12 S, times g again. So may their sums
  //     about the middle level, at most S / 2, once per 16 taps of a side.
  // Then both sides are rounded: the difference is whole, and with an error e at most floor(e) + 1.
  // Half accumulation rounds each product and each sum by at most 2^-11 S, and cuts the fraction off. With
  // negative weights a sum on its way may leave a half's range: then any level may come out.
  Tolerance tolerance(const Case& c, std::size_t) const override {
    const Shape shape(c);
    const double taps = static_cast<double>(shape.side) * shape.side;
    double quantisation = c.param("file_error", 0), gain = c.param("file_gain", 1);
    if (shape.kind != FilterKind::file) {
      const FilterErrors errors(filters_of(c, shape));
      quantisation = std::max(errors.dense, errors.separable);
      gain = errors.gain;
    }
    const double most = 255 * gain;
    if (c.param("truncates", 0) != 0 && gain > 1 + 1e-9) return {.atol = 255};
    if (c.param("truncates", 0) != 0)
      return {.atol = std::min(255.0, std::floor(255 * quantisation + 2 * taps * 0x1p-11 * most) + 1)};
    const double sums = (6 * std::sqrt(taps) * 0x1p-24 + taps / 16 * 0x1p-23) * most;
    const double passes = (1 + 0.5 * std::ceil(shape.side / 16.0)) * 0x1p-12 * most * gain;
    return {.atol = std::floor(255 * quantisation + sums + passes) + 1};
  }

  std::string shortfall(const Case& c, const Rung& rung, double max_abs_error) const override {
    if (rung.name != "cuda_cores" || max_abs_error <= 2) return {};
    return "half accumulation of " + std::to_string(Shape(c).side * Shape(c).side) +
           " products is off by up to " + std::to_string(static_cast<int>(max_abs_error)) +
           " grey levels; cuda_cores_float is not";
  }

  // The image is read once, and written once a filter. Products of the better way: two
  // passes where there are factors.
  Cost cost(const Case& c) const override {
    const Shape shape(c);
    const double bytes = static_cast<double>(shape.pixels()) * shape.channels, side = shape.side;
    const bool separable = shape.kind == FilterKind::gaussian || c.param("separable", 0) != 0;
    return {.bytes = bytes * (1 + shape.filters),
            .flops = 2 * (separable ? 2 * side : side * side) * shape.filters * bytes,
            .arithmetic = DType::f16};
  }

  std::size_t workspace_bytes(const Case& c, const Rung& rung) const override {
    const Shape shape(c);
    return gaussian_workspace_bytes(rung.name, shape.filters, shape.side);
  }

  bool baseline(const Case& c, const std::vector<HostArray>& inputs, std::vector<HostArray>& outputs,
                int threads) const override {
    constexpr double max_flops = 2e9;  // about a second on one core
    const Shape shape(c);
    const HostArray& exact = inputs.at(3);
    const int terms = exact.shape().size() == 4 ? static_cast<int>(exact.shape()[1]) : 0;
    if (terms > 1 || cost(c).flops > max_flops) return false;
    return reference::gaussian_baseline(inputs.at(0).as<std::uint8_t>().data(), exact.as<double>().data(),
                                        terms, outputs.at(0).as<std::uint8_t>().data(), shape.of_reference(),
                                        threads);
  }

  std::string output_help() const override {
    return "Write the result of the last rung to this image (several filters: name-1.png, name-2.png, ...), "
           "or all of it to a .npy file";
  }
  void write_output(const std::string& path, const std::vector<HostArray>& outputs) const override;

  std::vector<LabOption> lab_options() const override {
    return {{"filter-size", "The filters' size, or sizes: 9 or 27,9,3. An even one becomes the next odd one"},
            {"filters", "How many filters at once: 1 to 64; Tensor Cores take up to 8"},
            {"sigma", "Their standard deviation in pixels, or several: 2.5 or 2.5,1"},
            {"filter", "Files of filters, each with the rows of an odd square whose numbers sum to 1"},
            {"kind", "gaussian, mixed (a cross, not separable) or random"},
            {"channels", "Of the built-in picture: 1 to 4096"},
            {"balance", "Of the hybrids: the share of Tensor Cores, 0 to 1"},
            {"pattern", "scene, noise, white, checkerboard or point"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given,
                 Replacements& inputs) const override;

  std::vector<Picture> pictures(const Case& c, const std::vector<HostArray>& inputs,
                                const std::vector<HostArray>& outputs) const override;

 protected:
  int max_channels() const override { return max_image_channels; }
};

const std::vector<Rung>& GaussianProblem::rungs() const {
  using enum Rung::Access;
  static const std::vector<DType> bytes{DType::u8};
  static const std::vector<Rung> table{
      {"cuda_cores", "one thread per pixel and channel, sums in half", task, bytes},
      {"cuda_cores_float", "the same with sums in float, rounded", task, bytes},
      {"wmma_im2col", "neighbourhoods as rows of a matrix, filters as its columns", task, bytes},
      // BEGIN WITHHELD
      {"wmma_intermediate", "neighbourhoods by way of an intermediate matrix", withheld, bytes},
      // END WITHHELD
      {"wmma_padded", "rows padded against bank conflicts", task, bytes},
      {"hybrid_fused", "Tensor and CUDA cores in one kernel, by a balance", task, bytes},
      {"hybrid_two_kernels", "Tensor and CUDA cores in two kernels, one after the other", task, bytes},
      // BEGIN WITHHELD
      {"hybrid_fused_intermediate", "the same by way of an intermediate matrix per warp", withheld, bytes},
      {"hybrid_split", "Tensor and CUDA cores in two kernels and two streams", withheld, bytes},
      // END WITHHELD
      {"tiled", "CUDA cores: a tile in shared memory, sums in registers", given, bytes},
      {"toeplitz", "rows of the image times a banded matrix", given, bytes},
      {"toeplitz_async", "the matrices copied while others are used", given, bytes},
      {.name = "toeplitz_wgmma",
       .idea = "a warpgroup's products, straight from shared memory",
       .dtypes = bytes,
       .needs = "sm_90a"},
      {"separable", "two passes of one dimension, fused", task, bytes},
      {"separable_wmma", "two passes on Tensor Cores", given, bytes},
      {.name = "separable_mma",
       .idea = "two passes on Tensor Cores, in registers between them",
       .dtypes = bytes,
       .needs = "sm_90a"},
      {"auto", "the fastest of these for the case", given, bytes},
      {.name = "cudnn", .idea = "NVIDIA's library of convolutions", .dtypes = bytes, .peer_of = "cuDNN"},
      {.name = "cufft", .idea = "by way of the frequencies", .dtypes = bytes, .peer_of = "cuFFT"},
  };
  return table;
}

// A picture in the published sizes: with Gaussians, and with filters that are not products.
std::vector<Case> GaussianProblem::default_cases(Backend where) const {
  if (where == Backend::emulator) return {default_case(where)};
  std::vector<Case> cases;
  for (const auto& [side, filters] : {std::pair{3, 1}, {3, 8}, {27, 8}, {81, 1}, {81, 8}})
    cases.push_back(gaussian_case(6000, 4000, 4, side, filters));
  for (const auto& [side, filters] : {std::pair{3, 1}, {3, 8}, {9, 1}, {9, 8}, {27, 1}, {27, 8}, {81, 8}})
    cases.push_back(gaussian_case(6000, 4000, 4, side, filters, FilterKind::mixed));
  return cases;
}

// Each rung at 3x3 with one filter and 27x27 with eight; elsewhere those that compete. What knows
// nothing of factors takes as long for one kind of filter as for the other: so crosses are
// checked only in those for dense filters.
bool GaussianProblem::runs_by_itself(const Case& c, const Rung& rung) const {
  if (backend == Backend::emulator) return true;
  const Shape shape(c);
  const bool dense_too = rung.name == "toeplitz_wgmma" || rung.name == "auto";
  if (shape.kind == FilterKind::mixed) {
    if (shape.side == 27 && rung.name.starts_with("toeplitz")) return true;
    return dense_too || !rung.peer_of.empty() || (rung.name == "tiled" && shape.side < 81);
  }
  if (!rung.peer_of.empty()) return false;
  if ((shape.side == 3 && shape.filters == 1) || shape.side == 27) return true;
  const bool of_report = rung.name == "cuda_cores_float" || rung.name == "wmma_im2col";
  return rung.name.starts_with("separable") || rung.name == "auto" || rung.name == "tiled" ||
         (shape.side == 81 && (of_report || rung.name == "toeplitz_wgmma"));
}

std::vector<Case> GaussianProblem::public_cases(const Rung& rung) const {
  const bool factors = rung.name.starts_with("separable");
  std::vector<Case> cases;
  const auto add = [&](std::int64_t width, std::int64_t height, int channels, int side, int filters,
                       FilterKind kind, Pattern pattern = noise) {
    if (factors && kind != FilterKind::gaussian) return;
    Case c = gaussian_case(width, height, channels, side, filters, kind, pattern);
    c.seed = 1 + cases.size();
    if (is_hybrid(rung)) {
      constexpr double balances[] = {0.5, 0, 1, 0.25, 0.9};
      c.params.push_back({"balance", balances[cases.size() % 5], "", true});
    }
    cases.push_back(for_rung(c, rung));
  };
  // Empty, one pixel, smaller than the filter, rows and columns, one off a warp's 32 bytes and off 16 and 64.
  for (const auto& [width, height] :
       {std::pair{0, 5}, {5, 0}, {1, 1}, {7, 5}, {31, 33}, {1, 67}, {130, 1}, {16, 16}, {65, 17}})
    add(width, height, 1 + static_cast<int>(cases.size()) % 5, 9, 1 + static_cast<int>(cases.size()) % 8,
        FilterKind::gaussian);
  // Every number of filters, of channels, and sizes around a slice of 16 taps and a tile of 16 outputs.
  for (int filters = 1; filters <= 8; ++filters)
    add(33, 18, filters % 2 ? 1 : 4, 5, filters, FilterKind::gaussian);
  for (int channels = 1; channels <= 5; ++channels)
    add(21, 19, channels, 5, 2, channels % 2 ? FilterKind::gaussian : FilterKind::mixed);
  for (const int side : {1, 3, 15, 17, 33})
    add(37, 29, 4, side, 2, side % 4 == 1 ? FilterKind::random : FilterKind::gaussian);
  add(19, 23, 3, 7, 3, FilterKind::random);
  add(40, 24, 4, 3, 1, FilterKind::random, scene);
  // What rounding and borders stumble over.
  for (const Pattern pattern : {scene, white, checkerboard, point})
    for (const int filters : {1, 8})
      add(48, 20, 4, filters == 1 ? 9 : 3, filters, FilterKind::gaussian, pattern);
  // Filters of different sizes, in a bank of the largest.
  Case several = gaussian_case(30, 20, 4, 9, 3, FilterKind::gaussian, noise);
  several.set_param("side 1", 3);
  several.set_param("side 2", 9);
  several.set_param("side 3", 5);
  cases.push_back(for_rung(several, rung));
  // More than Tensor Cores take.
  // What filters of up to 9x9 have a path of their own for: rows of whole words of 16
  // bytes, several blocks of them.
  add(80, 70, 1, 7, 2, FilterKind::gaussian);
  add(1040, 40, 4, 5, 2, FilterKind::gaussian);
  add(48, 37, 4, 9, 3, FilterKind::gaussian);
  add(9, 7, 1, 243, 1, FilterKind::gaussian);
  if (rung.name == "auto") add(17, 9, 2, 11, 19, FilterKind::mixed);
  if (rung.name == "auto") add(40, 9, 4, 15, 10, FilterKind::gaussian);
  if (rung.name.starts_with("cuda_cores") || rung.name == "tiled" || rung.name == "separable")
    add(17, 9, 2, 5, 11, FilterKind::gaussian);
  return cases;
}

auto number_between(const char* flag, double low, double high) {
  return [=](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || !(value >= low && value <= high))
      throw BadInput(fmt::format("{} is '{}'; it must be a number from {:g} to {:g}", flag, text, low, high));
    return value;
  };
}

/// --filter-size: one side for all filters, or one for each.
void configure_sides(Case& c, const std::string& text, bool filters_given) {
  std::vector<std::int64_t> sides = parse_list(
      text, [](const std::string& one) { return parse_number("--filter-size", one, 1, max_filter_side); });
  for (std::int64_t& side : sides) {
    if (side % 2) continue;
    ++side;
    fmt::print(stderr, "gaussian: --filter-size {} has no pixel in its centre; taken as {}\n", side - 1,
               side);
  }
  c.set_param("side", static_cast<double>(*std::ranges::max_element(sides)));
  if (sides.size() == 1) return;
  if (filters_given)
    throw BadInput("--filter-size " + text + " says how many filters there are: without --filters");
  c.set_param("filters", static_cast<double>(parse_number("the number of sizes in --filter-size",
                                                          std::to_string(sides.size()), 1, max_filters)));
  for (std::size_t i = 0; i < sides.size(); ++i)
    c.set_param("side " + std::to_string(i + 1), static_cast<double>(sides[i]));
}

/// --sigma: one for all filters, or one for each.
void configure_sigmas(Case& c, const std::string& text) {
  const std::vector<double> sigmas = parse_list(text, number_between("--sigma", 1e-3, 1e6));
  if (sigmas.size() == 1) return c.set_param("sigma", sigmas[0]);
  if (static_cast<double>(sigmas.size()) != c.param("filters", 1))
    throw BadInput(fmt::format("--sigma {} has {} numbers for {:g} filters", text, sigmas.size(),
                               c.param("filters", 1)));
  for (std::size_t i = 0; i < sigmas.size(); ++i) c.set_param("sigma " + std::to_string(i + 1), sigmas[i]);
}

void GaussianProblem::configure(Case& c, const std::map<std::string, std::string>& given,
                                Replacements& inputs) const {
  const auto with = [&](const char* name, auto use) {
    if (const auto found = given.find(name); found != given.end()) use(found->second);
  };
  configure_channels(c, given, inputs);
  with("kind", [&](const std::string& text) {
    const auto kind = parse_choice("--kind", text, std::span(kind_names).first(3));
    c.set_param("kind", static_cast<double>(kind), text);
  });
  with("pattern", [&](const std::string& text) {
    c.set_param("pattern", static_cast<double>(parse_choice("--pattern", text, pattern_names)), text);
  });
  with("filters", [&](const std::string& text) {
    c.set_param("filters", static_cast<double>(parse_number("--filters", text, 1, max_filters)));
  });
  with("filter-size", [&](const std::string& text) { configure_sides(c, text, given.contains("filters")); });
  with("sigma", [&](const std::string& text) { configure_sigmas(c, text); });
  with("balance", [&](const std::string& text) {
    c.params.push_back({"balance", number_between("--balance", 0, 1)(text), "", true});
  });
  with("filter", [&](const std::string& text) {
    for (const char* other : {"filters", "filter-size", "sigma", "kind"})
      if (given.contains(other))
        throw BadInput(fmt::format("--filter takes its filters from files: without --{}", other));
    use_filter_files(c, text, inputs);
  });
}

/// Filter `i`'s plane of an output as an image.
HostArray plane(const HostArray& output, std::int64_t i) {
  const std::vector<std::int64_t> extents(output.shape().begin() + 1, output.shape().end());
  HostArray image(DType::u8, extents);
  std::ranges::copy(
      output.bytes().subspan(static_cast<std::size_t>(i) * image.size_bytes(), image.size_bytes()),
      image.bytes().begin());
  return image;
}

void GaussianProblem::write_output(const std::string& path, const std::vector<HostArray>& outputs) const {
  if (!is_image_path(path)) return ProblemCommandLine::write_output(path, outputs);
  const std::int64_t filters = outputs.at(0).shape().at(0), channels = outputs[0].shape().at(3);
  if (channels > 4)
    throw BadInput(fmt::format("--output {}: an image file holds 1 to 4 channels, not {}; write a .npy file",
                               path, channels));
  for (std::int64_t i = 0; i < filters; ++i) {
    std::filesystem::path file = path;
    if (filters > 1)
      file.replace_filename(file.stem().string() + "-" + std::to_string(i + 1) + file.extension().string());
    write_image(file.string(), plane(outputs[0], i));
    if (filters > 1) fmt::print("written: {}\n", file.string());
  }
}

std::vector<Picture> GaussianProblem::pictures(const Case& c, const std::vector<HostArray>& inputs,
                                               const std::vector<HostArray>& outputs) const {
  const Shape shape(c);
  if (shape.pixels() == 0 || shape.pixels() > max_pixels_looked_at || shape.channels > 4) return {};
  const std::string size = fmt::format("{}x{}x{}", shape.width, shape.height, shape.channels);
  std::vector<Picture> pictures{
      {std::string(pattern_names[static_cast<int>(shape.pattern)]) + "-" + size, inputs.at(0)}};
  for (int i = 0; i < std::min(shape.filters, 2); ++i)  // the others look much the same
    pictures.push_back(
        {fmt::format("{}-{}-{}-{}", kind_names[static_cast<int>(shape.kind)], shape.side, i + 1, size),
         plane(outputs.at(0), i)});
  return pictures;
}

const ProblemRegistration<GaussianProblem> registration;

}  // namespace
}  // namespace warplab
