#pragma once

// CUDA on the CPU: the runtime computes occupancy (cudaOccupancyMaxActiveBlocksPerMultiprocessor), so nothing
// is here but the name, which libraries include.
