#include "grader/predict/questions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/host/bad_input.hpp"
#include "grader/text/sha256.hpp"
#include "harness/console/flag_values.hpp"

namespace warplab {
namespace {

using Json = nlohmann::ordered_json;

/// Draws from the lists of one question, and puts what was drawn into its text.
class Draw {
 public:
  Draw(std::string key, std::string text) : key_(std::move(key)), text_(std::move(text)) {}

  /// The value itself, or the drawn member of a list.
  Json of(const std::string& name, const Json& value) {
    if (!value.is_array()) return used(name, value);
    if (value.empty()) throw BadInput("the list of '" + name + "' is empty");
    const std::string digits = sha256(key_ + "/" + name).substr(0, 8);
    return used(name, value.at(std::stoul(digits, nullptr, 16) % value.size()));
  }
  const std::string& text() const { return text_; }

 private:
  Json used(const std::string& name, const Json& value) {
    std::string words = value.is_string() ? value.get<std::string>() : value.dump();
    if (value.is_array()) words = fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), ", "));
    const std::string place = "{" + name + "}";
    for (std::size_t at = 0; (at = text_.find(place, at)) != std::string::npos; at += words.size())
      text_.replace(at, place.size(), words);
    return value;
  }

  std::string key_, text_;
};

Case drawn_case(const Json& json, const Problem& problem, Draw& draw) {
  Case c = problem.default_case(Backend::emulator);
  for (const auto& [name, value] : json.items()) {
    if (name == "size")
      for (const auto& [extent, length] : value.items())
        c.extent(extent) = draw.of(extent, length).get<std::int64_t>();
    else if (name == "dtype")
      c.dtype = parse_dtype(draw.of(name, value).get<std::string>()).value();
    else if (name == "block")
      c.block = parse_block(draw.of(name, value).get<std::string>());
    else if (name == "grid")
      c.grid = parse_grid(draw.of(name, value).get<std::string>());
    else
      c.set_param(name, draw.of(name, value).get<double>());
  }
  return c;
}

void check_rung(const Problem& problem, const std::string& name) {
  if (!problem.find_rung(name)) throw BadInput("unknown rung '" + name + "'");
}

PredictQuestion question_of(const Json& json, const Problem& problem, const std::string& key) {
  PredictQuestion question;
  question.id = json.at("id");
  Draw draw(key + "/" + question.id, json.at("ask"));
  if (json.contains("choices")) {
    Json choices = json.at("choices");
    if (choices.at(0).is_array()) choices = draw.of("choices", choices);
    question.choices = choices.get<std::vector<std::string>>();
    for (const std::string& rung : question.choices) check_rung(problem, rung);
    question.run = json.at("run");
    question.input = json.at("input");
  } else {
    question.rung = draw.of("rung", json.at("rung"));
    check_rung(problem, question.rung);
    question.figure = json.value("figure", "");
    if (question.figure.empty()) question.count = json.at("count");
    question.per = json.value("per", "");
    question.problem_case = problem.for_rung(drawn_case(json.value("case", Json::object()), problem, draw),
                                             *problem.find_rung(question.rung));
  }
  question.text = draw.text();
  return question;
}

}  // namespace

std::filesystem::path predict_file(const Lab& lab) { return lab.folder / "predict.json"; }

bool has_questions(const Lab& lab) { return std::filesystem::exists(predict_file(lab)); }

PredictQuestions questions_for(const Lab& lab, const Problem& problem, const std::string& name) {
  std::ifstream in(predict_file(lab));
  if (!in) throw BadInput("there are no questions to predict for the lab " + lab.stem);
  try {
    const Json json = Json::parse(in);
    PredictQuestions all{json.at("lab"), json.at("points"), {}};
    for (const Json& one : json.at("questions"))
      all.questions.push_back(question_of(one, problem, plain_name(name) + "/" + lab.stem));
    return all;
  } catch (const std::exception& error) {
    throw BadInput(predict_file(lab).string() + ": " + error.what());
  }
}

std::string plain_name(const std::string& name) {
  std::istringstream words(name);
  std::string plain;
  for (std::string word; words >> word;) plain += (plain.empty() ? "" : " ") + word;
  std::ranges::transform(plain, plain.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return plain;
}

}  // namespace warplab
