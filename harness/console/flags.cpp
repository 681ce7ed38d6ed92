#include "harness/console/flags.hpp"

#include <CLI/CLI.hpp>

#include "harness/console/command_line.hpp"

namespace warplab {

Flags::Flags(const std::string& about, const std::string& program)
    : app_(std::make_unique<CLI::App>(about, program)) {
  app_->set_help_flag();
}

Flags::~Flags() = default;

void Flags::add_switch(const std::string& name, const std::string& help) { app_->add_flag(name, help); }

void Flags::add_switch(const std::string& name, bool& is_given, const std::string& help) {
  app_->add_flag(name, is_given, help);
}

void Flags::add_text(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help);
}

void Flags::add_required_text(const std::string& name, std::string& value) {
  app_->add_option(name, value)->required();
}

void Flags::add_text_or_nothing(const std::string& name, std::string& value) {
  app_->add_option(name, value)->expected(0, 1);
}

void Flags::add_texts(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  app_->add_option(name, values, help)->allow_extra_args(false);
}

void Flags::parse(int argc, const char* const* argv) { parse_command_line(*app_, argc, argv); }

bool Flags::has(const std::string& name) const { return app_->count(name) > 0; }

std::string Flags::help() const { return app_->help(); }

}  // namespace warplab
