#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/problem/problem.hpp"
#include "harness/program/options.hpp"
#include "harness/results/measurement.hpp"
#include "harness/rung/ceiling.hpp"
#include "harness/worker/worker_client.hpp"

namespace warplab {

/// What bounds the cases of a lab on this device: a copy, multiply-adds, or a kernel of the lab's own. Each
/// is measured when it is first asked for.
/// @pre a device that has times, that is, not the emulator
class Ceilings {
 public:
  /// @param worker how workers are started, for kernels of the lab's own
  /// @param device the worker that measures the device; null: this process does
  Ceilings(const Problem& problem, const Options& options, WorkerOptions worker, WorkerClient* device)
      : problem_(problem), options_(options), worker_(std::move(worker)), device_(device) {}

  struct Binding {
    Ceiling ceiling;
    bool is_arithmetic;
  };
  /// What limits a case: a copy of its bytes, or its operations where these take longer.
  std::optional<Binding> of(const Case& c);

  /// Sets how near to the speed of light a timed measurement comes, or why that is not known.
  void compare(Measurement& m);

 private:
  const std::optional<Ceiling>& of_copy(double bytes);
  /// Of a lab that has a kernel for it; nothing where that did not run.
  const std::optional<Ceiling>& of_lab(const OwnCeiling& own);
  /// Null for a type whose operations have no such ceiling.
  const Ceiling* of_arithmetic(DType dtype);

  const Problem& problem_;
  const Options& options_;
  WorkerOptions worker_;
  WorkerClient* device_;
  std::map<double, std::optional<Ceiling>> of_copies_;
  std::map<std::string, std::optional<Ceiling>> of_lab_;  ///< by input_key() of their case
  std::map<DType, std::optional<Ceiling>> of_types_;
};

/// What one launch must read and write, where a case repeats it on the same arrays.
double bytes_per_launch(const Problem& problem, const Case& c);

}  // namespace warplab
