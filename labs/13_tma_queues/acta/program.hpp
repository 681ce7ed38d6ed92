#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <stdexcept>

#include "common/host/bad_input.hpp"
#include "harness/console/command_line.hpp"

// What acta, acta_probe and acta_search do alike.

namespace warplab::acta {

/// Reads the command line. @return false where it only asked for help, which was printed
/// @throws BadInput
inline bool parse(CLI::App& app, int argc, char** argv) {
  try {
    parse_command_line(app, argc, argv);
    return true;
  } catch (const CLI::ParseError& help) {
    return app.exit(help), false;
  }
}

/// Runs a program: an error becomes a sentence, and an exit code that says whose fault it is.
inline int run_program(const char* name, int (*run)(int, char**), int argc, char** argv) {
  const auto fail = [&](const char* what, int code) {
    std::fflush(stdout);
    fmt::print(stderr, "{}: {}\n", name, what);
    return code;
  };
  try {
    return run(argc, argv);
  } catch (const BadInput& error) {
    return fail(error.what(), exit_bad_input);
  } catch (const std::invalid_argument& error) {
    return fail(error.what(), exit_bad_input);
  } catch (const std::exception& error) {
    return fail(error.what(), exit_fault);
  }
}

}  // namespace warplab::acta
