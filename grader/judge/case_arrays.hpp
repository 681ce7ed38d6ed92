#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/problem/problem.hpp"

namespace warplab {

/// What goes into a case, and what must come out.
struct CaseArrays {
  std::vector<HostArray> inputs, expected;
};

/// Those that were made of late, as the oracle is slow and many submissions meet the same cases. Used by
/// several threads at a time.
class KnownArrays {
 public:
  explicit KnownArrays(std::size_t max_bytes) : max_bytes_(max_bytes) {}
  std::shared_ptr<const CaseArrays> of(const Problem& problem, const Case& c);

 private:
  std::size_t max_bytes_, bytes_ = 0;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const CaseArrays>> known_;
};

}  // namespace warplab
