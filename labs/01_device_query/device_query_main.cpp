// The program of lab 01: prints the devices, then does what every lab's program does. Two options are its
// own: --save and
// --compare, which run no rung.
#include <cstdio>
#include <string>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "device_facts.hpp"
#include "harness/program/options.hpp"
#include "harness/program/program.hpp"

namespace warplab {
namespace {

constexpr const char* own_options =
    "Options of only this program (each instead of all others):\n"
    "  --save FILE            Write what these devices are to FILE, as JSON\n"
    "  --compare FILE...      Print the table of all devices in FILEs that --save wrote; needs no GPU\n\n";

std::vector<Device> all_devices() {
  std::vector<Device> devices;
  for (int i = 0, count = device_count(); i < count; ++i) devices.push_back(ask_device(i));
  return devices;
}

int run(int argc, char** argv) {
  const std::string option = argc > 1 ? argv[1] : "";
  if (option == "--compare") {
    if (argc < 3) throw BadInput("--compare needs at least one file that --save wrote");
    std::vector<Device> devices;
    for (int i = 2; i < argc; ++i)
      for (Device& device : read_devices(argv[i])) devices.push_back(std::move(device));
    std::fputs(comparison_text(devices).c_str(), stdout);
    return exit_ok;
  }
  if (option == "--save") {
    if (argc != 3) throw BadInput("--save needs one file to write, and no other option");
    write_file_atomically(argv[2], to_json(all_devices()));
    return exit_ok;
  }
  const Problem& problem = *problem_registry().at("device_query");
  const Options options = parse_options(problem, argc, argv);  // so that a bad command line prints no device
  if (options.help) std::fputs(own_options, stdout);
  if (!options.help && !options.list) {
    int number = 0;
    for (const Device& device : all_devices())
      std::fputs((device_text(device, number++) + "\n").c_str(), stdout);
  }
  return run_program(problem, argc, argv);
}

}  // namespace
}  // namespace warplab

int main(int argc, char** argv) {
  const auto fail = [](const char* what, int code) {
    std::fflush(stdout);
    std::fprintf(stderr, "device_query: %s\n", what);
    return code;
  };
  try {
    return warplab::run(argc, argv);
  } catch (const warplab::BadInput& error) {
    return fail(error.what(), warplab::exit_bad_input);
  } catch (const warplab::NotAvailable& error) {
    return fail(error.what(), warplab::exit_not_available);
  } catch (const std::exception& error) {
    return fail(error.what(), warplab::exit_fault);
  }
}
