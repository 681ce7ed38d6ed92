#pragma once

#include "gaussian_im2col.hpp"

// The intermediate matrix: the pixels that the bytes of a group, a block's or a
// warp's, need for 16 taps. The 16 taps are up to four pieces of filter rows, and each piece has a row of the
// matrix: a value for each of the group's bytes and, after the bytes of each row of the image,
// `more` values for the pixels that the last of them needs beyond: clamped at the image's edge,
// where the bytes go on with the next row of the image.

inline constexpr int max_pieces = 4;  // 16 taps of a filter of 5x5, if they begin in the middle of a row

/// Where the columns of the matrix that a block multiplies lie in the image.
class IntermediateMatrix {
 public:
  struct Source {
    int x_byte, y;  ///< bytes from the start of the image's row, which may be outside of it; and the row
  };

  /// Of this block's bytes.
  __device__ static IntermediateMatrix of_block(const ImageShape& image, int side) {
    const std::int64_t first = std::int64_t{blockIdx.x} * threads_per_block;
    return {image, side, first, threads_per_block, static_cast<int>(threadIdx.x)};
  }

  /// Of the bytes [first, first + group), of which this thread filters the one with this number. @pre the
  /// image has the first
  __device__ IntermediateMatrix(const ImageShape& image, int side, std::int64_t first, int group, int number)
      : channels_(image.channels), row_(image.row()), last_y_(image.height - 1), side_(side) {
    const int bytes = static_cast<int>(min(std::int64_t{group}, image.bytes() - first));
    y_ = static_cast<int>(first / row_);
    x_byte_ = static_cast<int>(first - std::int64_t{y_} * row_);
    more_ = (min(side, wmma_k) - 1) * channels_;
    of_first_row_ = min(row_ - x_byte_, bytes) + more_;
    values_ = bytes + ((x_byte_ + bytes - 1) / row_ + 1) * more_;
    const int byte = min(number, bytes - 1);  // past the image's end: as the last one
    mine_ = byte + (x_byte_ + byte) / row_ * more_;
  }

  /// Values of a piece.
  __device__ int values() const { return values_; }

  /// Pieces of 16 taps, the first of which is in row `down` and column `right` of the filter.
  __device__ int pieces(int down, int right) const {
    return min((right + wmma_k - 1) / side_ + 1, side_ - down);  // none after the filter's end
  }

  /// Where value `i` of a piece comes from, if its taps were in the filter's centre.
  __device__ Source source(int i) const {
    if (i < of_first_row_) return {x_byte_ + i, y_};
    const int beyond = i - of_first_row_, row = beyond / (row_ + more_);
    return {beyond - row * (row_ + more_), y_ + 1 + row};
  }

  /// The pixel at `source` for taps `down` rows below the filter's first one and
  /// `right` columns from its first.
  __device__ __half pixel(const unsigned char* in, Source source, int down, int right) const {
    const int radius = side_ / 2, y = min(max(source.y + down - radius, 0), last_y_);
    int x_byte = source.x_byte + (right - radius) * channels_;
    // Beyond an edge: the same channel of the pixel at the edge.
    if (x_byte < 0) x_byte = (x_byte % channels_ + channels_) % channels_;
    if (x_byte >= row_) x_byte = row_ - channels_ + x_byte % channels_;
    return __ushort2half_rn(in[std::int64_t{y} * row_ + x_byte]);
  }

  /// Goes through the 16 neighbours of this thread's byte, the first of which is in column `right` of the
  /// filter. For what is not a tap it has some pixel. @param matrix (pieces, values)
  class Neighbours {
   public:
    __device__ Neighbours(const IntermediateMatrix& inter, const __half* matrix, int pieces, int right)
        : piece_(matrix + inter.mine_),
          last_(piece_ + (pieces - 1) * inter.values_),
          from_(piece_),
          right_(right),
          inter_(inter) {}

    __device__ __half next() {
      const __half pixel = *from_;
      from_ += inter_.channels_;
      if (++right_ == inter_.side_) {
        piece_ = piece_ < last_ ? piece_ + inter_.values_ : last_;
        from_ = piece_, right_ = 0;
      }
      return pixel;
    }

   private:
    const __half *piece_, *last_, *from_;
    int right_;
    const IntermediateMatrix& inter_;
  };

 private:
  int channels_, row_, last_y_, side_;
  int x_byte_, y_;  // of the group's first byte
  int more_, of_first_row_, values_, mine_;
};

/// Halves that an intermediate matrix of any group of bytes has at most. The published kernel has 5 per
/// thread: enough for pixels of 4 channels in rows that are longer than the block, if the filter is not 7x7
/// or 13x13.
inline int gaussian_intermediate_values(const ImageShape& image, int side, int group = threads_per_block) {
  const int pieces = std::min((side - 1 + wmma_k - 1) / side + 1, side);
  const int rows = std::min(image.height, (group - 2) / image.row() + 2);
  return pieces * (group + rows * (std::min(side, wmma_k) - 1) * image.channels);
}
