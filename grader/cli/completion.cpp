#include "grader/cli/completion.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/host/bad_input.hpp"
#include "grader/cli/tree.hpp"

namespace warplab {
namespace {

struct Flag {
  std::string name, description;  ///< "--labs"
  bool takes_value, takes_labs;
};
struct Command {
  std::string name, description;
  std::vector<Flag> flags;
  bool takes_labs = false;  ///< as words of its own
};

Command command_of(const CLI::App& app) {
  Command command{app.get_name(), app.get_description(), {}, false};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      command.takes_labs |= option->get_name().starts_with("LAB");
      continue;
    }
    for (const std::string& name : option->get_lnames())
      command.flags.push_back(
          {"--" + name, option->get_description(), option->get_items_expected_max() > 0, name == "labs"});
  }
  return command;
}

std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> commands;
  for (const CLI::App* sub : app.get_subcommands({})) commands.push_back(command_of(*sub));
  return commands;
}

/// Labs, and after a slash their tasks, with words between them.
std::string labs_of(const Course& course, bool tasks) {
  std::string words;
  for (const Lab& lab : course.labs) {
    words += " " + lab.stem;
    if (!tasks) continue;
    for (const Task& task : lab.tasks) words += " " + task.name();
  }
  return words.empty() ? words : words.substr(1);
}

/// In single quotes, as each of the shells reads it.
std::string quoted(const std::string& text, const char* quote) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string(quote) : std::string(1, c);
  return result + "'";
}

std::string names_of(const std::vector<Flag>& flags) {
  std::string names;
  for (const Flag& flag : flags) names += (names.empty() ? "" : " ") + flag.name;
  return names;
}

std::string bash(const std::vector<Command>& commands, const Course& course) {
  std::string names, cases;
  for (const Command& command : commands) {
    names += (names.empty() ? "" : " ") + command.name;
    std::string words = names_of(command.flags);
    if (command.takes_labs) words += " " + labs_of(course, command.name == "test");
    cases += fmt::format("    {}) words={} ;;\n", command.name, quoted(words, "'\\''"));
  }
  return fmt::format(R"(# warplab: completion for bash
_warplab() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{}' -- "$current"))
    return
  fi
  if [[ $before == --labs ]]; then
    local head="" last=${{current##*,}}
    [[ $current == *,* ]] && head=${{current%,*}},
    COMPREPLY=($(compgen -P "$head" -W '{}' -- "$last"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  ((${{#COMPREPLY[@]}})) || COMPREPLY=($(compgen -f -- "$current"))
}}
complete -F _warplab warplab
)",
                     names, labs_of(course, false), cases);
}

std::string zsh(const std::vector<Command>& commands, const Course& course) {
  const auto described = [](const std::string& word, const std::string& description) {
    std::string escaped;
    for (const char c : description) escaped += c == ':' ? std::string("\\:") : std::string(1, c);
    return quoted(word + ":" + escaped, "'\\''");
  };
  std::string names, cases;
  for (const Command& command : commands) {
    names += " " + described(command.name, command.description);
    std::string flags;
    for (const Flag& flag : command.flags) flags += " " + described(flag.name, flag.description);
    const std::string labs = command.takes_labs ? labs_of(course, command.name == "test") : "";
    cases += fmt::format("    {}) flags=({}) labs=({}) ;;\n", command.name, flags, labs);
  }
  return fmt::format(R"(#compdef warplab
# warplab: completion for zsh
_warplab() {{
  local -a commands flags labs
  commands=({})
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  if [[ ${{words[CURRENT-1]}} == --labs ]]; then
    _values -s , lab {}
    return
  fi
  case ${{words[2]}} in
{}  esac
  if [[ $PREFIX == -* ]]; then
    _describe option flags
  elif ((${{#labs}})); then
    compadd -a labs
  else
    _files
  fi
}}
compdef _warplab warplab
)",
                     names, labs_of(course, false), cases);
}

std::string fish(const std::vector<Command>& commands, const Course& course) {
  std::string text = "# warplab: completion for fish\n";
  for (const Command& command : commands) {
    text += fmt::format("complete -c warplab -f -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        quoted(command.description, "\\'"));
    const std::string seen = "'__fish_seen_subcommand_from " + command.name + "'";
    for (const Flag& flag : command.flags)
      text += fmt::format("complete -c warplab -n {} -l {}{} -d {}\n", seen, flag.name.substr(2),
                          flag.takes_labs    ? " -x -a '" + labs_of(course, false) + "'"
                          : flag.takes_value ? " -r"
                                             : "",
                          quoted(flag.description, "\\'"));
    if (command.takes_labs)
      text += fmt::format("complete -c warplab -f -n {} -a '{}'\n", seen,
                          labs_of(course, command.name == "test"));
  }
  return text;
}

}  // namespace

int command_completion(const CLI::App& app, const std::string& shell) {
  const std::vector<Command> commands = commands_of(app);
  const Course course = course_here();
  fmt::print("{}", shell == "bash"  ? bash(commands, course)
                   : shell == "zsh" ? zsh(commands, course)
                                    : fish(commands, course));
  return exit_ok;
}

}  // namespace warplab
