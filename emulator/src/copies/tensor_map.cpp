#include "emulator/src/copies/tensor_map.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "emulator/src/base/errors.hpp"

namespace warplab::emulator {

unsigned tensor_element_bytes(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
      return 4;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    default:
      return 0;
  }
}

bool is_floating_point(CUtensorMapDataType type) {
  return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
}

unsigned TensorMap::element_bytes() const { return tensor_element_bytes(data_type()); }

std::size_t TensorMap::box_bytes() const {
  std::size_t bytes = element_bytes();
  for (unsigned i = 0; i < rank; ++i) bytes *= box_extent(i);
  return bytes;
}

unsigned TensorMap::mixed_bits() const {
  static constexpr unsigned bits[] = {0, 1, 3, 7};
  return bits[swizzle];
}

bool TensorMap::is_sound() const {
  if (rank < 1 || rank > max_dimensions || swizzle > CU_TENSOR_MAP_SWIZZLE_128B || element_bytes() == 0)
    return false;
  for (unsigned i = 0; i < rank; ++i)
    if (extent[i] < 1 || extent[i] > 1ull << 32 || box[i] < 1 || box[i] > 256 || element_stride[i] < 1 ||
        element_stride[i] > 8)
      return false;
  for (unsigned i = 0; i + 1 < rank; ++i)
    if (stride[i] % 16 != 0 || stride[i] >= 1ull << 40) return false;
  return box_row_bytes() % 16 == 0 && (swizzle == 0 || box_row_bytes() == 16u << swizzle);
}

std::uint32_t TensorMap::checksum() const {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(this);
  std::uint32_t sum_so_far = 2166136261u;
  for (std::size_t i = 0; i < offsetof(TensorMap, sum); ++i) sum_so_far = (sum_so_far ^ bytes[i]) * 16777619u;
  return sum_so_far;
}

namespace {

/// What a caller asks of cuTensorMapEncodeTiled, and the rules for it. PTX ISA, "Tensors"; CUDA Driver API,
/// "Tensor Map Object Management".
struct Request {
  CUtensorMapDataType type;
  cuuint32_t rank;
  const void* address;
  const cuuint64_t *extent, *stride;
  const cuuint32_t *box, *element_stride;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;

  CUresult problem() const;

