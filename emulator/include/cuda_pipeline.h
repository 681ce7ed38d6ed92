#pragma once

// CUDA on the CPU: in place of the CUDA Toolkit's header of this name.

#include "cuda_pipeline_primitives.h"
