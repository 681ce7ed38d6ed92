#include "harness/problem/published_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "common/io/file_content.hpp"
#include "harness/console/case_text.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Fields that every lab's rows may have.
constexpr std::array<const char*, 9> common_fields = {
    "row", "rung", "size", "published_size", "emulator_size", "block", "grid", "note", "withheld"};

/// Keys of a table.
constexpr std::array<const char*, 16> table_keys = {
    "table",   "place",   "title",  "lesson", "note",    "every_row", "fields",  "rows",
    "figures", "compare", "claims", "charts", "metrics", "kernels",   "columns", "properties"};

/// @throws BadInput for a key that no table has: what nobody reads would be lost silently
void check_keys(const Json& json, const fs::path& file) {
  std::size_t number = 0;
  for (const Json& table : json.at("tables")) {
    ++number;
    if (!table.is_object())
      throw BadInput(fmt::format("{}: table {} is not an object", file.string(), number));
    const std::vector<std::string> known(table_keys.begin(), table_keys.end());
    for (const auto& [key, value] : table.items())
      if (std::ranges::find(known, key) == known.end())
        throw BadInput(fmt::format("{}: table {} has the key '{}', which does not exist{}", file.string(),
                                   number, key, did_you_mean(key, known)));
  }
}

/// A row that cannot be replayed: the sentence begins with its place.
struct RowFault : BadInput {
  using BadInput::BadInput;
};

/// The fields of one row by name, those of the whole table included.
class RowFields {
 public:
  /// @param place "FILE: table 'T', row 2"
  RowFields(std::string place, const Json& every_row, const Json& names, const Json& values)
      : place_(std::move(place)) {
    for (const auto& [name, value] : every_row.items()) fields_[name] = value;
    if (!values.is_array() || values.size() != names.size())
      fail(fmt::format("has {} values for {} fields", values.is_array() ? values.size() : 0, names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!values[i].is_null() || names[i] == "emulator_size")
        fields_[names[i].get<std::string>()] = values[i];
  }

  [[noreturn]] void fail(const std::string& what) const { throw RowFault(place_ + " " + what); }
  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    throw RowFault(place_ + ", field '" + name + "': " + what);
  }

  const Json& all() const { return fields_; }
  bool has(const char* name) const { return fields_.contains(name); }
  bool is_null(const char* name) const { return has(name) && fields_[name].is_null(); }

  /// A text or a number as a command line would have it; "" without that field.
  std::string text(const std::string& name) const {
    if (!fields_.contains(name)) return "";
    const Json& value = fields_[name];
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number()) return fmt::format("{:.17g}", value.get<double>());
    fail(name, "is neither a text nor a number");
  }

 private:
  std::string place_;
  Json fields_ = Json::object();
};

bool is_common(const std::string& name) {
  return name == "dtype" || std::ranges::find(common_fields, name) != common_fields.end();
}

std::vector<std::string> flag_names(const Problem& problem) {
  std::vector<std::string> names;
  for (const LabOption& option : problem.command_line().lab_options()) names.push_back(option.name);
  return names;
}

/// Sets what the fields say of the case, as the command line does.
void set_case(Case& c, const Problem& problem, const RowFields& row) {
  const auto with = [&](const char* name, auto use) {
    if (const std::string text = row.text(name); !text.empty()) use(text);
  };
  const char* const size =
      backend == Backend::emulator && row.has("emulator_size") ? "emulator_size" : "size";
  with(size, [&](const std::string& text) {
    const std::vector<std::string> names = problem.size_names();
    const std::vector<std::int64_t> extents = parse_size(text, names);
    for (std::size_t i = 0; i < names.size(); ++i) c.extent(names[i]) = extents[i];
  });
  with("block", [&](const std::string& text) { c.block = parse_block(text); });
  with("grid", [&](const std::string& text) { c.grid = parse_grid(text); });
  with("dtype", [&](const std::string& text) {
    const std::optional<DType> dtype = parse_dtype(text);
    if (!dtype) row.fail("dtype", "'" + text + "' is not an element type");
    c.dtype = *dtype;
  });
  const std::vector<std::string> flags = flag_names(problem);
  std::map<std::string, std::string> given;
  for (const auto& [name, value] : row.all().items()) {
    if (is_common(name) || names_a_figure(name)) continue;
    if (std::ranges::find(flags, name) == flags.end())
      row.fail(name, fmt::format("is neither a flag of {} nor a figure, whose name ends with its unit{}",
                                 problem.lab(), did_you_mean(name, flags)));
    given[name] = row.text(name);
  }
  Replacements none;
  problem.command_line().configure(c, given, none);
}

double elements_of(const std::vector<std::int64_t>& extents) {
  double elements = 1;
  for (const std::int64_t extent : extents) elements *= static_cast<double>(extent);
  return elements;
}

