#include "harness/program/options.hpp"
#include "harness/console/flag_values.hpp"

#include "common/host/bad_input.hpp"
#include "common/launch_shape.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

class TwoRungs : public Problem {
 public:
  std::string lab() const override { return "transpose"; }
  std::string title() const override { return "Matrix transpose"; }
  const std::vector<Rung>& rungs() const override {
    static const std::vector<Rung> table{{"naive", "", Rung::Access::given, {DType::f32}},
                                         {"tiled", "", Rung::Access::task, {DType::f32, DType::f64}}};
    return table;
  }
  std::vector<std::string> size_names() const override { return {"rows", "cols"}; }
  Case default_case(Backend) const override { return {}; }
  std::vector<Case> public_cases(const Rung&) const override { return {}; }
  std::vector<HostArray> inputs(const Case&) const override { return {}; }
  std::vector<ArraySpec> outputs(const Case&) const override { return {}; }
  std::vector<HostArray> expected(const Case&, const std::vector<HostArray>&) const override { return {}; }
  Tolerance tolerance(const Case&, std::size_t) const override { return {}; }
  Cost cost(const Case&) const override { return {}; }
};

Options parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "transpose");
  return parse_options(TwoRungs(), static_cast<int>(arguments.size()), arguments.data());
}

std::string complaint(std::vector<const char*> arguments) {
  return message_of<BadInput>([&] { parse(std::move(arguments)); });
}

TEST(Options, AChoiceIsOneOfThoseAccepted) {
  const std::vector<const char*> borders{"clamp", "zero"};
  EXPECT_EQ(parse_choice("--border", "zero", borders), 1u);
  EXPECT_EQ(message_of<BadInput>([&] { parse_choice("--border", "clamb", borders); }),
            "--border clamb is unknown; did you mean clamp?; accepted are clamp, zero");
}

TEST(Options, ReadsEveryFlag) {
  const Options o = parse({"--rung",       "naive,tiled",   "--rung",
                           "tiled",        "--size",        "128x7",
                           "--block",      "32x8",          "--grid",
                           "16x4x2",       "--blocks-down", "63",
                           "--dtype",      "double",        "--repeat",
                           "30",           "--seed",        "18446744073709551615",
                           "--in-process", "--verify-only", "--json=a.json",
                           "--csv=b.csv",  "--timeout",     "5",
                           "--input",      "x.npy",         "--output",
                           "y.npy"});
  EXPECT_EQ(o.rungs, (std::vector<std::string>{"naive", "tiled", "tiled"}));
  EXPECT_EQ(o.size, (std::vector<std::int64_t>{128, 7}));
  EXPECT_EQ(o.block, (Extent3{32, 8, 1}));
  EXPECT_EQ(o.grid, (Extent3{16, 4, 2}));
  EXPECT_EQ(o.blocks_down, 63);
  EXPECT_EQ(o.dtype, DType::f64);
  EXPECT_EQ(o.repeat, 30);
  EXPECT_EQ(o.seed, ~std::uint64_t{0});
  EXPECT_TRUE(o.in_process);
  EXPECT_TRUE(o.verify_only);
  EXPECT_EQ(o.json, "a.json");
  EXPECT_EQ(o.csv, "b.csv");
  EXPECT_EQ(o.timeout_s, 5);
  EXPECT_FALSE(o.published_suite);
  EXPECT_TRUE(parse({"--suite", "published"}).published_suite);
  EXPECT_EQ(parse({"--size", "0x0"}).size, (std::vector<std::int64_t>{0, 0}));
}

TEST(Options, BlocksDownMakeLayersOfGrids) {
  EXPECT_EQ(complaint({"--blocks-down", "0"}),
            "--blocks-down 0 is out of range; accepted are whole numbers from 1 to 65535");
  EXPECT_EQ(grid_in_layers(3, 64).z, 1u);
  setenv(blocks_down_variable, "63", 1);
  EXPECT_EQ(grid_in_layers(3, 64).z, 2u);
  EXPECT_EQ(grid_in_layers(3, 64).y, 32u);
  unsetenv(blocks_down_variable);
}

TEST(Options, EveryFlagOfTheLensAsksForIt) {
  EXPECT_FALSE(parse({"--seed", "1"}).lens);
  EXPECT_TRUE(parse({"--lens"}).lens);
  EXPECT_EQ(parse({"--lens"}).lens_blocks, 64u);
  EXPECT_TRUE(parse({"--lens-blocks", "8"}).lens);
  EXPECT_TRUE(parse({"--lens-as-compiled"}).lens);
  EXPECT_EQ(parse({"--lens-blocks", "8"}).lens_blocks, 8u);
  EXPECT_EQ(parse({"--lens-blocks", "all"}).lens_blocks, 0u);
  EXPECT_TRUE(parse({"--lens-map", "a.svg"}).lens);
  EXPECT_EQ(parse({"--lens-map", "a.svg"}).lens_map, "a.svg");
  EXPECT_TRUE(parse({"--lens-tree", "a.svg"}).lens);
  EXPECT_EQ(parse({"--lens-tree", "a.svg"}).lens_tree, "a.svg");
}

