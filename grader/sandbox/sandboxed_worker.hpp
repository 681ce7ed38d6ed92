#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include "grader/sandbox/sandbox.hpp"
#include "harness/worker/worker_client.hpp"

namespace warplab {

/// A worker in a sandbox: what it left running ends with it.
class SandboxedWorker {
 public:
  SandboxedWorker(Sandbox& sandbox, const std::filesystem::path& module, WorkerOptions options)
      : sandbox_(sandbox), client_(std::make_unique<WorkerClient>(module, std::move(options))) {}
  ~SandboxedWorker() {
    client_.reset();
    sandbox_.end_all();
  }
  SandboxedWorker(const SandboxedWorker&) = delete;
  SandboxedWorker& operator=(const SandboxedWorker&) = delete;
  WorkerClient& client() const { return *client_; }

 private:
  Sandbox& sandbox_;
  std::unique_ptr<WorkerClient> client_;
};

}  // namespace warplab
