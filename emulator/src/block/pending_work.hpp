#pragma once

namespace warplab::emulator {

/// What a block has under way beside its threads: asynchronous copies, or products of warpgroups. The rooms
/// `copies` and `tensor_cores` implement it; a worker keeps what its kernels have used.
class PendingWork {
 public:
  virtual ~PendingWork() = default;
  /// Another block begins.
  virtual void clear() = 0;
  /// The calling thread ends, and `left` threads of its block have not ended yet. What it has left open, or
  /// the last thread finds open, ends the kernel.
  virtual void note_return(int left) = 0;
};

}  // namespace warplab::emulator
