#pragma once

// CUDA on the CPU: cuda_runtime.h has it all, as in the CUDA Toolkit.
#include "cuda_runtime.h"
