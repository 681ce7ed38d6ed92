#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warplab {

/// The flags of a program that has no commands. Who declares flags by it need not compile CLI11's header,
/// which takes longer than most of our sources.
class Flags {
 public:
  Flags(const std::string& about, const std::string& program);
  ~Flags();
  Flags(const Flags&) = delete;
  Flags& operator=(const Flags&) = delete;

  // What is declared must outlive parse(). A name is "--list", or "-h,--help".

  void add_switch(const std::string& name, const std::string& help);
  void add_switch(const std::string& name, bool& is_given, const std::string& help);
  void add_text(const std::string& name, std::string& value, const std::string& help = "");
  void add_required_text(const std::string& name, std::string& value);
  /// Its value may be left out, and is "" then.
  void add_text_or_nothing(const std::string& name, std::string& value);
  /// May be given several times, each time with one value.
  void add_texts(const std::string& name, std::vector<std::string>& values, const std::string& help = "");

  /// @throws BadInput in one sentence that names the word which is wrong and the flag that was meant
  void parse(int argc, const char* const* argv);
  bool has(const std::string& name) const;
  /// What --help prints.
  std::string help() const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace warplab
