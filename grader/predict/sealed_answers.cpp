#include "grader/predict/sealed_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/file_content.hpp"
#include "common/io/json_nesting.hpp"
#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

using Json = nlohmann::ordered_json;
/// For what strangers wrote: an object of ordered_json takes time by the square of its names.
using ReadJson = nlohmann::json;

const char* format_of(SealedKind kind) {
  return kind == SealedKind::hunt ? "warplab-finds-1" : "warplab-predictions-1";
}

constexpr std::uintmax_t largest_file = 1 << 20;

Json json_of(const SealedAnswers& sealed) {
  Json answers = Json::array();
  for (const GivenAnswer& one : sealed.answers)
    answers.push_back(
        {{"id", one.id}, {"question", one.question}, {"answer", one.answer}, {"reason", one.reason}});
  return {
      {"format", format_of(sealed.kind)}, {"lab", sealed.lab}, {"name", sealed.name}, {"answers", answers}};
}

/// What a file holds, or why that cannot be told.
struct Parsed {
  ReadJson json;
  std::string problem;  ///< "is not JSON: ..."; or ""
};

/// The line that a byte of a text is in, from 1.
std::ptrdiff_t line_of(const std::string& text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + std::count(text.begin(), end, '\n');
}

Parsed parsed(const std::string& text) {
  if (json_nesting(text) > max_json_nesting) return {nullptr, "has lists within lists, as no answers have"};
  try {
    return {ReadJson::parse(text), ""};
  } catch (const ReadJson::parse_error& error) {
    const std::size_t before = error.byte > 0 ? error.byte - 1 : 0;
    const char* const how = before >= text.size() ? "it ends too early" : "it was edited or damaged";
    return {nullptr, fmt::format("is not JSON in line {}: {}", line_of(text, before), how)};
  } catch (const ReadJson::out_of_range&) {
    return {nullptr, "has a number that is too large"};
  }
}

bool has_format(const ReadJson& json, SealedKind kind) {
  const auto format = json.is_object() ? json.find("format") : json.end();
  return json.is_object() && format != json.end() && *format == format_of(kind);
}

}  // namespace

std::string SealedAnswers::seal() const {
  return sha256(json_of(*this).dump(-1, ' ', false, Json::error_handler_t::replace)).substr(0, 16);
}

std::filesystem::path sealed_file(SealedKind kind, const std::string& lab) {
  return kind == SealedKind::hunt ? "hunts/" + lab + "/found.json" : "predictions/" + lab + ".json";
}

void write_sealed(const std::filesystem::path& file, const SealedAnswers& answers) {
  if (std::filesystem::exists(file))
    throw BadInput(file.string() + " exists: answers are given once, before you run");
  std::filesystem::create_directories(file.parent_path());
  Json json = json_of(answers);
  json["seal"] = answers.seal();
  write_file_atomically(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

SealedAnswers sealed_in(const std::string& text, const std::string& place, SealedKind kind) {
  const auto [json, problem] = parsed(text);
  if (!problem.empty()) throw BadInput(place + " " + problem);
  if (!has_format(json, kind)) throw BadInput(place + " holds no sealed answers");
  SealedAnswers sealed;
  try {
    sealed = {json.at("lab"), json.at("name"), {}, kind};
    for (const ReadJson& one : json.at("answers"))
      sealed.answers.push_back({one.at("id"), one.at("question"), one.at("answer"), one.at("reason")});
    if (json.at("seal") != sealed.seal()) throw BadInput(place + " was changed after it was sealed");
  } catch (const ReadJson::exception&) {
    throw BadInput(place + " holds answers that are not complete");
  }
  return sealed;
}

SealedAnswers read_sealed(const std::filesystem::path& file, SealedKind kind) {
  std::error_code none;
  if (std::filesystem::file_size(file, none) > largest_file || none)
    throw BadInput(file.string() + " holds no sealed answers");
  return sealed_in(file_content(file), file.string(), kind);
}

bool may_hold_sealed(const std::string& text, SealedKind kind) {
  const auto [json, problem] = parsed(text);
  return !problem.empty() || has_format(json, kind);
}

}  // namespace warplab
