#include "grader/batch/child_result.hpp"

#include <nlohmann/json.hpp>

#include "grader/text/printable.hpp"

namespace warplab {
namespace {

std::string reason(const char* kind, const char* what) {
  return nlohmann::ordered_json{{kind, valid_utf8(what)}}.dump();
}

}  // namespace

std::string text_of_result(const std::function<nlohmann::ordered_json()>& work) noexcept {
  try {
    return nlohmann::ordered_json{{"result", work()}}.dump();
  } catch (const CannotWrite& error) {
    return reason("cannot_write", error.what());
  } catch (const std::exception& error) {
    return reason("failed", error.what());
  } catch (...) {
    return reason("failed", "it threw something other than an exception of the library");
  }
}

nlohmann::ordered_json result_in(const std::string& text, std::string& why) {
  auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  const auto reason_of = [&](const char* kind) {
    const bool is_it = json.is_object() && json.contains(kind) && json.at(kind).is_string();
    return is_it ? json.at(kind).get<std::string>() : "";
  };
  if (const std::string unwritten = reason_of("cannot_write"); !unwritten.empty())
    throw CannotWrite(unwritten);
  why = reason_of("failed");
  if (why.empty() && json.is_object() && json.contains("result")) return std::move(json.at("result"));
  if (why.empty()) why = "its process ended before it was done";
  return {};
}

}  // namespace warplab