/// Where the published input was another one: both sizes, and the share that was replayed.
std::string size_note(const Case& c, const Problem& problem, const RowFields& row) {
  const std::string published = row.text("published_size");
  if (published.empty() || published == size_text(c)) return "";
  std::vector<std::int64_t> here;
  for (const auto& [name, extent] : c.size) here.push_back(extent);
  const double share = elements_of(parse_size(published, problem.size_names())) / elements_of(here);
  return fmt::format("published for {}, replayed at {}, 1/{:.3g} of it", published, size_text(c), share);
}

std::map<std::string, double> figures_of(const RowFields& row) {
  std::map<std::string, double> figures;
  for (const auto& [name, value] : row.all().items()) {
    if (is_common(name) || !names_a_figure(name)) continue;
    if (!value.is_number()) row.fail(name, "a figure is a number");
    figures[name] = value.get<double>();
  }
  return figures;
}

std::string joined(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : "; ") + second;
}

/// Nothing for a row that this backend or this tree leaves out.
std::optional<Experiment> experiment_of(const Problem& problem, const std::string& table,
                                        const RowFields& row, const std::string& table_note) {
  if (backend == Backend::emulator && row.is_null("emulator_size")) return std::nullopt;
  Experiment e;
  e.table = table;
  e.label = row.text("row");
  e.rung = row.text("rung");
  const Rung* const rung = problem.find_rung(e.rung);
  if (!rung && row.has("withheld")) return std::nullopt;
  std::vector<std::string> rungs;
  for (const Rung& known : problem.rungs()) rungs.push_back(known.name);
  if (!rung)
    row.fail("rung",
             fmt::format("{} has no rung '{}'{}", problem.lab(), e.rung, did_you_mean(e.rung, rungs)));
  try {
    Case c = problem.default_case(backend);
    if (!rung->dtypes.empty() && std::ranges::find(rung->dtypes, c.dtype) == rung->dtypes.end())
      c.dtype = rung->dtypes.front();
    set_case(c, problem, row);
    e.problem_case = problem.for_rung(c, *rung);
    e.note = joined(size_note(c, problem, row), joined(row.text("note"), table_note));
  } catch (const RowFault&) {
    throw;
  } catch (const BadInput& error) {
    row.fail("is not a case: " + std::string(error.what()));
  }
  e.published = figures_of(row);
  return e;
}

/// The rows of one table.
void append_rows(const Problem& problem, const fs::path& file, const Json& table, const std::string& name,
                 std::vector<Experiment>& rows) {
  const Json fields = table.value("fields", Json::array()),
             every_row = table.value("every_row", Json::object());
  std::size_t number = 0;
  for (const Json& values : table.at("rows")) {
    const RowFields row(fmt::format("{}: table '{}', row {}", file.string(), name, ++number), every_row,
                        fields, values);
    if (auto experiment = experiment_of(problem, name, row, table.value("note", "")))
      rows.push_back(std::move(*experiment));
  }
}

}  // namespace

bool names_a_figure(std::string_view name) {
  constexpr std::array<std::string_view, 11> units = {
      "_ns", "_us", "_ms", "_s", "_percent", "_per_cycle", "_per_sm", "_per_thread", "_count", "_kb", "_ghz"};
  return std::ranges::any_of(units, [&](std::string_view unit) { return name.ends_with(unit); });
}

fs::path published_file(const std::string& lab) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(WARPLAB_SOURCE_DIR) / "labs", none))
    if (const std::string name = entry.path().filename(); name.size() > 3 && name.substr(3) == lab)
      if (const fs::path file = entry.path() / "published.json"; fs::exists(file, none)) return file;
  return {};
}

Json read_published_file(const fs::path& file) {
  const std::optional<std::string> text = readable_content(file);
  if (!text) throw BadInput("cannot read " + file.string());
  try {
    Json json = Json::parse(*text);
    if (!json.is_object() || !json.contains("tables") || !json["tables"].is_array())
      throw BadInput(file.string() + " has no list of tables");
    check_keys(json, file);
    return json;
  } catch (const Json::parse_error& error) {
    const std::size_t end = std::min(error.byte, text->size());
    const auto line = std::count(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(end), '\n') + 1;
    throw BadInput(fmt::format("{}:{}: it is not JSON from here on", file.string(), line));
  } catch (const Json::exception&) {
    throw BadInput(file.string() + " holds a number that is too large");
  }
}

std::vector<Experiment> published_rows(const Problem& problem, const fs::path& file) {
  std::vector<Experiment> rows;
  if (file.empty()) return rows;
  const Json json = read_published_file(file);
  std::size_t number = 0;
  for (const Json& table : json.at("tables")) {
    ++number;
    const std::string name = table.is_object() ? table.value("table", Json()).dump() : "";
    if (name.size() < 3 || name.front() != '"')
      throw BadInput(fmt::format("{}: table {} has no name", file.string(), number));
    if (!table.contains("rows")) continue;
    try {
      append_rows(problem, file, table, table["table"], rows);
    } catch (const Json::exception&) {
      throw BadInput(
          fmt::format("{}: table {}: \"fields\" must be a list of names, \"every_row\" an object, "
                      "\"rows\" a list of lists and \"note\" a text",
                      file.string(), name));
    }
  }
  return rows;
}

}  // namespace warplab
