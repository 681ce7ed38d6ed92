// Lab 01's problem. Its three rungs are three steps, each with buffers of its own: a case says by its
// parameter "step" which one it is for. Everything is host memory.
#include <algorithm>
#include <cstring>
#include <optional>

#include "common/host/random.hpp"
#include "device_facts.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {
namespace {

using reference::DeviceFacts;

enum Step { query, derive, compare };
constexpr const char* step_names[] = {"query", "derive", "compare"};

Step step_of(const Case& c) { return static_cast<Step>(static_cast<int>(c.param("step", query))); }

std::int64_t device_rows(const Case& c) {
  const std::int64_t count = c.extent("devices");
  if (count < 0 || count > 10000)
    throw std::invalid_argument("devices is " + std::to_string(count) + "; it must be 0 to 10000");
  return count;
}

/// A device that may exist: known and unknown architectures, and facts that are
/// missing (-1) or 0 now and then.
DeviceFacts invented(std::uint64_t seed, std::int64_t number) {
  std::uint64_t draws = static_cast<std::uint64_t>(number) * 64;
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return low +
           static_cast<std::int64_t>(random_bits(seed, draws++) % static_cast<std::uint64_t>(high - low + 1));
  };
  static const int capabilities[] = {35, 50, 52, 53, 60,  61,  62,  70,  72,  75, 80,
                                     86, 87, 89, 90, 100, 103, 110, 120, 121, 99, 42};
  DeviceFacts d;
  d.name = "Invented GPU " + std::to_string(draw(100, 999));
  if (draw(0, 3) == 0) d.name += " with a name that is longer than a cell and than a name may be at all";
  const int capability = capabilities[draw(0, std::size(capabilities) - 1)];
  d.compute_major = capability / 10;
  d.compute_minor = capability % 10;
  d.clock_khz = draw(500, 3000) * 1000;
  d.memory_clock_khz = draw(400, 14000) * 500;
  d.memory_bus_bits = draw(1, 128) * 64;
  d.global_memory_bytes = draw(1 << 10, 200 << 10) * (1 << 20) + draw(0, 1 << 20);
  d.constant_memory_bytes = 65536;
  d.l2_cache_bytes = draw(1, 400) * (1 << 18);
  d.multiprocessors = draw(1, 200);
  d.warp_size = 32;
  d.shared_memory_per_block_bytes = 49152;
  d.shared_memory_per_block_optin_bytes = draw(48, 227) * 1024;
  d.shared_memory_per_multiprocessor_bytes = draw(48, 228) * 1024;
  d.registers_per_block = d.registers_per_multiprocessor = 65536;
  d.max_threads_per_block = 1024;
  d.max_threads_per_multiprocessor = draw(2, 4) * 512;
  d.max_block_x = d.max_block_y = 1024;
  d.max_block_z = 64;
  d.max_grid_x = 2147483647;
  d.max_grid_y = d.max_grid_z = 65535;
  for (const FactName& fact : fact_names)
    if (draw(0, 15) == 0) d.*fact.member = fact.member == &DeviceFacts::compute_minor ? 0 : draw(-1, 0);
  return d;
}

/// A fact that a case gives its devices, which a question does.
std::optional<std::int64_t> fact_of(const Case& c, const FactName& fact) {
  const auto given = std::ranges::find(c.params, fact.key, &Parameter::name);
  return given == c.params.end() ? std::nullopt : std::optional(static_cast<std::int64_t>(given->value));
}

std::vector<DeviceFacts> invented_devices(const Case& c) {
  std::vector<DeviceFacts> devices;
  for (std::int64_t i = 0; i < device_rows(c); ++i) {
    devices.push_back(invented(c.seed, i));
    for (const FactName& fact : fact_names)
      if (fact_of(c, fact)) devices.back().*fact.member = *fact_of(c, fact);
  }
  return devices;
}

HostArray rows_of(std::int64_t count) { return HostArray(DType::i64, {count, field_count}); }
HostArray names_of(std::int64_t count) { return HostArray(DType::u8, {count, name_bytes}); }
HostArray figures_array(std::int64_t count) { return HostArray(DType::f64, {count, figure_count}); }

void put(const DeviceFacts& facts, std::size_t i, HostArray& rows, HostArray& names) {
  to_row(facts, rows.as<std::int64_t>().data() + i * field_count,
         names.as<std::uint8_t>().data() + i * name_bytes);
}

void put(const reference::DeviceFigures& f, std::size_t i, HostArray& figures) {
  const double row[figure_count] = {f.cores_per_multiprocessor,
                                    f.cores,
                                    f.tensor_core_generation,
                                    f.global_memory_gib,
                                    f.constant_memory_kib,
                                    f.shared_memory_per_block_kib,
                                    f.shared_memory_per_multiprocessor_kib,
                                    f.l2_cache_mib,
                                    f.clock_mhz,
                                    f.memory_clock_mhz,
                                    f.bandwidth_gb_per_s,
                                    f.fp32_gflop_per_s,
                                    f.resident_threads};
  std::copy(std::begin(row), std::end(row), figures.as<double>().data() + i * figure_count);
}

std::vector<HostArray> arrays(HostArray first) {
  std::vector<HostArray> all;
  all.push_back(std::move(first));
  return all;
}

class DeviceQueryProblem : public Problem {
 public:
  std::string lab() const override { return "device_query"; }
  std::string title() const override {
    return "Device query: what the runtime says, and what follows from it";
  }
  std::vector<std::string> size_names() const override { return {"devices"}; }
  bool host_buffers() const override { return true; }

