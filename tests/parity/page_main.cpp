// Writes docs/lens-parity.md from a run of all cases, and the differences to standard error.
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/parity/comparison.hpp"

int main(int argc, char** argv) {
  using namespace warplab::parity;
  if (argc != 2) {
    std::fprintf(stderr, "usage: parity_page FILE\n");
    return 2;
  }
  try {
    const Places places{WARPLAB_SOURCE_DIR, WARPLAB_BINARY_DIR};
    const auto hardware = hardware_document(places);
    std::vector<CaseResult> results;
    const CasesByRecord cases = cases_by_record(places, hardware);
    for (const std::string& name : cases.recorded) {
      results.push_back(compare_case(places, hardware, name));
      const CaseResult& result = results.back();
      if (!result.failure.empty()) std::fprintf(stderr, "%s: %s\n", name.c_str(), result.failure.c_str());
      for (const Row& row : result.rows)
        if (!row.exact())
          std::fprintf(stderr, "%s: %s is %.0f on the GPU and %.0f here\n", name.c_str(), row.metric.c_str(),
                       row.hardware, row.lens);
    }
    std::ofstream file(argv[1]);
    file << page(hardware, results, read_exceptions(places), read_branch_reasons(places), cases.missing);
    if (!file.flush()) throw std::runtime_error(std::string("cannot write ") + argv[1]);
    std::printf("%s: %.1f %% of %zu cases are exact\n", argv[1], 100 * exact_share(results), results.size());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parity_page: %s\n", error.what());
    return 4;
  }
}
