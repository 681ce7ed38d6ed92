#include "harness/console/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace warplab {

Progress::Progress(std::size_t total) : total_(total), terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(std::size_t done, const std::string& what) {
  if (!terminal_) return;
  constexpr std::size_t width = 24;
  const std::size_t filled = total_ ? std::min(done, total_) * width / total_ : width;
  std::fprintf(stderr, "\r\033[K[%s%s] %zu/%zu %.60s", std::string(filled, '#').c_str(),
               std::string(width - filled, '.').c_str(), done, total_, what.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace warplab
