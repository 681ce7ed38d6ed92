#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "common/host/descriptor.hpp"

namespace warplab {

/// A function that runs in a child process: whatever ends it, a stray pointer or a killed process, ends
/// nothing else. The child is ended with its parent.
class IsolatedChild {
 public:
  /// @param work its result is sent to the parent; it must not throw
  /// @throws std::system_error if no process can be made
  explicit IsolatedChild(const std::function<std::string()>& work);
  /// Ends the child.
  ~IsolatedChild();
  IsolatedChild(const IsolatedChild&) = delete;

  /// Where its result can be read, for poll().
  int descriptor() const { return pipe_; }
  /// Takes what has come. @return whether that is all
  bool take();

  struct End {
    std::optional<std::string> result;  ///< nothing if the child did not come to its end
    std::string why;                    ///< "its process was ended by SIGSEGV (Segmentation fault)"
  };
  /// Waits for the child's end. @pre take() returned true
  End end();

 private:
  pid_t pid_ = -1;
  Descriptor pipe_;
  std::string taken_;
};

}  // namespace warplab