TEST(Options, SaysWhatIsWrongWithTheLens) {
  constexpr const char* accepted = "; accepted are whole numbers of 1 or more, or all";
  EXPECT_EQ(complaint({"--lens-blocks", "0"}), std::string("--lens-blocks 0 is out of range") + accepted);
  EXPECT_EQ(complaint({"--lens-blocks", "-1"}), std::string("--lens-blocks -1 is out of range") + accepted);
  EXPECT_EQ(complaint({"--lens-blocks=abc"}),
            std::string("--lens-blocks abc is not a whole number") + accepted);
  EXPECT_EQ(complaint({"--lens-map", "a.png"}),
            "--lens-map a.png is a picture of another kind; accepted is FILE.svg");
}

TEST(Options, SaysWhatIsWrongWithASize) {
  constexpr const char* accepted = "accepted are whole numbers of 0 or more";
  EXPECT_EQ(complaint({"--size", "128"}),
            "--size 128 has 1 extent; accepted is rowsxcols, such as 1024x1024");
  EXPECT_EQ(complaint({"--size", "1x2x3"}),
            "--size 1x2x3 has 3 extents; accepted is rowsxcols, such as 1024x1024");
  EXPECT_EQ(complaint({"--size", "-5x4"}), std::string("--size -5x4: '-5' is out of range; ") + accepted);
  EXPECT_EQ(complaint({"--size=-5x4"}), std::string("--size -5x4: '-5' is out of range; ") + accepted);
  EXPECT_EQ(complaint({"--size", "4x"}), std::string("--size 4x: '' is not a whole number; ") + accepted);
  EXPECT_EQ(complaint({"--size", "4x1e3"}),
            std::string("--size 4x1e3: '1e3' is not a whole number; ") + accepted);
  EXPECT_EQ(complaint({"--size", "4x99999999999999999999"}),
            "--size 4x99999999999999999999: '99999999999999999999' is too large; accepted are whole numbers "
            "from 0 to 9223372036854775807");
}

TEST(Options, SaysWhatIsWrongWithABlockOrAGrid) {
  EXPECT_EQ(complaint({"--block", "64x32"}),
            "--block 64x32 has 2048 threads; CUDA allows at most 1024 per block");
  EXPECT_EQ(complaint({"--block", "0"}),
            "--block 0 is out of range; accepted are whole numbers from 1 to 1024");
  EXPECT_EQ(complaint({"--block", "2048"}),
            "--block 2048 is out of range; accepted are whole numbers from 1 to 1024");
  EXPECT_EQ(complaint({"--block", "1x1x65"}),
            "--block 1x1x65: '65' is out of range; accepted are whole numbers from 1 to 64");
  EXPECT_EQ(complaint({"--block", "1x1x1x1"}),
            "--block 1x1x1x1 has 4 extents; at most 3 are accepted, such as 32x8");
  EXPECT_EQ(complaint({"--grid", "1x70000"}),
            "--grid 1x70000: '70000' is out of range; accepted are whole numbers from 1 to 65535");
}

TEST(Options, SaysWhatIsWrongWithTheOthers) {
  EXPECT_EQ(complaint({"--rung", "tild"}),
            "--rung tild: transpose has no such rung; did you mean tiled?; it has naive, tiled");
  EXPECT_EQ(complaint({"--dtype", "float32"}),
            "--dtype float32: no rung of transpose takes it; did you mean float?; they take float, double");
  EXPECT_EQ(complaint({"--json", "a.npy", "--output", "a.npy"}),
            "--output and --json name the same file, a.npy");
  EXPECT_EQ(complaint({"--dtype", "half"}),
            "--dtype half: no rung of transpose takes it; they take float, double");
  EXPECT_EQ(complaint({"--repeat", "0"}),
            "--repeat 0 is out of range; accepted are whole numbers from 1 to 2000");
  EXPECT_EQ(complaint({"--seed", "-1"}),
            "--seed -1 is out of range; accepted are whole numbers of 0 or more");
  EXPECT_EQ(complaint({"--suite", "best"}),
            "--suite best is unknown; accepted are default, published and sweep");
  EXPECT_EQ(complaint({"--blok", "4x4"}), "unknown option '--blok'; did you mean --block?; see --help");
  EXPECT_EQ(complaint({"4096x4096"}), "'4096x4096' is one word too many; see --help");
  EXPECT_EQ(complaint({"--size"}), "--size needs a value; see --help");
  EXPECT_EQ(complaint({"--size", "--list"}), "--size needs a value; see --help");
  EXPECT_EQ(complaint({"--size", "10x10", "--size=20x20"}),
            "--size is given twice; it takes one value; see --help");
  EXPECT_EQ(complaint({"--suite", "published", "--block", "8"}),
            "--block does not go with --suite published, which replays published cases");
  EXPECT_EQ(complaint({"--suite", "sweep"}), "--suite sweep: the lab transpose has no sweep");
}

}  // namespace
}  // namespace warplab
