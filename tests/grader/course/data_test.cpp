// warplab data: what GPUs measured, for people without one.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "common/host/bad_input.hpp"
#include "grader/data/data_output.hpp"
#include "grader/data/data_pack.hpp"
#include "grader/data/filter.hpp"
#include "grader/predict/sealed_ladder.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/common/unnamed_parts.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR;

const std::vector<MeasuredRow>& transpose_rows() {
  static const std::vector<MeasuredRow> rows = measured_rows(source / "results", "transpose");
  return rows;
}

TEST(Data, HasEveryTimeOfTheCommittedRuns) {
  const auto json = nlohmann::json::parse(std::ifstream(source / "results/h200/results.json"));
  std::size_t timed = 0;
  double fastest = 1e9;
  for (const auto& m : json.at("measurements")) {
    if (m.at("lab") != "transpose" || !m.at("time_ms").is_object()) continue;
    if (m.at("role") != "rung" && m.at("role") != "peer") continue;
    ++timed;
    fastest = std::min(fastest, m.at("time_ms").at("median").get<double>());
  }
  std::size_t rows = 0;
  double least = 1e9;
  for (const MeasuredRow& row : transpose_rows()) {
    if (row.run != "h200") continue;
    ++rows;
    least = std::min(least, row.median_ms);
  }
  EXPECT_GT(timed, 10u);
  EXPECT_EQ(rows, timed);
  EXPECT_EQ(least, fastest);
}

TEST(Data, KeepsWhatIsWrittenAsCsv) {
  for (const char* lab : {"transpose", "matmul", "gaussian"}) {
    const std::vector<MeasuredRow> rows = measured_rows(source / "results", lab);
    const std::string csv = to_csv(rows);
    const std::vector<MeasuredRow> again = from_csv(csv);
    ASSERT_EQ(again.size(), rows.size()) << lab;
    EXPECT_EQ(to_csv(again), csv);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(again[i].params, rows[i].params);
      EXPECT_NEAR(again[i].median_ms, rows[i].median_ms, 1e-5 * rows[i].median_ms);
    }
  }
  MeasuredRow odd;
  odd.device = "a \"GPU\", of sorts";
  odd.median_ms = 2;
  EXPECT_EQ(from_csv(to_csv({odd})), std::vector<MeasuredRow>{odd});
  EXPECT_THROW(from_csv("a,b\n1,2\n"), BadInput);
  EXPECT_THROW(from_csv(to_csv({}) + "1,2\n"), BadInput);
  EXPECT_THROW(from_csv(to_csv({odd}).replace(to_csv({odd}).find(",2,"), 3, ",x,")), BadInput);
}

TEST(Data, FiltersAndNamesWhatThereIs) {
  DataFilter filter;
  filter.rungs = {"naive", "tiled"};
  filter.sizes = {"16384x16384"};
  filter.dtypes = {"int"};
  filter.device = "H200";
  filter.sort = "rate";
  const std::vector<MeasuredRow> rows = filtered(transpose_rows(), filter);
  ASSERT_GE(rows.size(), 2u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(rows[i].rung == "naive" || rows[i].rung == "tiled");
    EXPECT_EQ(rows[i].device, "NVIDIA H200");
    EXPECT_GE(rows[i == 0 ? 0 : i - 1].gb_per_s, rows[i].gb_per_s);
  }
  const auto message = [](DataFilter wrong) -> std::string {
    try {
      filtered(transpose_rows(), wrong);
    } catch (const BadInput& error) {
      return error.what();
    }
    return "";
  };
  DataFilter wrong;
  wrong.rungs = {"tilde"};
  EXPECT_NE(message(wrong).find("did you mean tiled"), std::string::npos) << message(wrong);
  wrong = {};
  wrong.device = "t4";
  EXPECT_NE(message(wrong).find("there is NVIDIA H100 80GB HBM3, NVIDIA H200"), std::string::npos);
  wrong = {};
  wrong.where = {"block"};
  EXPECT_NE(message(wrong).find("it takes NAME=VALUE"), std::string::npos);
  wrong.where = {"=256"};
  EXPECT_NE(message(wrong).find("it takes NAME=VALUE"), std::string::npos);
  wrong.where = {"shade=256"};
  EXPECT_NE(message(wrong).find("--where shade: nothing was measured with such a parameter"),
            std::string::npos);
}

// The winners that students predict are in these tables.
TEST(DataPack, OpensOnceTheLabIsPredictedAndHasNoWithheldRung) {
  ScratchFolder scratch;
  const Lab lab{"transpose", scratch.path() / "labs/07_transpose", {}};
  fs::create_directories(lab.folder);
  const std::string pack = data_pack(source / "results", "transpose", {"tiled"});
  std::ofstream(lab.folder / data_pack_file) << pack;
  std::ofstream(lab.folder / "predict.json") << "{}";
  EXPECT_EQ(pack.find("naive"), std::string::npos) << "it can be read at a glance";
  EXPECT_THROW(measurements_of(lab, scratch.path()), BadInput);
  fs::create_directories(scratch.path() / "predictions");
  std::ofstream(scratch.path() / "predictions/transpose.json") << "{}";
  std::set<std::string> rungs;
  for (const MeasuredRow& row : measurements_of(lab, scratch.path())) rungs.insert(row.rung);
  EXPECT_TRUE(rungs.contains("naive"));
  EXPECT_FALSE(rungs.contains("tiled"));
  EXPECT_EQ(data_pack(source / "results", "no_such_lab", {}), "");
  EXPECT_THROW(measurements_of({"no_such_lab", scratch.path(), {}}, scratch.path()), BadInput);
}

TEST(DataOutput, PrintsALinePerMeasurementAndCountsTheRest) {
  const std::vector<MeasuredRow> some(transpose_rows().begin(), transpose_rows().begin() + 5);
  const std::string text = data_table(some, 3);
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  EXPECT_NE(text.find("... and 2 more"), std::string::npos);
  EXPECT_EQ(data_table(some, 5).find("more"), std::string::npos);
}

TEST(DataOutput, DrawsABarPerMeasurementWithItsTextAlternative) {
  DataFilter filter;
  filter.sizes = {"16384x16384"};
  filter.dtypes = {"int"};
  filter.device = "h200";
  const std::vector<MeasuredRow> rows = filtered(transpose_rows(), filter);
  const std::string page = data_page(rows, "transpose on <H200>");
  EXPECT_NE(page.find("transpose on &lt;H200&gt;"), std::string::npos);
  for (const MeasuredRow& row : rows) EXPECT_NE(page.find(row.rung), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("in GB/s: naive: "), std::string::npos);
  EXPECT_EQ(unnamed_parts(page), "");
}

}  // namespace
}  // namespace warplab
