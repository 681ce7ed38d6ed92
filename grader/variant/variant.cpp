#include "grader/variant/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "common/io/temporary_folder.hpp"
#include "grader/text/identifiers.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* as_published = "published";

fs::path folder_of(const Lab& lab) { return fs::path("labs") / lab.folder.filename() / "variants"; }

/// Whether a file belongs to a lab, so that no other lab's variant changes it.
bool is_of_lab(const fs::path& file, const Lab& lab) {
  if (file.generic_string().starts_with("labs/" + lab.folder.filename().string() + "/"))
    return !file.generic_string().starts_with(folder_of(lab).generic_string() + "/");
  const std::string parent = file.parent_path().generic_string(), name = file.filename().string();
  const auto named = [&](std::initializer_list<const char*> ends) {
    return std::ranges::any_of(ends, [&](const char* end) { return name == lab.stem + end; });
  };
  if (parent == "reference") return named({".hpp", ".cpp"});
  if (parent == "tests/labs" || parent == "tests/reference") return named({"_test.cpp"});
  return (parent == "tests/hidden" || parent == "tests/hidden/mutants") && named({".json"});
}

/// @throws std::invalid_argument for a member of another name
void allow(const Json& json, std::initializer_list<const char*> keys) {
  for (const auto& [name, value] : json.items())
    if (std::ranges::none_of(keys, [&, &n = name](const char* known) { return n == known; }))
      throw std::invalid_argument("\"" + name + "\" means nothing here");
}

/// @throws std::invalid_argument where there is no such text, or an empty one
std::string text_of(const Json& json, const char* key) {
  if (!json.contains(key) || !json.at(key).is_string())
    throw std::invalid_argument(fmt::format("a part has no text \"{}\"", key));
  const std::string text = json.at(key);
  if (text.empty()) throw std::invalid_argument(fmt::format("a \"{}\" is empty", key));
  return text;
}

const Json& list_of(const Json& json, const char* key) {
  if (!json.contains(key) || !json.at(key).is_array() || json.at(key).empty())
    throw std::invalid_argument(fmt::format("a part has no list \"{}\"", key));
  return json.at(key);
}

/// Adds what has a name to others. @throws std::invalid_argument if it is taken, or no file can be called so
template <class T>
void add_named(std::vector<T>& all, T one) {
  if (one.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
    throw std::invalid_argument(fmt::format("the name \"{}\" takes small letters, digits and _", one.name));
  if (std::ranges::find(all, one.name, &T::name) != all.end())
    throw std::invalid_argument(fmt::format("\"{}\" is there twice", one.name));
  all.push_back(std::move(one));
}

/// The names that a choice changes, if it has some.
std::map<std::string, std::string> renames_of(const Json& choice) {
  std::map<std::string, std::string> renames;
  if (!choice.contains("renames")) return renames;
  if (!choice.at("renames").is_object()) throw std::invalid_argument("\"renames\" has no names");
  for (const auto& [from, to] : choice.at("renames").items()) {
    if (!is_identifier(from) || !to.is_string() || !is_identifier(to.get<std::string>()))
      throw std::invalid_argument(
          fmt::format("\"{}\": {} renames no identifier to another", from, to.dump()));
    renames[from] = to;
  }
  return renames;
}

VariantChoice choice_of(const fs::path& root, const Lab& lab, const std::string& axis, const Json& json) {
  allow(json, {"choice", "what", "renames"});
  VariantChoice choice{text_of(json, "choice"), text_of(json, "what"), {}, renames_of(json)};
  if (choice.name == as_published) return choice;
  const fs::path diff = folder_of(lab) / (axis + "_" + choice.name + ".diff");
  choice.edits = edits_of(bytes_of_file(root / diff), diff.generic_string());
  for (const Edit& edit : choice.edits)
    if (!is_of_lab(edit.file, lab))
      throw BadInput(fmt::format("{}: {} is not a file of the lab {}", edit.place, edit.file, lab.stem));
  return choice;
}

VariantAxis axis_of(const fs::path& root, const Lab& lab, const Json& json) {
  allow(json, {"axis", "choices"});
  VariantAxis axis{text_of(json, "axis"), {}};
  for (const Json& one : list_of(json, "choices"))
    add_named(axis.choices, choice_of(root, lab, axis.name, one));
  return axis;
}

template <class T>
const T& named(const std::vector<T>& all, const std::string& name, const std::string& place) {
  const auto found = std::ranges::find(all, name, &T::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const T& one : all) names.push_back(one.name);
  throw BadInput(fmt::format("{} has no \"{}\"{}; it has {}", place, name, did_you_mean(name, names),
                             fmt::join(names, ", ")));
}

/// "transpose/direction=left". @throws BadInput for another form
Chosen fixed_choice(const std::string& text) {
  const std::size_t slash = text.find('/'), equals = text.find('=');
  if (slash == std::string::npos || equals == std::string::npos || equals < slash)
    throw BadInput("--choose takes LAB/AXIS=CHOICE, such as transpose/direction=left, not '" + text + "'");
  return {text.substr(0, slash), text.substr(slash + 1, equals - slash - 1), text.substr(equals + 1)};
}

/// Changes names in the files of a lab. @param files those that differ already; others join them
void rename_in(const Course& course, const Lab& lab, const std::map<std::string, std::string>& renames,
               std::map<std::string, std::string>& files) {
  if (renames.empty()) return;
  for (const fs::path& file : files_of_tree_with(course.root, course.files())) {
    const std::string name = file.generic_string();
    if (!is_of_lab(file, lab) || name.ends_with("_adapter.cpp")) continue;
    const auto changed = files.find(name);
    const std::string before =
        changed == files.end() ? bytes_of_file(course.root / file) : std::move(changed->second);
    std::string after = renamed(before, renames);
    if (changed != files.end() || after != before) files[name] = std::move(after);
  }
}

void copy_file(const fs::path& from, const fs::path& to, const std::string* content) {
  fs::create_directories(to.parent_path());
  fs::copy(from, to, fs::copy_options::copy_symlinks);
  if (!content) return;
  std::ofstream out(to, std::ios::binary);
  out << *content;
  out.close();
  if (!out) throw fs::filesystem_error("cannot write", to, std::make_error_code(std::errc::io_error));
}

}  // namespace

