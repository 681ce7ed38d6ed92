// The lens's promise: it counts what the hardware counts, but where the compiler
// changes what the source says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "common/io/file_content.hpp"
#include "tests/parity/comparison.hpp"
#include "tests/parity/ncu_pages.hpp"

namespace warplab::parity {
namespace {

const Places trees{WARPLAB_SOURCE_DIR, WARPLAB_BINARY_DIR};

const Exception* exception_for(const std::vector<Exception>& exceptions, const CaseResult& result,
                               const Row& row) {
  for (const Exception& e : exceptions)
    if (e.name == result.name && std::find(e.metrics.begin(), e.metrics.end(), row.metric) != e.metrics.end())
      return &e;
  return nullptr;
}

/// By which factor the two sides differ, at least 1.
double factor(const Row& row) {
  const double more = std::max(row.hardware, row.lens),
               less = std::max(1.0, std::min(row.hardware, row.lens));
  return more / less;
}

/// Divergent branches that differ have a reason, which none of the others has. Occupancy differs only where
/// registers, which the lens does not know, make it lower.
void expect_reasons_beside_the_counts(const std::vector<CaseResult>& results) {
  const BranchReasons reasons = read_branch_reasons(trees);
  std::set<std::string> unused;
  for (const auto& [name, kind] : reasons.cases) unused.insert(name);
  long near = 0;
  for (const CaseResult& result : results) {
    const BesideTheCounts& b = result.beside;
    const std::string kind = branch_kind(reasons, result);
    if (b.divergent_branches.hardware != b.divergent_branches.lens) {
      EXPECT_TRUE(reasons.kinds.contains(kind))
          << result.name << ": " << b.divergent_branches.hardware << " divergent branches of "
          << b.branches.hardware << " on the GPU, and " << b.divergent_branches.lens << " of "
          << b.branches.lens << " here; no reason is given in branch_reasons.json";
      if (kind != "predicated" && kind != "fewer") unused.erase(result.name);
    }
    EXPECT_TRUE(occupancy_agrees(b.occupancy_percent) ||
                b.occupancy_percent.hardware < b.occupancy_percent.lens)
        << result.name << ": " << b.occupancy_percent.hardware << " % on the GPU";
    near += std::abs(b.active_lanes.hardware - b.active_lanes.lens) <= 4;
  }
  EXPECT_EQ(unused, std::set<std::string>{}) << "need their reasons no more";
  EXPECT_GE(static_cast<double>(near), 0.9 * static_cast<double>(results.size())) << "active lanes";
}

TEST(LensParity, CountsWhatTheHardwareCountsExceptWhereListed) {
  const auto hardware = hardware_document(trees);
  const std::vector<Exception> exceptions = read_exceptions(trees);
  std::vector<CaseResult> results;
  const CasesByRecord cases = cases_by_record(trees, hardware);
  for (const std::string& name : cases.recorded) results.push_back(compare_case(trees, hardware, name));

  for (const CaseResult& result : results) {
    EXPECT_EQ(result.failure, "") << result.name;
    for (const Row& row : result.rows) {
      const Exception* const exception = exception_for(exceptions, result, row);
      if (!exception) {
        EXPECT_EQ(row.lens, row.hardware) << result.name << ": " << row.metric;
      } else {
        EXPECT_NE(row.lens, row.hardware)
            << result.name << ": " << row.metric << " needs its exception no more";
        EXPECT_LE(factor(row), exception->bound) << result.name << ": " << row.metric;
      }
    }
  }
  EXPECT_GE(results.size(), 60u);
  // Of rungs the compiler makes more.
  std::vector<CaseResult> kernels = results;
  std::erase_if(kernels, [](const CaseResult& r) { return r.name.find(' ') != std::string::npos; });
  EXPECT_GE(exact_share(kernels), 0.95);
  EXPECT_GE(exact_share(results), 0.94);
  expect_reasons_beside_the_counts(results);

  EXPECT_TRUE(file_content(trees.source / "docs/lens-parity.md") ==
              page(hardware, results, exceptions, read_branch_reasons(trees), cases.missing))
      << "docs/lens-parity.md is not what this run gives: cmake --build --preset emulator --target "
         "parity_page";
}

TEST(LensParity, CasesThatTheHardwareHasNotCountedAreListed) {
  std::ifstream file(trees.source / "tests/parity/not_recorded.txt");
  std::vector<std::string> listed;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') listed.push_back(line);
  EXPECT_EQ(cases_by_record(trees, hardware_document(trees)).missing, listed);
}

TEST(LensParity, EveryExceptionIsOfACaseThatExistsAndHasAReason) {
  const std::vector<std::string> names = case_names(trees);
  for (const Exception& e : read_exceptions(trees)) {
    EXPECT_NE(std::find(names.begin(), names.end(), e.name), names.end()) << e.name;
    EXPECT_GT(e.reason.size(), 20u) << e.name;
    EXPECT_GT(e.bound, 1.0) << e.name;
  }
}

/// The sum of a metric over the launches of a case, as recorded on the hardware and as the lens counts it.
std::pair<double, double> both(const std::string& name, const std::string& metric) {
  const CaseResult result = compare_case(trees, hardware_document(trees), name);
  EXPECT_EQ(result.failure, "") << name;
  for (const Row& row : result.rows)
    if (row.metric == metric) return {row.hardware, row.lens};
  ADD_FAILURE() << name << " has no " << metric;
  return {};
}

TEST(LensParity, TransposeOf1024x1024HasTheFiguresOfTheTextbook) {
  using Pair = std::pair<double, double>;
  constexpr double requests = 1024 * 1024 / 32;
  const std::string square = "transpose naive --size 1024x1024 --block 32x32";
  EXPECT_EQ(both(square, "global_load.sectors"), Pair(4 * requests, 4 * requests));
  EXPECT_EQ(both(square, "global_store.sectors"), Pair(32 * requests, 32 * requests));
  const std::string narrow = "transpose naive --size 1024x1024 --block 2x32";
  EXPECT_EQ(both(narrow, "global_load.sectors"), Pair(16 * requests, 16 * requests));
  EXPECT_EQ(both(narrow, "global_store.sectors"), Pair(4 * requests, 4 * requests));
  const std::string tiled = "transpose tiled --size 1024x1024",
                    padded = "transpose tiled_padded --size 1024x1024";
  EXPECT_EQ(both(tiled, "shared_load.wavefronts"), Pair(1081344 - requests, 1081344 - requests));
  EXPECT_EQ(both(tiled, "shared_load.ideal_wavefronts"), Pair(requests, requests));
  EXPECT_EQ(both(tiled, "shared_store.wavefronts"), Pair(requests, requests));
  EXPECT_EQ(both(padded, "shared_load.wavefronts"), Pair(requests, requests));
  EXPECT_EQ(both(padded, "shared_store.wavefronts"), Pair(requests, requests));
}

/// The rungs of a lab that its CMakeLists.txt names after SM_90.
std::set<std::string> rungs_for_sm_90(const std::filesystem::path& lab) {
  std::ifstream file(lab / "CMakeLists.txt");
  std::set<std::string> rungs;
  std::string word;
  while (file >> word && word != "SM_90") continue;
  while (file >> word && std::islower(static_cast<unsigned char>(word[0]))) {
    const bool last = word.ends_with(')');
    rungs.insert(word.substr(0, word.size() - last));
    if (last) break;
  }
  return rungs;
}

TEST(LensParity, EveryRungOfEveryLabIsAmongTheCases) {
  std::set<std::string> listed;
  for (const std::string& name : case_names(trees)) {
    std::istringstream words(name);
    std::string lab, rung;
    if (words >> lab >> rung) listed.insert(lab + "/" + rung);
  }
  std::ifstream cases(trees.source / "tests/parity/lab_cases.txt");
  for (std::string line; std::getline(cases, line);) {  // "#- lab/rung...: why they are left out"
    if (!line.starts_with("#- ")) continue;
    std::istringstream words(line.substr(3, line.find(':') - 3));
    for (std::string rung; words >> rung;) listed.insert(rung);
  }
  int rungs = 0;
  for (const auto& folder : std::filesystem::directory_iterator(trees.source / "labs")) {
    if (!folder.is_directory()) continue;
    const std::string lab = folder.path().filename().string().substr(3);  // 07_transpose
    const std::set<std::string> for_sm_90 = rungs_for_sm_90(folder);
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
      if (file.path().extension() != ".cu" || !file.path().filename().string().starts_with(lab + "_") ||
          file.path().parent_path().filename() == "peers")
        continue;
      if (file_content(file.path()).find("__global__") == std::string::npos)
        continue;  // it launches nothing of its own
      const std::string rung = file.path().stem().string().substr(lab.size() + 1);
      if (rung == "ceiling") continue;  // what rungs are compared with is not one
      // The profiler's counters of loads leave out what the TMA and wgmma read.
      if (for_sm_90.contains(rung)) continue;
      EXPECT_TRUE(listed.contains(lab + "/" + rung)) << lab << " " << rung << " is not in lab_cases.txt";
      ++rungs;
    }
  }
  EXPECT_GE(rungs, 12);
}

// --- The reader of ncu's pages

TEST(NcuPages, NamesAKernelWithoutItsDecoration) {
  EXPECT_EQ(bare_name("copy(const float *, float *, int)"), "copy");
  EXPECT_EQ(bare_name("void a::b::copy<float, (int)3>(const T1 *, T1 *)"), "copy");
  EXPECT_EQ(bare_name("void <unnamed>::copy(int)"), "copy");
  EXPECT_EQ(bare_name("void (anonymous namespace)::copy<3>(int)"), "copy");
  EXPECT_EQ(bare_name("copy"), "copy");
}

const std::string raw_header =
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\","
    "\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\"";

TEST(NcuPages, RefusesPagesThatAreSomethingElse) {
  EXPECT_THROW(read_pages("", ""), std::runtime_error);
  EXPECT_THROW(read_pages("==PROF== Disconnected\n", ""), std::runtime_error);
  EXPECT_THROW(
      read_pages(raw_header + "\n\"\",\"\"\n\"0\",\"k()\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"1\",\"4\"\n", ""),
      std::runtime_error);
}

TEST(NcuPages, TellsLoadsFromStoresAndMemoriesApart) {
  std::string header = "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\"", units = "\"\",\"\",\"\",\"\"",
              values = "\"0\",\"void k<4>(int *)\",\"(33, 3, 1)\",\"(2, 1, 1)\"";
  const auto metric = [&](const std::string& name, const std::string& value) {
    header += ",\"" + name + "\"";
    units += ",\"\"";
    values += ",\"" + value + "\"";
  };
  for (const char* operation :
       {"global_op_ld", "global_op_st", "global_op_atom", "global_op_red", "local_op_ld", "local_op_st"})
    for (const char* what : {"requests", "sectors"})
      metric(std::string("l1tex__t_") + what + "_pipe_lsu_mem_" + operation + ".sum", "1,024");
  metric("memory_l2_theoretical_sectors_global", "7");
  metric("memory_l2_theoretical_sectors_global_ideal", "5");
  metric("idc__requests.sum", "12");
  const std::string source =
      "\"Kernel Name\",\"void k<(int)4>(int *)\"\n"
      "\"Address\",\"Source\",\"Instructions Executed\",\"L2 Theoretical Sectors Global\",\"L2 Theoretical "
      "Sectors Global "
      "Ideal\",\"L1 Wavefronts Shared\",\"L1 Wavefronts Shared Ideal\"\n"
      "\"0x0\",\"      @!P0 LDG.E R2, [R4]\",\"2\",\"8\",\"6\",\"0\",\"0\"\n"
      "\"0x1\",\"      STG.E.64 [R4], R2\",\"2\",\"9\",\"3\",\"0\",\"0\"\n"
      "\"0x2\",\"      LDSM.16.M88.4 R4, [R5]\",\"1\",\"0\",\"0\",\"8\",\"4\"\n"
      "\"0x3\",\"      STS [R5], R6\",\"1\",\"0\",\"0\",\"32\",\"1\"\n"
      "\"0x4\",\"      REDG.E.ADD desc[UR4][R2.64], R5\",\"1\",\"3\",\"1\",\"0\",\"0\"\n"
      "\"0x5\",\"      LDC R1, c[0x0][0x28]\",\"2\",\"0\",\"0\",\"0\",\"0\"\n"
      "\"0x6\",\"      LDC R4, c[0x3][R0]\",\"2\",\"0\",\"0\",\"0\",\"0\"\n";
  const auto launches = read_pages(header + "\n" + units + "\n" + values + "\n", source);
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].kernel, "k");
  EXPECT_EQ(launches[0].block, (std::array<unsigned, 3>{33, 3, 1}));
  const auto& metrics = launches[0].metrics;
  EXPECT_EQ(metrics.at("global_load.requests"), 1024);
  EXPECT_EQ(metrics.at("global_load.ideal_sectors"), 6);
  EXPECT_EQ(metrics.at("global_store.ideal_sectors"), 3);
  EXPECT_EQ(metrics.at("shared_load.wavefronts"), 8);
  EXPECT_EQ(metrics.at("shared_load.ideal_wavefronts"), 4);
  EXPECT_EQ(metrics.at("shared_store.wavefronts"), 32);
  EXPECT_EQ(metrics.at("global_atomics.requests"), 2048);
  EXPECT_EQ(metrics.at("global_atomics.sectors"), 3);
  EXPECT_EQ(metrics.at("constant.addresses"), 10);  // of 12 requests, 2 were for parameters
}

}  // namespace
}  // namespace warplab::parity
