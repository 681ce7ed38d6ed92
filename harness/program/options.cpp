#include "harness/program/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/console/flags.hpp"
#include "harness/problem/problem_command_line.hpp"

namespace warplab {
namespace {

std::vector<std::string> rung_names(const Problem& problem) {
  std::vector<std::string> names;
  for (const Rung& rung : problem.rungs()) names.push_back(rung.name);
  return names;
}

void check_rungs(const Problem& problem, const std::vector<std::string>& rungs) {
  const std::vector<std::string> names = rung_names(problem);
  for (const std::string& rung : rungs)
    if (!problem.find_rung(rung))
      throw BadInput(fmt::format("--rung {}: {} has no such rung{}; it has {}", rung, problem.lab(),
                                 did_you_mean(rung, names), fmt::join(names, ", ")));
}

/// "all" as 0, or how many blocks. @throws BadInput
std::uint64_t parse_lens_blocks(const std::string& text) {
  if (text == "all") return 0;
  try {
    return parse_whole<std::uint64_t>("--lens-blocks", text, 1, std::uint64_t{1} << 62);
  } catch (const BadInput& error) {
    throw BadInput(error.what() + std::string(", or all"));
  }
}

/// The types that at least one of the lab's rungs takes, by name.
std::vector<std::string> dtype_names(const Problem& problem) {
  std::vector<std::string> names;
  for (const DType dtype : all_dtypes)
    if (std::ranges::any_of(problem.rungs(), [&](const Rung& rung) {
          return std::ranges::find(rung.dtypes, dtype) != rung.dtypes.end();
        }))
      names.emplace_back(name_of(dtype));
  return names;
}

DType parse_dtype_flag(const Problem& problem, const std::string& text) {
  const std::vector<std::string> names = dtype_names(problem);
  if (std::ranges::find(names, text) != names.end()) return *parse_dtype(text);
  const std::string meant = parse_dtype(text) ? "" : did_you_mean(text, names);
  throw BadInput(fmt::format("--dtype {}: no rung of {} takes it{}; they take {}", text, problem.lab(), meant,
                             fmt::join(names, ", ")));
}

/// What flags hold before it is read.
struct Texts {
  std::string size, block, grid, blocks_down, dtype, repeat, seed, suite, timeout, lens_blocks;
  std::vector<std::string> rungs;
  std::map<std::string, std::string> lab;  ///< by the names of the lab's own flags
};

void declare_flags(Flags& flags, const Problem& problem, Options& options, Texts& texts) {
  flags.add_switch("-h,--help", options.help, "Print this help and exit");
  flags.add_switch("--list", options.list, "List the rungs and exit");
  flags.add_texts("--rung", texts.rungs, "Only this rung; may be repeated, or take a,b,c");
  flags.add_text("--size", texts.size, fmt::format("Extents {}", fmt::join(problem.size_names(), "x")));
  flags.add_text("--block", texts.block, "Threads per block, such as 32x8 (only for rungs that support it)");
  flags.add_text("--grid", texts.grid, "Blocks, such as 16x16 (only for rungs that support it)");
  flags.add_text("--blocks-down", texts.blocks_down,
                 "Most blocks in y of grids that then go on in z (default: 65535; graded code has 63)");
  flags.add_text("--dtype", texts.dtype,
                 fmt::format("Element type: {}", fmt::join(dtype_names(problem), ", ")));
  flags.add_text("--repeat", texts.repeat, "Number of samples (default: until their spread settles)");
  flags.add_text("--seed", texts.seed, "Seed of the inputs");
  flags.add_text("--suite", texts.suite,
                 "default; published: replay the published tables; sweep: many shapes");
  flags.add_text("--table", options.table,
                 "Replay only the published table of this name; implies --suite published");
  flags.add_text("--input", options.input, problem.command_line().input_help());
  flags.add_text("--output", options.output, problem.command_line().output_help());
  flags.add_text("--pictures", options.pictures,
                 "Write pictures of the results, if there are any, to this folder");
  for (const LabOption& option : problem.command_line().lab_options())
    if (option.takes_value)
      flags.add_text("--" + option.name, texts.lab[option.name], option.help);
    else
      flags.add_switch("--" + option.name, option.help), texts.lab[option.name] = "yes";
  flags.add_text("--json", options.json, "Write the results to this file");
  flags.add_text("--csv", options.csv, "Write the results to this file, as a table");
  flags.add_switch("--in-process", options.in_process, "Run rungs in this process, for gdb");
  flags.add_switch("--verify-only", options.verify_only, "Run each rung once, without measuring time");
  flags.add_text("--timeout", texts.timeout, "Time limit for one call of a rung, in seconds (default: 120)");
  flags.add_switch("--lens", options.lens,
                   "Count memory sectors, bank conflicts and divergence per source line");
  flags.add_text("--lens-blocks", texts.lens_blocks,
                 "Number of blocks per launch that the lens records (default: 64), or all");
  flags.add_switch(
      "--lens-only", options.lens_only,
      "Run only the blocks that the lens records, for sizes that would take too long; verifies nothing");
  flags.add_switch("--lens-as-compiled", options.lens_as_compiled,
                   "Show beside each line which accesses nvcc makes of it; needs nvcc, but no GPU");
  flags.add_text("--lens-map", options.lens_map, "Draw the memory that a warp touches, to this SVG file");
  flags.add_text("--lens-tree", options.lens_tree, "Draw the tree of launches, to this SVG file");
}

void check_table(const Problem& problem, const std::string& table) {
  std::vector<std::string> names;
  for (const Experiment& e : problem.experiments())
    if (std::ranges::find(names, e.table) == names.end()) names.push_back(e.table);
  if (std::ranges::find(names, table) == names.end())
    throw BadInput(fmt::format("--table {}: {} replays no such table{}; it replays {}", table, problem.lab(),
                               did_you_mean(table, names),
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, "; "))));
}