std::vector<VariantAxis> variants_of(const fs::path& root, const Lab& lab) {
  const fs::path file = folder_of(lab) / "variants.json";
  if (!fs::exists(root / file)) return {};
  std::vector<VariantAxis> axes;
  try {
    const Json json = Json::parse(bytes_of_file(root / file));
    allow(json, {"lab", "axes"});
    if (text_of(json, "lab") != lab.stem)
      throw std::invalid_argument("it is of the lab " + json.at("lab").dump());
    for (const Json& one : list_of(json, "axes")) add_named(axes, axis_of(root, lab, one));
    const auto always = [](const VariantAxis& axis) {
      return std::ranges::none_of(axis.choices, [](const auto& choice) { return choice.edits.empty(); });
    };
    if (std::ranges::none_of(axes, always))
      throw std::invalid_argument("every axis has the choice \"published\": the lab might stay as it is");
  } catch (const BadInput&) {
    throw;
  } catch (const std::exception& error) {
    throw BadInput(fmt::format("{}: {}", file.generic_string(), error.what()));
  }
  return axes;
}

std::vector<Chosen> chosen_by(const Course& course, const Secret& secret,
                              const std::vector<std::string>& fixed) {
  std::vector<Chosen> chosen;
  for (const Lab& lab : course.labs)
    for (const VariantAxis& axis : variants_of(course.root, lab)) {
      const std::uint64_t number = secret.number("variant " + lab.stem + " " + axis.name);
      chosen.push_back({lab.stem, axis.name, axis.choices[number % axis.choices.size()].name});
    }
  for (const std::string& text : fixed) {
    const Chosen wanted = fixed_choice(text);
    const auto place = std::ranges::find_if(
        chosen, [&](const Chosen& one) { return one.lab == wanted.lab && one.axis == wanted.axis; });
    if (place == chosen.end())
      throw BadInput(fmt::format("--choose {}: no lab of these has such an axis", text));
    const Lab& lab = *course.find(wanted.lab);
    const std::vector<VariantAxis> axes = variants_of(course.root, lab);
    place->choice =
        named(named(axes, wanted.axis, lab.stem).choices, wanted.choice, wanted.lab + "/" + wanted.axis).name;
  }
  return chosen;
}

std::map<std::string, std::string> changed_files(const Course& course, const std::vector<Chosen>& chosen) {
  std::map<std::string, std::string> files;
  std::map<const Lab*, std::map<std::string, std::string>> renames;
  for (const Chosen& one : chosen) {
    const Lab* const lab = course.find(one.lab);
    if (!lab) throw BadInput("there is no lab called '" + one.lab + "'");
    const std::vector<VariantAxis> axes = variants_of(course.root, *lab);
    const VariantAxis& axis = named(axes, one.axis, one.lab);
    const VariantChoice& choice = named(axis.choices, one.choice, one.lab + "/" + one.axis);
    renames[lab].insert(choice.renames.begin(), choice.renames.end());
    for (const Edit& edit : choice.edits) {
      if (!files.contains(edit.file)) {
        if (!fs::is_regular_file(course.root / edit.file))
          throw BadInput(edit.place + ": the tree has no file " + edit.file);
        files[edit.file] = bytes_of_file(course.root / edit.file);
      }
      files[edit.file] = with_edit(std::move(files[edit.file]), edit);
    }
  }
  for (const auto& [lab, names] : renames) rename_in(course, *lab, names, files);
  return files;
}

VariantReport make_variant(const Course& course, const std::vector<Chosen>& chosen, const fs::path& out) {
  if (fs::exists(fs::symlink_status(out)))
    throw BadInput(out.string() + " is there already; a variant takes a new folder");
  fs::path place = fs::absolute(out).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();
  if (!fs::is_directory(place.parent_path()))
    throw BadInput(place.parent_path().string() + " is not a folder, so no tree can be made in it");
  const std::map<std::string, std::string> changed = changed_files(course, chosen);
  const std::vector<fs::path> files = files_of_tree_with(course.root, course.files());
  std::set<std::string> left_out;
  for (const Chosen& one : chosen) left_out.insert(folder_of(*course.find(one.lab)).generic_string() + "/");

  VariantReport report;
  const TemporaryFolder made(place.parent_path() / ("." + place.filename().string() + "-"));
  std::size_t written = 0;
  for (const fs::path& file : files) {
    const std::string name = file.generic_string();
    if (std::ranges::any_of(left_out, [&](const std::string& folder) { return name.starts_with(folder); }))
      continue;
    const auto content = changed.find(name);
    copy_file(course.root / file, made.path() / file, content == changed.end() ? nullptr : &content->second);
    written += content != changed.end();
    ++report.files;
  }
  if (written != changed.size())
    throw BadInput("git does not track a file that the variant changes: git add labs reference tests");
  report.changed = changed.size();
  fs::permissions(made.path(), fs::perms(0755));
  fs::rename(made.path(), place);
  return report;
}

}  // namespace warplab
