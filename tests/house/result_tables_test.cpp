// The tables of committed runs of several labs are what run_all.sh prints of their results.json today. After
// a new run or a change of the table, WARPLAB_UPDATE=1 writes them first.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/results/run_file.hpp"
#include "runner/run_table.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

TEST(ResultTables, AreThoseOfTheirResults) {
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(WARPLAB_SOURCE_DIR) / "results")) {
    const fs::path table = entry.path() / "table.txt", results = entry.path() / "results.json";
    if (!fs::exists(table) || !content_of(table).starts_with("lab ")) continue;  // what one program printed
    const report::Run run = report::run_of(report::Json::parse(content_of(results)), results);
    if (std::getenv("WARPLAB_UPDATE")) std::ofstream(table) << runner::run_table(run);
    EXPECT_EQ(content_of(table), runner::run_table(run)) << table;
    ++compared;
  }
  EXPECT_GE(compared, 5);
}

}  // namespace
}  // namespace warplab
