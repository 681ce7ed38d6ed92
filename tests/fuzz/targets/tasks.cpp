#include <unistd.h>

#include <fstream>

#include "common/io/temporary_folder.hpp"
#include "grader/course/course.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) {
  static const TemporaryFolder tree("/tmp/warplab-fuzz-");
  const std::filesystem::path lab = tree.path() / "labs/07_transpose";
  std::filesystem::create_directories(lab);
  std::ofstream(lab / "tasks.json", std::ios::binary) << input;
  digest_of_tasks(Course::read(tree.path()), tree.path());
}
