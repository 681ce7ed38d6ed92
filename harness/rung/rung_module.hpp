#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/call.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab {

/// A rung's module is not there (not_built) or cannot be loaded (failed).
class ModuleError : public std::runtime_error {
 public:
  ModuleError(RungStatus status, const std::string& text) : std::runtime_error(text), status_(status) {}
  RungStatus status() const { return status_; }

 private:
  RungStatus status_;
};

/// A rung's shared library, loaded into this process. Move-only; unloading is left to the end of the process,
/// since a CUDA runtime may keep pointers into it.
class RungModule {
 public:
  /// @throws ModuleError if the file is missing, does not load or has no entry point.
  explicit RungModule(const std::filesystem::path& path);
  RungModule(RungModule&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}
  RungModule& operator=(RungModule&& other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }

  /// Calls the rung's launcher through the lab's adapter. @throws whatever they throw.
  void call(const Call& call) const { entry_(call); }

 private:
  using Entry = void(const Call&);
  Entry* entry_ = nullptr;
};

/// The sentence for a module that is not there.
std::string did_not_build(const std::filesystem::path& path);

}  // namespace warplab
