#include "harness/console/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "harness/console/flag_values.hpp"

namespace warplab {
namespace {

using Words = std::vector<std::string>;

/// The command that was named, or the program itself.
const CLI::App& innermost(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? app : innermost(*named.front());
}

/// "--labs" of "--labs=transpose".
std::string flag_of(const std::string& word) {
  return word.starts_with("--") ? word.substr(0, word.find('=')) : word;
}

Words flags_of(const CLI::App& app) {
  Words flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

std::string see_help(const CLI::App& app) {
  return app.get_parent() ? fmt::format("; see {} {} --help", app.get_parent()->get_name(), app.get_name())
                          : "; see --help";
}

std::string explain_extra(const CLI::App& app) {
  const Words extra = app.remaining(true);
  const std::string word = extra.empty() ? "" : flag_of(extra.front());
  if (!word.starts_with('-')) return fmt::format("'{}' is one word too many", word);
  return fmt::format("unknown option '{}'{}", word, did_you_mean(word, flags_of(app)));
}

std::string explain_missing_command(const CLI::App& app) {
  Words commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
  const Words extra = app.remaining();
  if (extra.empty()) return "a command is missing";
  if (extra.front().starts_with('-')) return fmt::format("a command comes before '{}'", extra.front());
  return fmt::format("unknown command '{}'{}", extra.front(), did_you_mean(extra.front(), commands));
}

/// What is missing, and what it is for.
std::string explain_missing_option(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    std::string purpose = option->get_description();
    if (purpose.empty()) return option->get_name() + " is missing";
    purpose[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(purpose[0])));
    return fmt::format("{} is missing: {}", option->get_name(), purpose);
  }
  return "";
}

/// The command that the words name, or the program itself: before they are parsed.
const CLI::App& named(const CLI::App& app, const Words& words) {
  const auto is_named = [&](const CLI::App* command) {
    return !words.empty() && command->get_name() == words.front();
  };
  const auto commands = app.get_subcommands(is_named);
  return commands.empty() ? app : *commands.front();
}

/// Which option lacks its value, has one that it does not take or is given twice, or "". CLI11 takes the next
/// option for the value.
std::string explain_values(const CLI::App& app, const Words& words) {
  const Words flags = flags_of(app);
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty()) continue;
    const std::string flag = "--" + option->get_lnames().front();
    if (option->get_items_expected_max() == 0 &&
        std::ranges::any_of(words, [&](const std::string& word) { return word.starts_with(flag + "="); }))
      return flag + " takes no value";
    if (option->get_expected_min() == 0) continue;
    if (option->get_expected_max() == 1 && std::ranges::count(words, flag, flag_of) > 1)
      return flag + " is given twice; it takes one value";
    if (std::ranges::count(words, flag + "=") > 0) return flag + " needs a value";
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] == flag && (i + 1 == words.size() || words[i + 1].empty() ||
                               std::ranges::count(flags, flag_of(words[i + 1])) > 0))
        return flag + " needs a value";
  }
  return std::ranges::count(words, "") > 0 ? "a word is empty" : "";
}

/// Which option has a value that is not a number, or "" if that cannot be seen.
std::string explain_conversion(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool is_unsigned = type.starts_with("UINT"), is_whole = is_unsigned || type.starts_with("INT");
    if (option->get_lnames().empty() || (!is_whole && !type.starts_with("FLOAT"))) continue;
    const char* const digits = !is_whole ? "+-.0123456789e" : is_unsigned ? "0123456789" : "-0123456789";
    for (const std::string& value : option->results())
      if (value.find_first_not_of(digits) != value.npos)
        return fmt::format("--{} is '{}'; it takes a {}number{}", option->get_lnames().front(), value,
                           is_whole ? "whole " : "", is_unsigned ? ", 0 or more" : "");
  }
  return "";
}

/// What CLI11 complains of, in the words of this project's other messages.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& inner = innermost(app);
  std::string text;
  if (dynamic_cast<const CLI::ExtrasError*>(&error))
    text = explain_extra(inner);
  else if (dynamic_cast<const CLI::RequiredError*>(&error) && inner.get_require_subcommand_min() > 0)
    text = explain_missing_command(inner);
  else if (dynamic_cast<const CLI::RequiredError*>(&error))
    text = explain_missing_option(inner);
  else if (dynamic_cast<const CLI::ConversionError*>(&error))
    text = explain_conversion(inner);
  return (text.empty() ? error.what() : text) + see_help(inner);
}

}  // namespace

void parse_command_line(CLI::App& app, int argc, const char* const* argv) {
  const Words words(argv + std::min(argc, 1), argv + argc);
  const CLI::App& command = named(app, words);
  if (const std::string wrong = explain_values(command, words); !wrong.empty())
    throw BadInput(wrong + see_help(command));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) throw;
    throw BadInput(explain(app, error));
  }
}

CLI::Validator whole_number(const std::string& flag, std::int64_t low, std::int64_t high) {
  const auto check = [=](const std::string& value) {
    parse_number(flag, value, low, high);
    return std::string();
  };
  return CLI::Validator(check, "");
}

CLI::Validator one_of(const std::string& flag, const std::vector<const char*>& choices) {
  const auto check = [=](const std::string& value) {
    parse_choice(flag, value, choices);
    return std::string();
  };
  return CLI::Validator(check, "");
}

}  // namespace warplab
