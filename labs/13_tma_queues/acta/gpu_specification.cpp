#include "gpu_specification.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warplab::acta {
namespace {

using Json = nlohmann::ordered_json;
using Gst = GpuSpecification;

constexpr double kibibyte = 1024, gibibyte = 1024.0 * 1024 * 1024;

constexpr auto table = std::to_array<Field>({
    {"clock_ghz", &Gst::clock_ghz, "GHz", 0.1, 10},
    {"multiprocessors", &Gst::multiprocessors, "multiprocessors", 1, 4096},
    {"warp_pools", &Gst::warp_pools, "pools per multiprocessor", 1, 64},
    {"multiplications_per_cycle", &Gst::multiplications_per_cycle, "per pool", 1, 4096},
    {"shared_bytes", &Gst::shared_bytes, "bytes per block", kibibyte, 16 * 1024 * kibibyte},
    {"l1_bytes", &Gst::l1_bytes, "bytes per multiprocessor", kibibyte, 16 * 1024 * kibibyte},
    {"l2_bytes", &Gst::l2_bytes, "bytes", kibibyte, 16 * gibibyte},
    {"cache_line_bytes", &Gst::cache_line_bytes, "bytes", 16, 1024},
    {"tma_cycles", &Gst::tma_cycles, "cycles per push", 1, 10'000},
    {"copy_cycles", &Gst::copy_cycles, "cycles per further copy of a push", 1, 10'000},
    {"barrier_cycles", &Gst::barrier_cycles, "cycles per tile", 1, 10'000},
    {"shared_latency_cycles", &Gst::shared_latency_cycles, "cycles", 1, 10'000},
    {"l2_latency_cycles", &Gst::l2_latency_cycles, "cycles", 1, 100'000},
    {"dram_latency_cycles", &Gst::dram_latency_cycles, "cycles on top of L2's", 1, 100'000},
    {"dram_gigabytes_per_second", &Gst::dram_gigabytes_per_second, "GB/s", 1, 1e6},
    {"l2_gigabytes_per_second", &Gst::l2_gigabytes_per_second, "GB/s", 1, 1e6},
    {"shared_bytes_per_cycle", &Gst::shared_bytes_per_cycle, "bytes per cycle", 1, 4096},
    {"peak_gflops", &Gst::peak_gflops, "GFLOP/s", 1, 1e8},
});

constexpr std::array<std::string_view, 4> source_names = {"measured", "attribute", "datasheet", "assumed"};

[[noreturn]] void refuse(std::string_view origin, std::string_view what) {
  throw std::invalid_argument(fmt::format("{}: {}", origin, what));
}

void check_figure(const Field& field, double value, std::string_view origin) {
  if (value >= field.least && value <= field.greatest) return;  // false for NaN
  refuse(origin, fmt::format("{} is {:g}; it must be from {:g} to {:g} ({})", field.name, value, field.least,
                             field.greatest, field.unit));
}

Source source_from(const Json& entry, const Field& field, std::string_view origin) {
  const std::string name = entry.value("source", std::string());
  for (std::size_t i = 0; i < source_names.size(); ++i)
    if (name == source_names[i]) return static_cast<Source>(i);
  refuse(origin, fmt::format("{} has the source '{}'; sources are {}", field.name, name,
                             fmt::join(source_names, ", ")));
}

Figure figure_from(const Json& json, const Field& field, std::string_view origin) {
  if (!json.contains(field.name)) refuse(origin, fmt::format("the field {} is missing", field.name));
  const Json& entry = json.at(field.name);
  if (!entry.is_object() || !entry.contains("value") || !entry.at("value").is_number())
    refuse(origin, fmt::format("{} is {}; it must be an object such as {{\"value\": {:g}, \"source\": "
                               "\"measured\"}}",
                               field.name, entry.dump(), field.least));
  for (const auto& [key, ignored] : entry.items())
    if (key != "value" && key != "source" && key != "note")
      refuse(origin, fmt::format("{} has '{}'; a figure has value, source and note", field.name, key));
  for (const char* key : {"source", "note"})
    if (entry.contains(key) && !entry.at(key).is_string())
      refuse(origin,
             fmt::format("the {} of {} is {}; it must be text", key, field.name, entry.at(key).dump()));
  Figure figure{entry.at("value").get<double>(), source_from(entry, field, origin),
                entry.value("note", std::string())};
  if (figure.source == Source::assumed && figure.note.empty())
    refuse(origin, fmt::format("{} is assumed without a note; the note gives the reason", field.name));
  check_figure(field, figure, origin);
  return figure;
}

}  // namespace

std::span<const Field> fields() { return table; }

double GpuSpecification::dram_bytes_per_cycle(int active) const {
  return dram_gigabytes_per_second / clock_ghz / active;
}

double GpuSpecification::l2_bytes_per_cycle(int active) const {
  return l2_gigabytes_per_second / clock_ghz / active;
}

void check(const GpuSpecification& specification, std::string_view origin) {
  for (const Field& field : table) check_figure(field, specification.*field.figure, origin);
}

GpuSpecification specification_from_json(std::string_view text, std::string_view origin) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) refuse(origin, "this is not a JSON object with the fields of a GPU");
  if (!json.contains("name") || !json.at("name").is_string()) refuse(origin, "the GPU's name is missing");
  for (const auto& [key, ignored] : json.items()) {
    bool known = key == "name";
    for (const Field& field : table) known = known || key == field.name;
    if (!known) refuse(origin, fmt::format("the field '{}' is unknown", key));
  }
  GpuSpecification specification;
  specification.name = json.at("name").get<std::string>();
  for (const Field& field : table) specification.*field.figure = figure_from(json, field, origin);
  return specification;
}

GpuSpecification read_specification(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::invalid_argument("cannot read " + file.string() + "; it must be a GPU's table as JSON");
  return specification_from_json(text, file.string());
}

std::string to_json(const GpuSpecification& specification) {
  std::string text = fmt::format("{{\n  \"name\": {}", Json(specification.name).dump());
  for (const Field& field : table) {
    const Figure& figure = specification.*field.figure;
    Json entry = {{"value", figure.value}};
    if (figure.value == std::floor(figure.value) && std::abs(figure.value) < 1e15)
      entry["value"] = static_cast<long long>(figure.value);
    entry["source"] = source_names.at(static_cast<std::size_t>(figure.source));
    if (!figure.note.empty()) entry["note"] = figure.note;
    text += fmt::format(",\n  \"{}\": {}", field.name, entry.dump());
  }
  return text + "\n}\n";
}

}  // namespace warplab::acta
