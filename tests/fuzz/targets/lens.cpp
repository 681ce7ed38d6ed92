#include <fcntl.h>
#include <unistd.h>

#include "grader/judge/failure.hpp"
#include "grader/judge/oddities.hpp"
#include "harness/worker/worker_protocol.hpp"
#include "tests/fuzz/fuzz_target.hpp"

// What a worker says that it recorded, down to what a page shows of it.
void warplab::fuzz::take(std::string_view input) {
  const InputFile file(input);
  const int descriptor = open(file.path().c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<lens::Launch> launches;
  try {
    launches = protocol::lens_from_file(descriptor);
  } catch (...) {
    close(descriptor);
    throw;
  }
  close(descriptor);
  Failure failure{Failure::Kind::findings, ""};
  for (const lens::Launch& launch : launches)
    failure.findings.insert(failure.findings.end(), launch.findings.begin(), launch.findings.end());
  public_text(failure);
  hidden_text(failure, places_in(failure));
  idle_kernels_of(launches);
}
