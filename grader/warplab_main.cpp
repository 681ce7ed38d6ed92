// warplab: what students and instructors do with the labs' tasks.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <functional>

#include "common/bad_input.hpp"
#include "grader/commands.hpp"

namespace {

using namespace warplab;

int run(int argc, char** argv) {
  CLI::App app("warplab: the tasks of the labs, from handing out to grading", "warplab");
  app.require_subcommand(1);
  std::function<int()> chosen;

  std::vector<std::string> labs;
  CLI::App* const list = app.add_subcommand("list", "Labs, their tasks and points");
  list->add_option("LAB", labs, "Only these labs");
  list->callback([&] { chosen = [&] { return command_list(labs); }; });

  LimitsOptions limits;
  CLI::App* const measure =
      app.add_subcommand("limits", "What each rung of a lab takes of what tasks.json can limit");
  measure->add_option("LAB", limits.lab, "The lab")->required();
  measure->add_option("--rung", limits.rungs, "Only these rungs")->delimiter(',');
  measure->add_option("--size", limits.size, "Another size than the lab's own: 512x256")->delimiter('x');
  measure->add_option("--param", limits.params, "A parameter of the case: side=9");
  measure->callback([&] { chosen = [&] { return command_limits(limits); }; });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error), exit_ok;
    throw BadInput(std::string(error.what()) + " (see warplab --help)");
  }
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  const auto fail = [](const char* what, int code) {
    std::fflush(stdout);
    std::fprintf(stderr, "warplab: %s\n", what);
    return code;
  };
  try {
    return run(argc, argv);
  } catch (const BadInput& error) {
    return fail(error.what(), exit_bad_input);
  } catch (const NotAvailable& error) {
    return fail(error.what(), exit_not_available);
  } catch (const std::exception& error) {
    return fail(error.what(), exit_fault);
  }
}