void read_suite(const Flags& flags, const Problem& problem, const std::string& suite, Options& options) {
  if (flags.has("--suite") && suite != "default" && suite != "published" && suite != "sweep")
    throw BadInput(fmt::format("--suite {} is unknown; accepted are default, published and sweep", suite));
  if (flags.has("--table")) check_table(problem, options.table);
  if (flags.has("--table") && flags.has("--suite") && suite != "published")
    throw BadInput(fmt::format("--table does not go with --suite {}: it is of the published suite", suite));
  options.published_suite = suite == "published" || flags.has("--table");
  options.sweep_suite = suite == "sweep";
  if (options.sweep_suite && problem.sweep().empty())
    throw BadInput(fmt::format("--suite sweep: the lab {} has no sweep", problem.lab()));
  if (!options.published_suite && !options.sweep_suite) return;
  std::vector<std::string> fixed{"--size", "--block", "--grid", "--blocks-down", "--dtype", "--input"};
  for (const auto& [name, value] : options.lab) fixed.push_back("--" + name);
  for (const std::string& flag : fixed)
    if (flags.has(flag))
      throw BadInput(fmt::format(
          "{} does not go with --suite {}, which {}", flag, options.published_suite ? "published" : suite,
          options.published_suite ? "replays published cases" : "runs the lab's own list of cases"));
}

void read_lens(const Flags& flags, const std::string& blocks, Options& options) {
  if (flags.has("--lens-blocks")) options.lens_blocks = parse_lens_blocks(blocks);
  for (const auto& [flag, file] :
       {std::pair{"--lens-map", &options.lens_map}, {"--lens-tree", &options.lens_tree}})
    if (flags.has(flag) && !file->ends_with(".svg"))
      throw BadInput(fmt::format("{} {} is a picture of another kind; accepted is FILE.svg", flag, *file));
  options.lens = options.lens || options.lens_only || options.lens_as_compiled ||
                 flags.has("--lens-blocks") || flags.has("--lens-map") || flags.has("--lens-tree");
}

/// Each file is written as a whole, so that the later one would take the place of the earlier one.
void check_outputs_differ(const Options& options) {
  const std::pair<const char*, const std::string*> files[] = {{"--output", &options.output},
                                                              {"--json", &options.json},
                                                              {"--csv", &options.csv},
                                                              {"--lens-map", &options.lens_map},
                                                              {"--lens-tree", &options.lens_tree}};
  for (auto one = std::begin(files); one != std::end(files); ++one)
    for (auto other = std::begin(files); other != one; ++other)
      if (!one->second->empty() && *one->second == *other->second)
        throw BadInput(
            fmt::format("{} and {} name the same file, {}", other->first, one->first, *one->second));
}

}  // namespace

Options parse_options(const Problem& problem, int argc, const char* const* argv) {
  Options options;
  Texts texts;
  Flags flags(problem.title(), problem.lab());
  declare_flags(flags, problem, options, texts);
  flags.parse(argc, argv);

  options.help_text = flags.help();
  if (options.help) return options;

  for (const std::string& list : texts.rungs)
    for (const std::string& rung : split_list(list, ',')) options.rungs.push_back(rung);
  check_rungs(problem, options.rungs);
  for (const auto& [name, value] : texts.lab)
    if (flags.has("--" + name)) options.lab[name] = value;
  if (flags.has("--size")) options.size = parse_size(texts.size, problem.size_names());
  if (flags.has("--block")) options.block = parse_block(texts.block);
  if (flags.has("--grid")) options.grid = parse_grid(texts.grid);
  if (flags.has("--blocks-down"))
    options.blocks_down = parse_whole<int>("--blocks-down", texts.blocks_down, 1, 65535);
  if (flags.has("--dtype")) options.dtype = parse_dtype_flag(problem, texts.dtype);
  if (flags.has("--repeat")) options.repeat = parse_whole<int>("--repeat", texts.repeat, 1, max_repetitions);
  if (flags.has("--seed"))
    options.seed = parse_whole<std::uint64_t>("--seed", texts.seed, 0, ~std::uint64_t{0});
  if (flags.has("--timeout")) options.timeout_s = parse_whole<int>("--timeout", texts.timeout, 1, 86400);
  read_suite(flags, problem, texts.suite, options);
  read_lens(flags, texts.lens_blocks, options);
  check_outputs_differ(options);
  return options;
}

}  // namespace warplab