 private:
  CUresult problem_of_choices() const;
  CUresult problem_of_tensor() const;
  CUresult problem_of_box() const;
};

__attribute__((format(printf, 1, 2))) CUresult refuse(const char* format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  report("cuTensorMapEncodeTiled: %s (CUDA_ERROR_INVALID_VALUE)", text);
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult unsupported(const char* what) {
  report("cuTensorMapEncodeTiled: the emulator has no %s (CUDA_ERROR_NOT_SUPPORTED)", what);
  return CUDA_ERROR_NOT_SUPPORTED;
}

bool is_aligned(const void* address, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

CUresult Request::problem() const {
  if (rank < 1 || rank > TensorMap::max_dimensions)
    return refuse("the rank is %u; a tensor has 1 to 5 dimensions", rank);
  if (extent == nullptr || box == nullptr || element_stride == nullptr || (stride == nullptr && rank > 1))
    return refuse("globalDim, globalStrides, boxDim and elementStrides must not be null");
  for (const auto part :
       {&Request::problem_of_choices, &Request::problem_of_tensor, &Request::problem_of_box})
    if (const CUresult result = (this->*part)(); result != CUDA_SUCCESS) return result;
  return CUDA_SUCCESS;
}

CUresult Request::problem_of_choices() const {
  const auto is_one_of = [](int value, int last) { return value >= 0 && value <= last; };
  if (!is_one_of(type, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B)) return refuse("%d is not a data type", type);
  if (!is_one_of(interleave, CU_TENSOR_MAP_INTERLEAVE_32B))
    return refuse("%d is not an interleave", interleave);
  if (!is_one_of(swizzle, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B)) return refuse("%d is not a swizzle", swizzle);
  if (!is_one_of(promotion, CU_TENSOR_MAP_L2_PROMOTION_L2_256B))
    return refuse("%d is not an L2 promotion", promotion);
  if (!is_one_of(fill, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA))
    return refuse("%d is not a fill for what is out of bounds", fill);
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return unsupported("interleaved tensors");
  if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B) return unsupported("swizzles of atoms of 32 and 64 bytes");
  if (tensor_element_bytes(type) == 0) return unsupported("tensors of elements of 4 and 6 bits");
  if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !is_floating_point(type))
    return refuse("only tensors of floating-point numbers can be filled with NaN out of bounds");
  return CUDA_SUCCESS;
}

CUresult Request::problem_of_tensor() const {
  if (!is_aligned(address, 16)) return refuse("globalAddress %p is not a multiple of 16", address);
  for (unsigned i = 0; i < rank; ++i)
    if (extent[i] < 1 || extent[i] > 1ull << 32)
      return refuse("globalDim[%u] is %llu; 1 to 2^32 is allowed", i,
                    static_cast<unsigned long long>(extent[i]));
  for (unsigned i = 0; i + 1 < rank; ++i)
    if (stride[i] % 16 != 0 || stride[i] >= 1ull << 40)
      return refuse("globalStrides[%u] is %llu bytes; multiples of 16 below 2^40 are allowed", i,
                    static_cast<unsigned long long>(stride[i]));
  return CUDA_SUCCESS;
}

CUresult Request::problem_of_box() const {
  for (unsigned i = 0; i < rank; ++i) {
    if (box[i] < 1 || box[i] > 256) return refuse("boxDim[%u] is %u; 1 to 256 is allowed", i, box[i]);
    if (element_stride[i] < 1 || element_stride[i] > 8)
      return refuse("elementStrides[%u] is %u; 1 to 8 is allowed", i, element_stride[i]);
  }
  const unsigned row = box[0] * tensor_element_bytes(type);
  if (row % 16 != 0)
    return refuse("boxDim[0] is %u elements, %u bytes; the bytes must be a multiple of 16", box[0], row);
  static constexpr unsigned spans[] = {~0u, 32, 64, 128};
  if (row > spans[swizzle])
    return refuse("boxDim[0] is %u elements, %u bytes; a swizzle of %u bytes takes no longer lines", box[0],
                  row, spans[swizzle]);
  if (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && row != spans[swizzle])
    return unsupported("boxes whose lines are shorter than their swizzle");
  return CUDA_SUCCESS;
}

void write(TensorMap map, CUtensorMap* to) {
  map.sum = map.checksum();
  std::memset(static_cast<void*>(to), 0, sizeof *to);
  std::memcpy(static_cast<void*>(to), &map, sizeof map);
}

}  // namespace
}  // namespace warplab::emulator

CUresult cuTensorMapEncodeTiled(CUtensorMap* to, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* extent, const cuuint64_t* stride, const cuuint32_t* box,
                                const cuuint32_t* element_stride, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
  using namespace warplab::emulator;
  if (to == nullptr || !is_aligned(to, 64))
    return refuse("tensorMap %p is not a multiple of 64", static_cast<void*>(to));
  const Request request{type,           rank,       address, extent,    stride, box,
                        element_stride, interleave, swizzle, promotion, fill};
  if (const CUresult problem = request.problem(); problem != CUDA_SUCCESS) return problem;
  TensorMap map{};
  map.magic = TensorMap::mark;
  map.address = reinterpret_cast<std::uint64_t>(address);
  for (unsigned i = 0; i < rank; ++i) {
    map.extent[i] = extent[i];
    if (i + 1 < rank) map.stride[i] = stride[i];
    map.box[i] = static_cast<std::uint16_t>(box[i]);
    map.element_stride[i] = static_cast<std::uint8_t>(element_stride[i]);
  }
  map.rank = static_cast<std::uint8_t>(rank);
  map.type = static_cast<std::uint8_t>(type);
  map.swizzle = static_cast<std::uint8_t>(swizzle);
  map.fills_with_nan = fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  write(map, to);
  return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  using namespace warplab::emulator;
  TensorMap contents;
  if (map != nullptr && is_aligned(map, 64)) std::memcpy(&contents, map, sizeof contents);
  const bool valid = map != nullptr && is_aligned(map, 64) && contents.is_valid();
  if (!valid || !is_aligned(address, 16)) {
    report("cuTensorMapReplaceAddress: %s (CUDA_ERROR_INVALID_VALUE)",
           valid ? "globalAddress is not a multiple of 16" : "the map has not been encoded");
    return CUDA_ERROR_INVALID_VALUE;
  }
  contents.address = reinterpret_cast<std::uint64_t>(address);
  write(contents, map);
  return CUDA_SUCCESS;
}
