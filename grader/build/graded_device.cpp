#include "grader/build/graded_device.hpp"

#include <cstdlib>

namespace warplab {

void see_graded_device() {
  unsetenv("WARPLAB_DEVICE");
  unsetenv("WARPLAB_DEVICES");
  setenv(multiprocessors_variable, graded_multiprocessors, 1);
}

}  // namespace warplab