  const std::vector<Rung>& rungs() const override {
    using enum Rung::Access;
    static const std::vector<Rung> table{
        {"query", "ask the runtime for every property of a device", task, {DType::i64}},
        {"derive", "cores, bandwidth, peak and readable units from the properties", task, {DType::f64}},
        {"compare", "a table of any number of devices, side by side", task, {DType::u8}},
    };
    return table;
  }

  Case default_case(Backend) const override {
    Case c;
    c.size = {{"devices", 2}};
    c.dtype = DType::i64;
    return c;
  }

  Case for_rung(const Case& c, const Rung& rung) const override {
    Case result = c;
    for (const Step step : {query, derive, compare})
      if (rung.name == step_names[step]) result.set_param("step", step);
    return result;
  }

  std::vector<Case> public_cases(const Rung& rung) const override {
    std::vector<Case> cases;
    for (const std::int64_t count : {0, 1, 2, 3, 7, 100}) {
      Case c;
      c.size = {{"devices", count}};
      c.dtype = rung.dtypes.front();
      c.seed = 1 + cases.size();
      cases.push_back(for_rung(c, rung));
    }
    return cases;
  }

  std::vector<HostArray> inputs(const Case& c) const override {
    const std::int64_t count = device_rows(c);
    if (step_of(c) ==
        query) {  // numbers of the devices that are here, from the last to the first, again and again
      std::vector<HostArray> in = arrays(HostArray(DType::i32, {count}));
      const int present = count ? device_count() : 1;
      for (std::int64_t i = 0; i < count; ++i)
        in[0].as<int>()[static_cast<std::size_t>(i)] = present - 1 - static_cast<int>(i % present);
      return in;
    }
    std::vector<HostArray> in = arrays(rows_of(count));
    HostArray figures = figures_array(count), names = names_of(count);
    const std::vector<DeviceFacts> devices = invented_devices(c);
    for (std::size_t i = 0; i < devices.size(); ++i) {
      put(devices[i], i, in[0], names);
      put(reference::device_figures(devices[i]), i, figures);
    }
    if (step_of(c) == compare) {
      in.push_back(std::move(figures));
      in.push_back(std::move(names));
    }
    return in;
  }

  std::vector<ArraySpec> outputs(const Case& c) const override {
    const std::int64_t count = device_rows(c);
    switch (step_of(c)) {
      case query:
        return {{DType::i64, {count, field_count}}, {DType::u8, {count, name_bytes}}};
      case derive:
        return {{DType::f64, {count, figure_count}}};
      default:
        return {{DType::u8, {table_rows, line_bytes(static_cast<int>(count))}}};
    }
  }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& inputs) const override {
    const std::int64_t count = device_rows(c);
    if (step_of(c) == query) {
      std::vector<HostArray> out = arrays(rows_of(count));
      out.push_back(names_of(count));
      const auto numbers = inputs.at(0).as<int>();
      for (std::size_t i = 0; i < numbers.size(); ++i) put(ask_device(numbers[i]).facts, i, out[0], out[1]);
      return out;
    }
    std::vector<DeviceFacts> devices;
    std::vector<reference::DeviceFigures> figures;
    std::uint8_t no_name[name_bytes] = {};
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const std::uint8_t* name =
          inputs.size() > 2 ? inputs[2].as<std::uint8_t>().data() + i * name_bytes : no_name;
      devices.push_back(from_row(inputs.at(0).as<std::int64_t>().data() + i * field_count, name));
      figures.push_back(reference::device_figures(devices.back()));
    }
    if (step_of(c) == derive) {
      std::vector<HostArray> out = arrays(figures_array(count));
      for (std::size_t i = 0; i < figures.size(); ++i) put(figures[i], i, out[0]);
      return out;
    }
    const std::string text = reference::device_table(devices, figures, label_bytes, cell_bytes);
    std::vector<HostArray> out = arrays(HostArray(DType::u8, outputs(c)[0].shape));
    if (text.size() != out[0].size_bytes())
      throw std::logic_error("the table is not of the size that the lab promises");
    std::memcpy(out[0].bytes().data(), text.data(), text.size());
    return out;
  }

  /// Of a device that a case describes, what a question asks about.
  std::vector<std::pair<std::string, double>> figures(const Case& c,
                                                      const std::vector<HostArray>& outputs) const override {
    const bool is_described =
        std::ranges::any_of(fact_names, [&](const FactName& f) { return fact_of(c, f).has_value(); });
    if (step_of(c) != derive || !is_described || device_rows(c) == 0) return {};
    const auto row = outputs.at(0).as<double>();
    return {{"global_memory_gib", row[global_memory_gib]},
            {"bandwidth_gb_per_s", row[bandwidth_gb_per_s]},
            {"fp32_gflop_per_s", row[fp32_gflop_per_s]},
            {"resident_threads", row[resident_threads]}};
  }

  // Facts and text are exact. A figure is a product of at most five factors, each step rounded to double:
  // whatever the order, it is within 8 roundings of the true value.
  Tolerance tolerance(const Case& c, std::size_t) const override {
    return {.atol = 0, .rtol = step_of(c) == derive ? 8 * 2.3e-16 : 0};
  }

  Cost cost(const Case&) const override { return {}; }  // nothing moves on the device
};

const ProblemRegistration<DeviceQueryProblem> registration;

}  // namespace
}  // namespace warplab
