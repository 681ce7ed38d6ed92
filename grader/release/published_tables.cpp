#include "grader/release/published_tables.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/host/bad_input.hpp"

namespace warplab {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::set<std::string>;

bool has_one_of(const std::string& text, const Names& names) {
  return std::ranges::any_of(names,
                             [&](const std::string& name) { return text.find(name) != std::string::npos; });
}

/// A text without its sentences that have one of the names.
std::string without_sentences(const std::string& text, const Names& names) {
  if (!has_one_of(text, names)) return text;
  std::string left;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find(". ", begin), next = end == std::string::npos ? text.size() : end + 2;
    const std::string sentence = text.substr(begin, next - begin);
    begin = next;
    if (!has_one_of(sentence, names)) left += sentence;
  }
  left.erase(left.find_last_not_of(' ') + 1);
  return left;
}

/// All tables of one file.
class Tables {
 public:
  Tables(Json& json, const Names& withheld) : tables_(json.at("tables")), withheld_(withheld) {}

  void drop_withheld() {
    for (Json& table : tables_) drop_rows(table);
    erase(tables_, [&](const Json& table) { return gone_.contains(table.at("table")); });
    for (Json& table : tables_) drop_what_is_about_rows(table);
    drop_sentences(tables_);
  }

 private:
  template <class F>
  static void erase(Json& list, F is_dropped) {
    Json left = Json::array();
    for (Json& one : list)
      if (!is_dropped(one)) left.push_back(std::move(one));
    list = std::move(left);
  }

  void drop_rows(Json& table) {
    if (!table.contains("rows") || !table.contains("fields")) return;
    const std::string name = table.at("table");
    const auto fields = table.at("fields").get<std::vector<std::string>>();
    const std::string of_all = table.value("every_row", Json::object()).value("rung", "");
    const auto field = [&](const Json& row, const char* which) -> std::string {
      const auto at = static_cast<std::size_t>(std::ranges::find(fields, which) - fields.begin());
      return at < row.size() && row[at].is_string() ? row[at].get<std::string>() : "";
    };
    const std::size_t before = table.at("rows").size();
    erase(table.at("rows"), [&](const Json& row) {
      const std::string own = field(row, "rung");
      if (!withheld_.contains(own.empty() ? of_all : own)) return false;
      dropped_.emplace(name, field(row, "row"));
      return true;
    });
    if (before > 0 && table.at("rows").empty()) gone_.insert(name);
  }

  /// Whether rows that a claim or a curve names are not there any more.
  bool is_about_dropped(const std::string& table, const Json& rows) const {
    return gone_.contains(table) || std::ranges::any_of(rows, [&](const Json& row) {
             return dropped_.contains({table, row.get<std::string>()});
           });
  }

  void drop_what_is_about_rows(Json& table) {
    const std::string name = table.at("table");
    if (table.contains("claims"))
      erase(table.at("claims"), [&](const Json& claim) {
        return is_about_dropped(claim.value("faster_table", name), claim.at("faster")) ||
               is_about_dropped(claim.value("than_table", name), claim.at("than"));
      });
    if (table.contains("charts")) {
      for (Json& chart : table.at("charts"))
        erase(chart.at("curves"), [&](const Json& curve) {
          return is_about_dropped(curve.value("table", name), curve.value("rows", Json::array()));
        });
      erase(table.at("charts"), [](const Json& chart) { return chart.at("curves").empty(); });
    }
    if (!table.contains("kernels")) return;
    for (const auto& [of, row] : dropped_)
      if (of == name) table.at("kernels").erase(row);
  }

  void drop_sentences(Json& json) const {
    if (json.is_string()) {
      json = without_sentences(json.get<std::string>(), withheld_);
    } else if (json.is_structured()) {
      for (Json& part : json) drop_sentences(part);
    }
  }

  Json& tables_;
  const Names& withheld_;
  std::set<std::pair<std::string, std::string>> dropped_;  ///< table and label
  Names gone_;                                             ///< tables that have no row left
};

}  // namespace

std::string without_rungs(const std::string& text, const Names& withheld, const std::string& file) {
  try {
    Json json = Json::parse(text);
    const Json before = json;
    Tables(json, withheld).drop_withheld();
    return json == before ? text : json.dump(1) + "\n";
  } catch (const Json::exception& error) {
    throw BadInput(file + " is not a file of published tables: " + error.what());
  }
}

}  // namespace warplab
