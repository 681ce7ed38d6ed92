#pragma once

// What every launcher takes, and what Tensor Cores do.

inline constexpr int max_image_channels = 4096;
inline constexpr int max_filters = 64;
inline constexpr int max_filter_side =
    1023;  ///< one float's sum of 1601 x 1601 products was seen to be off by a level

/// Tensor Cores take the filters as the eight columns of a matrix.
inline constexpr int max_tensor_filters = 8;
