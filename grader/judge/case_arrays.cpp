#include "grader/judge/case_arrays.hpp"

#include "harness/console/case_text.hpp"

namespace warplab {

std::shared_ptr<const CaseArrays> KnownArrays::of(const Problem& problem, const Case& c) {
  const std::string key = problem.lab() + " " + case_text(c);
  const std::lock_guard lock(mutex_);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  auto made = std::make_shared<CaseArrays>();
  made->inputs = problem.inputs(c);
  made->expected = problem.expected(c, made->inputs);
  std::size_t bytes = 0;
  for (const auto* arrays : {&made->inputs, &made->expected})
    for (const HostArray& array : *arrays) bytes += array.size_bytes();
  if (bytes_ + bytes > max_bytes_) {
    known_.clear();
    bytes_ = 0;
  }
  bytes_ += bytes;
  return known_[key] = std::move(made);
}

}  // namespace warplab
