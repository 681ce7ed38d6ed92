#include "tests/house/arithmetic.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace warplab::house {
namespace {

/// Reads one expression from left to right.
class Reader {
 public:
  Reader(const std::string& text, const std::function<double(const std::string&)>& look_up)
      : text_(text), look_up_(look_up) {}

  double all() {
    const double value = sum();
    if (!at_end()) fail();
    return value;
  }

 private:
  double sum() {
    double value = product();
    while (true)
      if (takes('+'))
        value += product();
      else if (takes('-'))
        value -= product();
      else
        return value;
  }
  double product() {
    double value = power();
    while (true)
      if (takes('*'))
        value *= power();
      else if (takes('/'))
        value /= power();
      else
        return value;
  }
  double power() {
    const double base = factor();
    return takes('^') ? std::pow(base, power()) : base;
  }
  double factor() {
    if (takes('-')) return -factor();
    if (takes('(')) {
      const double value = sum();
      if (!takes(')')) fail();
      return value;
    }
    if (takes('[')) {
      const std::size_t end = text_.find(']', at_);
      if (end == std::string::npos) fail();
      const std::string name = text_.substr(at_, end - at_);
      at_ = end + 1;
      return look_up_(name);
    }
    skip();
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail();
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  bool takes(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail() const {
    throw std::invalid_argument("cannot read '" + text_.substr(std::min(at_, text_.size())) + "' in '" +
                                text_ + "'");
  }

  const std::string& text_;
  const std::function<double(const std::string&)>& look_up_;
  std::size_t at_ = 0;
};

}  // namespace

double value_of_expression(const std::string& text,
                           const std::function<double(const std::string&)>& look_up) {
  return Reader(text, look_up).all();
}

}  // namespace warplab::house
