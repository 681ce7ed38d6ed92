#pragma once

/// Adds a constant of its own translation unit to n elements.
__global__ void kernel_of_another_unit(int* x, int n);
